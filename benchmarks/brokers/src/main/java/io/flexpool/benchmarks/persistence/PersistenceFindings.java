// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import static io.flexpool.benchmarks.persistence.PersistenceStore.JDBC_POOLED;
import static io.flexpool.benchmarks.persistence.PersistenceStore.JDBC_POOLED_WRAPPED;
import static io.flexpool.benchmarks.persistence.PersistenceStore.KAHADB_DISK;
import static io.flexpool.benchmarks.persistence.PersistenceStore.KAHADB_MEMORY;
import static io.flexpool.benchmarks.persistence.PersistenceStore.NON_PERSISTENT;

import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.messaging.Doubts;
import io.flexpool.benchmarks.messaging.Failure;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What was said of flash storage under a broker in 2015, and what flexpool aims at, beside what was measured. */
final class PersistenceFindings {
    /** Rates of fewer messages are those of the compiler and of chance. */
    static final int JUDGED_FROM = 2_000;
    /** Of fewer rounds a difference of some percent is chance. */
    static final int ROUNDS = 3;

    private static final String SOURCE = "white paper on flash storage, 2015";
    private static final String GOAL = "flexpool's goal";
    private static final double LEAST_OF_BARE = 0.97;
    private static final double LEAST_GAIN = 2.25;
    /** To be so much faster without it, a broker must spend so much of its time waiting for the disk. */
    private static final double SHARE_NEEDED = 1 - 1 / LEAST_GAIN;

    private static final double PAR = 0.9;
    private static final int MOST_PUBLISHED = 45_000;

    private final PersistencePlan plan;
    private final PersistenceFigures figures;
    private final List<Failure> failures;

