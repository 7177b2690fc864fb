// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static io.flexpool.benchmarks.broker.PersistenceStore.KAHADB_DISK;
import static io.flexpool.benchmarks.broker.PersistenceStore.KAHADB_MEMORY;
import static io.flexpool.benchmarks.broker.PersistenceStore.NON_PERSISTENT;

import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.report.Claim;
import io.flexpool.benchmarks.report.Measured;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What was said of flash storage under a broker in 2015, and what flexpool aims at. */
final class FanClaims {
    /** Rates of fewer messages are those of the compiler and of chance. */
    static final int JUDGED_FROM = 2_000;

    private static final String SOURCE = "white paper on flash storage, 2015";
    private static final double LEAST_GAIN = 2.25;
    /** To be so much faster without it, a broker must spend so much of its time waiting for the disk. */
    private static final double SHARE_NEEDED = 1 - 1 / LEAST_GAIN;

    private static final double PAR = 0.9;
    private static final int MOST_PUBLISHED = 45_000;

    private FanClaims() {}

    static List<Claim<Figures>> of(Plan plan) {
        List<Claim<Figures>> claims = new ArrayList<>();
        plan.workloads().forEach(workload -> claims.add(gain(workload)));
        plan.names().forEach(workload -> claims.add(par(workload)));
        claims.add(Claim.of(
                SOURCE,
                "persistent throughput of up to 45,000 messages/s",
                "45,000 messages/s",
                FanClaims::most,
                figures -> false));
        claims.addAll(Goals.of(
                plan, Stream.of(Shape.values()).map(Shape::toString).toList(), PersistenceStore.values(), JUDGED_FROM));
        return claims;
    }

    private static Claim<Figures> gain(Workload workload) {
        String name = workload.name();
        Pair pair = new Pair(KAHADB_MEMORY, KAHADB_DISK, name, JUDGED_FROM);
        return Claim.of(
                SOURCE,
                "without the storage's delay persistent throughput rises by 125 to 265 % (" + name + ")",
                "2.25 to 3.65 times",
                figures -> {
                    double share = figures.spread(KAHADB_DISK, name, run -> delayShare(run, workload))
                            .median();
                    return pair.measured(
                                    figures,
                                    "a synchronous write of 1 kB takes " + sync(figures, KAHADB_DISK, name)
                                            + " ms on the disk and " + sync(figures, KAHADB_MEMORY, name)
                                            + " ms on memory; ")
                            .unless(
                                    pair.ratio(figures).median() < LEAST_GAIN && share < SHARE_NEEDED,
                                    "this disk has too little delay to remove: synchronous writes take at most "
                                            + percent(share) + " % of a message's time, the gain needs "
                                            + percent(SHARE_NEEDED) + " %");
                },
                figures -> pair.ratio(figures).median() >= LEAST_GAIN);
    }

    /**
     * The most of a message's time that can be synchronous writes: one for what is sent and one for each receipt, none
     * of them shared with another message or done meanwhile.
     */
    private static double delayShare(Run run, Workload workload) {
        double writes = (1 + (double) run.expected() / run.sent()) / workload.msgpertxn();
        return Math.min(1, writes * run.disk().syncMs() * run.sentRate() / 1000);
    }

    private static String percent(double share) {
        return TextTable.number(100 * share, 0);
    }

    private static String sync(Figures figures, PersistenceStore store, String workload) {
        return figures.spread(store, workload, run -> run.disk().syncMs()).text(3);
    }

    private static Claim<Figures> par(String workload) {
        Pair pair = new Pair(KAHADB_MEMORY, NON_PERSISTENT, workload, JUDGED_FROM);
        return Claim.of(
                SOURCE,
                "on storage without delay persistent delivery is on a par with non-persistent (" + workload + ")",
                "on a par",
                figures -> pair.measured(
                        figures, "on a par is from " + PAR + "; what is missing is the store's own work; "),
                figures -> pair.ratio(figures).median() >= PAR);
    }

    private static Measured most(Figures figures) {
        return figures.runs().stream()
                .filter(run -> run.store().equals(KAHADB_MEMORY.toString()))
                .max(Comparator.comparingDouble(Run::rate))
                .map(run -> new Measured(
                        TextTable.number(run.rate(), 0) + " messages/s (" + run.workload() + ")",
                        run.rate() / MOST_PUBLISHED,
                        "",
                        List.of("a figure of other hardware")))
                .orElseGet(() -> Measured.nothing(KAHADB_MEMORY.toString()));
    }
}
