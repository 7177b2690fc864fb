// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import io.flexpool.benchmarks.burst.BurstPool;
import java.util.Locale;

/** The pools of this scenario, each with what the telecom team's comparison says of it after one hour. */
@SuppressWarnings("ImmutableEnumChecker") // a record of numbers cannot be changed
public enum DirectoryPool {
    /** c3p0. */
    C3P0(BurstPool.C3P0, new Published(1_427_995, 0.25035042, 18.947, 75)),
    /** HikariCP. */
    HIKARICP(BurstPool.HIKARICP, new Published(1_424_529, 0.24209265, 1.43, 0)),
    /** Tomcat JDBC. */
    TOMCAT(BurstPool.TOMCAT, new Published(1_359_448, 0.25102726, 19.056, 0));

    private final BurstPool pool;
    private final Published published;

    DirectoryPool(BurstPool pool, Published published) {
        this.pool = pool;
        this.published = published;
    }

    /**
     * The published figures of one hour.
     *
     * @param requests in all
     * @param averageSeconds the average latency
     * @param maxSeconds the longest latency
     * @param failures in all
     */
    record Published(long requests, double averageSeconds, double maxSeconds, long failures) {}

    BurstPool pool() {
        return pool;
    }

    Published published() {
        return published;
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