    PersistenceFindings(PersistencePlan plan, List<FanRun> runs, List<Failure> failures) {
        this.plan = plan;
        this.figures = new PersistenceFigures(runs);
        this.failures = failures;
    }

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        plan.workloads().forEach(workload -> findings.add(gain(workload)));
        plan.workloads().forEach(workload -> findings.add(par(workload.name())));
        findings.add(most());
        plan.workloads().forEach(workload -> findings.add(wrapped(workload.name())));
        findings.add(exactlyOnce());
        return findings;
    }

    private Finding gain(Workload workload) {
        String name = workload.name();
        String claim = "without the storage's delay persistent throughput rises by 125 to 265 % (" + name + ")";
        String published = "2.25 to 3.65 times";
        Spread ratio = figures.ratio(KAHADB_MEMORY, KAHADB_DISK, name);
        if (!ratio.known()) {
            return unmeasured(claim, SOURCE, published, KAHADB_MEMORY, KAHADB_DISK);
        }
        boolean holds = ratio.median() >= LEAST_GAIN;
        double share = figures.spread(KAHADB_DISK, name, run -> delayShare(run, workload))
                .median();
        return doubts(name, KAHADB_MEMORY, KAHADB_DISK)
                .when(
                        !holds && share < SHARE_NEEDED,
                        "this disk has too little delay to remove: synchronous writes take at most " + percent(share)
                                + " % of a message's time, the gain needs " + percent(SHARE_NEEDED) + " %")
                .judged(new Finding(
                        claim,
                        SOURCE,
                        published,
                        rates(KAHADB_MEMORY, KAHADB_DISK, name),
                        ratio.median(),
                        verdict(holds),
                        "over the rounds " + ratio.range(2) + "; a synchronous write of 1 kB takes "
                                + sync(KAHADB_DISK, name) + " ms on the disk and " + sync(KAHADB_MEMORY, name)
                                + " ms on memory"));
    }

    /**
     * The most of a message's time that can be synchronous writes: one for what is sent and one for each receipt, none
     * of them shared with another message or done meanwhile.
     */
    private static double delayShare(FanRun run, Workload workload) {
        double writes = (1 + (double) run.expected() / run.sent()) / workload.msgpertxn();
        return Math.min(1, writes * run.disk().syncMs() * run.sentRate() / 1000);
    }

    private static String percent(double share) {
        return TextTable.number(100 * share, 0);
    }

    private Finding par(String workload) {
        String claim =
                "on storage without delay persistent delivery is on a par with non-persistent (" + workload + ")";
        Spread ratio = figures.ratio(KAHADB_MEMORY, NON_PERSISTENT, workload);
        if (!ratio.known()) {
            return unmeasured(claim, SOURCE, "on a par", KAHADB_MEMORY, NON_PERSISTENT);
        }
        return doubts(workload, KAHADB_MEMORY, NON_PERSISTENT)
                .judged(new Finding(
                        claim,
                        SOURCE,
                        "on a par",
                        rates(KAHADB_MEMORY, NON_PERSISTENT, workload),
                        ratio.median(),
                        verdict(ratio.median() >= PAR),
                        "over the rounds " + ratio.range(2) + "; on a par is from " + PAR
                                + "; what is missing is the store's own work"));
    }

    private Finding most() {
        String claim = "persistent throughput of up to 45,000 messages/s";
        String published = "45,000 messages/s";
        return figures.all().stream()
                .filter(run -> run.store().equals(KAHADB_MEMORY.toString()))
                .max(Comparator.comparingDouble(FanRun::rate))
                .map(run -> new Finding(
                        claim,
                        SOURCE,
                        published,
                        TextTable.number(run.rate(), 0) + " messages/s (" + run.workload() + ")",
                        run.rate() / MOST_PUBLISHED,
                        Verdict.CANNOT_BE_JUDGED,
                        "a figure of other hardware"))
                .orElseGet(() -> unmeasured(claim, SOURCE, published, KAHADB_MEMORY));
    }

    private Finding wrapped(String workload) {
        String claim = JDBC_POOLED_WRAPPED + " moves at least " + LEAST_OF_BARE + " of the messages of " + JDBC_POOLED
                + " (" + workload + ")";
        Spread ratio = figures.ratio(JDBC_POOLED_WRAPPED, JDBC_POOLED, workload);
        if (!ratio.known()) {
            return unmeasured(claim, GOAL, null, JDBC_POOLED_WRAPPED, JDBC_POOLED);
        }
        return doubts(workload, JDBC_POOLED_WRAPPED, JDBC_POOLED)
                .when(partOfTheScenario(workload), "only some shapes were run: a run again is of all of them")
                .when(
                        ratio.count() < ROUNDS,
                        ratio.count() + " round(s) with both are too few, " + ROUNDS + " are needed")
                .judged(new Finding(
                        claim,
                        GOAL,
                        null,
                        rates(JDBC_POOLED_WRAPPED, JDBC_POOLED, workload),
                        ratio.median(),
                        ratio.median() >= LEAST_OF_BARE ? Verdict.GOAL_MET : Verdict.GOAL_MISSED,
                        "median of the ratios of each round, in which the two come one after the other; over the"
                                + " rounds " + ratio.range(3) + "; " + JDBC_POOLED + " by itself "
                                + figures.spread(JDBC_POOLED, workload, FanRun::rate)
                                        .range(1)
                                + " messages/s"));
    }

    /** Repeating only what was missed would give that two chances and everything else one. */
    private boolean partOfTheScenario(String workload) {
        List<String> shapes = Stream.of(Shape.values()).map(Shape::toString).toList();
        return shapes.contains(workload)
                && !plan.workloads().stream().map(Workload::name).toList().containsAll(shapes);
    }

    private Finding exactlyOnce() {
        List<FanRun> runs = figures.all();
        long lost = runs.stream().mapToLong(FanRun::lost).sum();
        long doubled = runs.stream().mapToLong(FanRun::doubled).sum();
        long left = runs.stream().mapToLong(FanRun::left).sum();
        boolean everywhere = runs.stream().allMatch(FanRun::exactlyOnce);
        return new Doubts()
                .when(everywhere && !failures.isEmpty(), failures.size() + " of the JVMs failed")
                .when(runs.isEmpty(), "no JVM has ended")
                .judged(new Finding(
                        "no message is lost or doubled",
                        GOAL,
                        null,
                        lost + " lost, " + doubled + " doubled, " + left + " left at the broker",
                        null,
                        everywhere ? Verdict.GOAL_MET : Verdict.GOAL_MISSED,
                        runs.stream().mapToLong(FanRun::expected).sum()
                                + " messages, each with its number, counted at each receiver"));
    }

    private static Finding unmeasured(
            String claim, String source, @Nullable String published, PersistenceStore... stores) {
        return new Finding(
                claim,
                source,
                published,
                "-",
                null,
                Verdict.CANNOT_BE_JUDGED,
                "this run did not measure " + String.join(" and ", names(stores)) + " in the same round");
    }

    private static List<String> names(PersistenceStore... stores) {
        return Stream.of(stores).map(PersistenceStore::toString).toList();
    }

    private String rates(PersistenceStore store, PersistenceStore to, String workload) {
        return figures.spread(store, workload, FanRun::rate).text(1) + " / "
                + figures.spread(to, workload, FanRun::rate).text(1) + " messages/s";
    }

    private String sync(PersistenceStore store, String workload) {
        return figures.spread(store, workload, run -> run.disk().syncMs()).text(3);
    }

    private static Verdict verdict(boolean holds) {
        return holds ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED;
    }

    /** What keeps rates of these stores from being judged. */
    private Doubts doubts(String workload, PersistenceStore... stores) {
        List<String> names = names(stores);
        long fewest = figures.all().stream()
                .filter(run -> run.workload().equals(workload) && names.contains(run.store()))
                .mapToLong(FanRun::sent)
                .min()
                .orElse(0);
        long failed = failures.stream()
                .filter(failure -> names.contains(failure.store()))
                .count();
        return new Doubts()
                .when(fewest < JUDGED_FROM, fewest + " messages are too few, " + JUDGED_FROM + " are needed")
                .when(failed > 0, failed + " JVM(s) of these stores failed");
    }
}
