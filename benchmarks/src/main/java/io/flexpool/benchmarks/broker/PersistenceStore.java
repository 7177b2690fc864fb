// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

/** The stores of the scenario {@code persistence}. */
enum PersistenceStore implements Store {
    /** Nowhere: messages are sent as non-persistent ones, to subscribers that are not durable. */
    NON_PERSISTENT(Backend.HEAP),
    /** The broker's own files, on the disk. */
    KAHADB_DISK(Backend.FILES_ON_DISK),
    /** The broker's own files, on storage that is memory. */
    KAHADB_MEMORY(Backend.FILES_IN_MEMORY),
    /** PostgreSQL without a pool. */
    JDBC_UNPOOLED(Backend.UNPOOLED),
    /** PostgreSQL through HikariCP. */
    JDBC_POOLED(Backend.HIKARICP),
    /** PostgreSQL through HikariCP in flexpool. */
    JDBC_POOLED_WRAPPED(Backend.HIKARICP_FLEXPOOL);

    private final Backend backend;

    PersistenceStore(Backend backend) {
        this.backend = backend;
    }

    @Override
    public Backend backend() {
        return backend;
    }

    @Override
    public String toString() {
        return Store.name(this);
    }
}
