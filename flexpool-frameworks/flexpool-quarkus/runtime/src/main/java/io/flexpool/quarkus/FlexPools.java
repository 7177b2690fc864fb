// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.framework.WrappedPools;
import io.flexpool.spi.Texts;
import jakarta.inject.Singleton;
import java.util.SortedMap;

/**
 * The pools of this application, by the names of their datasources. Inject it to read pools or to change their limits.
 * A drained pool stays, with the phase {@code CLOSED}, until Quarkus closes its datasource. Thread-safe.
 */
@Singleton
public class FlexPools {
    private final WrappedPools pools = new WrappedPools();

    /** Created by Quarkus, one per application. */
    public FlexPools() {}

    /**
     * The pools.
     *
     * @return an immutable copy, by name and sorted by name; the default datasource is {@code default}
     */
    public SortedMap<String, FlexPoolDataSource> byName() {
        return pools.byName();
    }

    /**
     * The pool of one datasource.
     *
     * @param dataSource its name; {@code default} for the default datasource
     * @return its pool
     * @throws IllegalArgumentException if no datasource has that name; the message has the existing names
     */
    public FlexPoolDataSource pool(String dataSource) {
        FlexPoolDataSource pool = byName().get(dataSource);
        if (pool == null) {
            throw new IllegalArgumentException(Texts.line(
                    "no pool is named " + dataSource + "; the pools are " + String.join(", ", byName().keySet())));
        }
        return pool;
    }

    WrappedPools wrapped() {
        return pools;
    }
}
