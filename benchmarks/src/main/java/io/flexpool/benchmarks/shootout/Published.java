// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The published table: total milliseconds of a million cycles, on 16 cores with 32 hardware threads, 2013. One row for
 * each pool that it has; two rows of this scenario may stand beside the same one of the table.
 */
@SuppressWarnings("ImmutableEnumChecker") // the arrays are never written
enum Published {
    DRUID("druid", ShootOutPool.DRUID, new int[] {309, 605, 1028, 947, 962, 897, 1238}, new int[] {
        248, 710, 1133, 1134, 905, 1107, 1468
    }),
    DBCP("dbcp", ShootOutPool.DBCP14, new int[] {924, 1461, 4062, 4030, 4908, 5505, 14517}, new int[] {
        660, 1522, 3545, 4176, 3671, 4237, 14129
    }),
    BONECP("boneCP", ShootOutPool.BONECP, new int[] {3047, 2055, 2549, 3821, 6367, 12865, 18832}, new int[] {
        3522, 2930, 2579, 3745, 7434, 11991, 14584
    }),
    C3P0("c3p0", ShootOutPool.C3P0, new int[] {4018, 8206, 8897, 10667, 12367, 25822, 38681}, new int[] {
        4275, 9509, 3371, 10439, 13472, 19848, 36153
    }),
    PROXOOL("proxool", ShootOutPool.PROXOOL, new int[] {6912, 4714, 4851, 11908, 16066, 19568, 18036}, new int[] {
        7187, 7707, 11037, 10777, 15222, 18100, 21547
    }),
    TOMCAT_JDBC(
            "tomcat-jdbc", ShootOutPool.TOMCAT_JDBC, new int[] {400, 740, 1811, 1707, 1618, 1624, 11905}, new int[] {
                372, 736, 1879, 1727, 1576, 1322, 12545
            }),
    JBOSS_DATASOURCE(
            "jboss-datasource",
            ShootOutPool.JBOSS_DATASOURCE,
            new int[] {1369, 1105, 4002, 3089, 3483, 3665, 11782},
            new int[] {1326, 1184, 2928, 3765, 3099, 3278, 10812});

    /** The cycles of the published figures. */
    static final int CYCLES = 1_000_000;

    /** From this thread count on Proxool's figures are marked with "errors". */
    static final int ERRORS_FROM = 20;

    private static final int[] THREADS = {1, 2, 5, 10, 20, 50, 100};

    private final String label;
    private final ShootOutPool pool;
    private final int[] jdk7;
    private final int[] jdk6;

    Published(String label, ShootOutPool pool, int[] jdk7, int[] jdk6) {
        this.label = label;
        this.pool = pool;
        this.jdk7 = jdk7;
        this.jdk6 = jdk6;
    }

    /** Which of the two tables. */
    enum Jdk {
        JDK7,
        JDK6
    }

    /** The thread counts of the tables. */
    static List<Integer> threads() {
        return Arrays.stream(THREADS).boxed().toList();
    }

    /** The row that a pool of this scenario is compared with; Commons DBCP 2 has that of DBCP too. */
    static Optional<Published> of(ShootOutPool pool) {
        ShootOutPool its = pool == ShootOutPool.DBCP2 ? ShootOutPool.DBCP14 : pool;
        return Arrays.stream(values()).filter(row -> row.pool == its).findFirst();
    }

    /** The pool's name in the table. */
    String label() {
        return label;
    }

    /** The pool of this scenario that is the same one. */
    ShootOutPool pool() {
        return pool;
    }

    /** Total milliseconds; empty for a thread count that the tables do not have. */
    OptionalInt ms(Jdk jdk, int threads) {
        int at = Arrays.binarySearch(THREADS, threads);
        int[] row = jdk == Jdk.JDK7 ? jdk7 : jdk6;
        return at < 0 ? OptionalInt.empty() : OptionalInt.of(row[at]);
    }

    /** Whether the figure is marked with "errors". */
    boolean errors(int threads) {
        return this == PROXOOL && threads >= ERRORS_FROM;
    }
}
