// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.messaging.Access;
import io.flexpool.benchmarks.messaging.OpenStore;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the broker keeps its messages, and what was published of it. */
public enum BrokerStore {
    /** PostgreSQL without a pool. */
    POSTGRES_UNPOOLED(Access.UNPOOLED, 94.98, null, null),
    /** PostgreSQL through c3p0. */
    POSTGRES_C3P0(Access.C3P0, 277.25, 283.742, null),
    /** PostgreSQL through its driver's pool. */
    POSTGRES_PGPOOLING(Access.PGPOOLING, 277.79, 276.278, null),
    /** PostgreSQL through HikariCP. */
    POSTGRES_HIKARICP(Access.HIKARICP, null, null, null),
    /** The broker's own files. */
    KAHADB(null, 418.85, null, null),
    /** PostgreSQL through c3p0 in flexpool. */
    POSTGRES_C3P0_FLEXPOOL(Access.C3P0_FLEXPOOL, null, null, POSTGRES_C3P0),
    /** PostgreSQL through HikariCP in flexpool. */
    POSTGRES_HIKARICP_FLEXPOOL(Access.HIKARICP_FLEXPOOL, null, null, POSTGRES_HIKARICP);

    /** The larger of the two payloads that were published; bytes. */
    static final int LARGE_PAYLOAD = 10 * 1024;
    /** The smaller one. */
    static final int SMALL_PAYLOAD = 1024;
    /** Those of the scenario. */
    static final Set<Integer> PAYLOADS = Set.of(SMALL_PAYLOAD, LARGE_PAYLOAD);

    private final @Nullable Access access;
    private final @Nullable Double small;
    private final @Nullable Double large;
    private final @Nullable BrokerStore bare;

    BrokerStore(@Nullable Access access, @Nullable Double small, @Nullable Double large, @Nullable BrokerStore bare) {
        this.access = access;
        this.small = small;
        this.large = large;
        this.bare = bare;
    }

    /**
     * Opens it, with its own database if it needs one.
     *
     * @param folder for its files
     */
    OpenStore open(Path folder) throws SQLException {
        return access == null ? OpenStore.kahaDb(folder) : OpenStore.postgres(access);
    }

    /** How long it takes beside the others, roughly as published. */
    int weight() {
        if (access == null) {
            return 2;
        }
        return access == Access.UNPOOLED ? 9 : 3;
    }

    /** Whether it stores in PostgreSQL. */
    boolean usesDatabase() {
        return access != null;
    }

    /** The same store without flexpool; empty where this one is bare. */
    Optional<BrokerStore> bare() {
        return Optional.ofNullable(bare);
    }

    /** Messages per second as published in 2016, of a payload in bytes; null where nothing was published. */
    @Nullable
    Double published(int payload) {
        return switch (payload) {
            case SMALL_PAYLOAD -> small;
            case LARGE_PAYLOAD -> large;
            default -> null;
        };
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
