// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import static io.flexpool.benchmarks.persistence.PersistenceStore.JDBC_POOLED;
import static io.flexpool.benchmarks.persistence.PersistenceStore.JDBC_POOLED_WRAPPED;
import static io.flexpool.benchmarks.persistence.PersistenceStore.KAHADB_DISK;
import static io.flexpool.benchmarks.persistence.PersistenceStore.KAHADB_MEMORY;
import static io.flexpool.benchmarks.persistence.PersistenceStore.NON_PERSISTENT;

import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.messaging.Spread;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What was said of flash storage under a broker in 2015, and what flexpool aims at, beside what was measured. */
final class PersistenceFindings {
    /** Rates of fewer messages are those of the compiler and of chance. */
    static final int JUDGED_FROM = 2_000;

    private static final String SOURCE = "white paper on flash storage, 2015";
    private static final String GOAL = "flexpool's goal";
    private static final double LEAST_OF_BARE = 0.97;
    private static final double LEAST_GAIN = 2.25;
    private static final double PAR = 0.9;
    private static final int MOST_PUBLISHED = 45_000;

    private final PersistencePlan plan;
    private final PersistenceFigures figures;

    PersistenceFindings(PersistencePlan plan, List<FanRun> runs) {
        this.plan = plan;
        this.figures = new PersistenceFigures(runs);
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        List<String> names = plan.workloads().stream().map(Workload::name).toList();
        names.forEach(name -> gain(name).ifPresent(findings::add));
        names.forEach(name -> par(name).ifPresent(findings::add));
        most().ifPresent(findings::add);
        names.forEach(name -> wrapped(name).ifPresent(findings::add));
        nothingLost().ifPresent(findings::add);
        return findings;
    }

    private Optional<Finding> gain(String workload) {
        Spread ratio = figures.ratio(KAHADB_MEMORY, KAHADB_DISK, workload);
        return ratio.known()
                ? Optional.of(new Finding(
                        "without the storage's delay persistent throughput rises by 125 to 265 % (" + workload + ")",
                        SOURCE,
                        "2.25 to 3.65 times",
                        rates(KAHADB_MEMORY, KAHADB_DISK, workload),
                        ratio.median(),
                        judged(workload, ratio.median() >= LEAST_GAIN),
                        evidence(
                                workload,
                                "over the rounds " + ratio.range(2) + "; a synchronous write of 1 kB takes "
                                        + sync(KAHADB_DISK, workload) + " ms on the disk and "
                                        + sync(KAHADB_MEMORY, workload)
                                        + " ms on memory: the gain is no larger than what the disk's delay is of a"
                                        + " message's time")))
                : Optional.empty();
    }

    private Optional<Finding> par(String workload) {
        Spread ratio = figures.ratio(KAHADB_MEMORY, NON_PERSISTENT, workload);
        return ratio.known()
                ? Optional.of(new Finding(
                        "on storage without delay persistent delivery is on a par with non-persistent (" + workload
                                + ")",
                        SOURCE,
                        "on a par",
                        rates(KAHADB_MEMORY, NON_PERSISTENT, workload),
                        ratio.median(),
                        judged(workload, ratio.median() >= PAR),
                        evidence(
                                workload,
                                "over the rounds " + ratio.range(2) + "; on a par is from " + PAR
                                        + "; what is missing is the store's own work")))
                : Optional.empty();
    }

    private Optional<Finding> most() {
        return figures.all().stream()
                .filter(run -> run.store().equals(KAHADB_MEMORY.toString()))
                .max(Comparator.comparingDouble(FanRun::rate))
                .map(run -> new Finding(
                        "persistent throughput of up to 45,000 messages/s",
                        SOURCE,
                        "45,000 messages/s",
                        TextTable.number(run.rate(), 0) + " messages/s (" + run.workload() + ")",
                        run.rate() / MOST_PUBLISHED,
                        Verdict.CANNOT_BE_JUDGED,
                        "a figure of other hardware"));
    }

    private Optional<Finding> wrapped(String workload) {
        Spread ratio = figures.ratio(JDBC_POOLED_WRAPPED, JDBC_POOLED, workload);
        if (!ratio.known()) {
            return Optional.empty();
        }
        Verdict verdict = ratio.median() >= LEAST_OF_BARE ? Verdict.GOAL_MET : Verdict.GOAL_MISSED;
        return Optional.of(new Finding(
                JDBC_POOLED_WRAPPED + " moves at least " + LEAST_OF_BARE + " of the messages of " + JDBC_POOLED + " ("
                        + workload + ")",
                GOAL,
                null,
                rates(JDBC_POOLED_WRAPPED, JDBC_POOLED, workload),
                ratio.median(),
                tooFew(workload) ? Verdict.CANNOT_BE_JUDGED : verdict,
                evidence(workload, "median of the ratios of each round; over the rounds " + ratio.range(3))));
    }

    private Optional<Finding> nothingLost() {
        List<FanRun> runs = figures.all();
        if (runs.isEmpty()) {
            return Optional.empty();
        }
        long lost = runs.stream().mapToLong(FanRun::lost).sum();
        long doubled = runs.stream().mapToLong(FanRun::doubled).sum();
        return Optional.of(new Finding(
                "no message is lost or doubled",
                GOAL,
                null,
                lost + " lost, " + doubled + " doubled",
                null,
                lost == 0 && doubled == 0 ? Verdict.GOAL_MET : Verdict.GOAL_MISSED,
                runs.stream().mapToLong(FanRun::expected).sum()
                        + " messages, each with its number, counted at each receiver"));
    }

    private String rates(PersistenceStore store, PersistenceStore to, String workload) {
        return figures.spread(store, workload, FanRun::rate).text(1) + " / "
                + figures.spread(to, workload, FanRun::rate).text(1) + " messages/s";
    }

    private String sync(PersistenceStore store, String workload) {
        return figures.spread(store, workload, run -> run.disk().syncMs()).text(3);
    }

    private boolean tooFew(String workload) {
        return figures.all().stream().anyMatch(run -> run.workload().equals(workload) && run.sent() < JUDGED_FROM);
    }

    private Verdict judged(String workload, boolean holds) {
        if (tooFew(workload)) {
            return Verdict.CANNOT_BE_JUDGED;
        }
        return holds ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED;
    }

    private String evidence(String workload, String evidence) {
        return tooFew(workload)
                ? "fewer than " + JUDGED_FROM + " messages were sent, that is too few; " + evidence
                : evidence;
    }
}
