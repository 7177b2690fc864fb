// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

/** The stores of the scenario {@code broker}, and what was published of them. */
enum BrokerStore implements Store {
    /** PostgreSQL without a pool. */
    POSTGRES_UNPOOLED(Backend.UNPOOLED, 94.98, Double.NaN),
    /** PostgreSQL through c3p0. */
    POSTGRES_C3P0(Backend.C3P0, 277.25, 283.742),
    /** PostgreSQL through its driver's pool. */
    POSTGRES_PGPOOLING(Backend.PGPOOLING, 277.79, 276.278),
    /** PostgreSQL through HikariCP. */
    POSTGRES_HIKARICP(Backend.HIKARICP, Double.NaN, Double.NaN),
    /** The broker's own files. */
    KAHADB(Backend.FILES, 418.85, Double.NaN),
    /** PostgreSQL through c3p0 in flexpool. */
    POSTGRES_C3P0_FLEXPOOL(Backend.C3P0_FLEXPOOL, Double.NaN, Double.NaN),
    /** PostgreSQL through HikariCP in flexpool. */
    POSTGRES_HIKARICP_FLEXPOOL(Backend.HIKARICP_FLEXPOOL, Double.NaN, Double.NaN);

    private final Backend backend;
    private final double small;
    private final double large;

    BrokerStore(Backend backend, double small, double large) {
        this.backend = backend;
        this.small = small;
        this.large = large;
    }

    @Override
    public Backend backend() {
        return backend;
    }

    /** Messages per second as published in 2016, of a payload in bytes; NaN where nothing was published. */
    double published(int payload) {
        return switch (payload) {
            case Chain.SMALL -> small;
            case Chain.LARGE -> large;
            default -> Double.NaN;
        };
    }

    @Override
    public String toString() {
        return Store.name(this);
    }
}
