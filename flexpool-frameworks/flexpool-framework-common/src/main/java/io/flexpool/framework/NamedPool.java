// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import io.flexpool.FlexPoolBuilder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** The names of a pool in an application. Immutable. */
public final class NamedPool {
    private final List<String> inProperties;

    private NamedPool(List<String> inProperties) {
        this.inProperties = inProperties;
    }

    /**
     * Determines the names of a pool.
     *
     * @param configured the name in the application's keys; if present, the only name
     * @param builder has the name that the application gave the pool itself, which the pool's own metrics use
     * @param dataSource the name of its data source
     * @return the pool, with one or two names
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
     * Names a pool after its data source.
     *
     * @param dataSource the name
     * @return the pool, with one name
     */
    public static NamedPool of(String dataSource) {
        return new NamedPool(List.of(dataSource));
    }

    /**
     * The preferred name.
     *
     * @return the configured name, otherwise the pool's own, otherwise the data source's
     */
    public String name() {
        return inProperties.get(0);
    }

    /**
     * The allowed names of the pool's sections.
     *
     * @return the names; {@link #name()} is first and takes precedence
     */
    public List<String> inProperties() {
        return inProperties;
    }
}
