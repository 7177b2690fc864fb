// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import io.flexpool.FlexPoolBuilder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** The names that an application has for a pool. Immutable. */
public final class NamedPool {
    private final List<String> inProperties;

    private NamedPool(List<String> inProperties) {
        this.inProperties = inProperties;
    }

    /**
     * Names a pool.
     *
     * @param configured the name in the application's keys, which is then its only one
     * @param builder knows the name that the application gave the pool itself, by which its other metrics are known
     * @param dataSource the name of its data source
     * @return a pool with one or two names
     */
    public static NamedPool of(Optional<String> configured, FlexPoolBuilder builder, String dataSource) {
        List<String> names = new ArrayList<>(2);
        if (configured.isPresent()) {
            names.add(configured.get());
        }
        if (names.isEmpty()) {
            builder.framework(with -> {
                Optional<String> given = with.givenName();
                if (given.isPresent()) {
                    names.add(given.get());
                }
            });
            names.add(dataSource);
        }
        return new NamedPool(List.copyOf(new LinkedHashSet<>(names)));
    }

    /**
     * A pool that is named after its data source.
     *
     * @param dataSource the name
     * @return a pool with one name
     */
    public static NamedPool of(String dataSource) {
        return new NamedPool(List.of(dataSource));
    }

    /**
     * The name that the pool should have.
     *
     * @return the configured one, or that of the pool itself, or that of its data source
     */
    public String name() {
        return inProperties.get(0);
    }

    /**
     * The names that its sections may have.
     *
     * @return {@link #name()} first, which takes precedence
     */
    public List<String> inProperties() {
        return inProperties;
    }
}
