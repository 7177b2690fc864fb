// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import java.util.stream.Stream;

/** What a reader must know to judge the figures. */
final class ShootOutNotes {
    private ShootOutNotes() {}

    static Stream<String> of(Setup setup) {
        return Stream.concat(Stream.concat(loop(setup), settings()), limits(setup));
    }

    private static Stream<String> loop(Setup setup) {
        return Stream.of(
                "A cycle: getConnection, prepareStatement(\"select 1\"), executeQuery, every row, and the three closes. "
                        + setup.cycles() + " of them are shared by the threads; one that fails is counted and not"
                        + " repeated, so many errors make a figure shorter.",
                "Each pool in each variant ran " + (setup.repeats() == 1 ? "once" : setup.repeats() + " times")
                        + ", each time in its own JVM, in random order; at each thread count, in random order too,"
                        + " on an unused pool, after " + setup.warmUp()
                        + " cycles at each thread count on another pool. Figures are medians, in brackets the least and"
                        + " the most; graphs show the medians only.",
                "At the end of each JVM " + Setup.PRESSING_THREADS + " threads share some cycles that keep their"
                        + " connection for " + Setup.PRESSING_HOLD_MS + " ms: not to be timed, but to fill the pool,"
                        + " which short cycles on few processors do not.",
                "Connections are counted by the driver, which knows how many were open at one moment for certain: there"
                        + " may have been more for an instant that it did not see. It looks before the first cycle when"
                        + " their number has not changed for some 140 ms.",
                "The system reports CPU time in steps, on Linux of 10 ms.");
    }

    private static Stream<String> settings() {
        return Stream.of(
                "All pools: initial " + Sizes.INITIAL + ", min " + Sizes.MIN + ", max " + Sizes.MAX
                        + " connections, acquisition timeout " + Sizes.TIMEOUT.toSeconds()
                        + " s; no validation but what"
                        + " a pool does by default. Else set: Druid testWhileIdle off, for it complains where it has no"
                        + " validation query; Tomcat, DBCP 2 and DBCP 1.4 maxIdle " + Sizes.MAX + ", so that they keep"
                        + " what the next cycle needs; BoneCP one partition, to which its sizes belong. All else is the"
                        + " pool's default.",
                "Proxool has no acquisition timeout: it refuses at once. It has no initial size either, and its"
                        + " housekeeper opens the min only after 30 s, longer than any round here: \"keeps less\" is"
                        + " that. Vibur has no min but its initial size.",
                "BoneCP is 0.8.0 with its default acquireIncrement of 2: it opens two whenever its last one is taken. Of"
                        + " the published run neither its release nor its settings beyond the sizes are known here, so"
                        + " what is not reproduced is not reproduced for this release and these settings.",
                "flexpool is with a base of " + Sizes.MAX + ", the pool's max: its gate limits. flexpool-watched only"
                        + " watches.",
                "jboss-datasource is IronJacamar, without a server and without transactions.");
    }

    private static Stream<String> limits(Setup setup) {
        return Stream.of(
                setup.database() == ShootOutDatabase.STUB
                        ? "The driver is a stub that answers at once, as that of the published figures was: the time is"
                                + " the pool's and flexpool's alone, and a ratio on it is far worse than any with a"
                                + " database. Published figures of dbcp stand beside dbcp2 too, but are those of 1.4."
                        : "The database is PostgreSQL on the same machine: most of the time is its own. The published"
                                + " figures are of a driver that answers at once, so no time and no order of this run is"
                                + " compared with them.",
                "A heat that was not over within " + setup.bound().toSeconds() + " s is marked as hung; its JVM was"
                        + " ended and the run went on.");
    }
}
