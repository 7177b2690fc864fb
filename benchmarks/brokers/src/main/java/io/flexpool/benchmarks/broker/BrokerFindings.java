// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static io.flexpool.benchmarks.broker.BrokerStore.KAHADB;
import static io.flexpool.benchmarks.broker.BrokerStore.LARGE_PAYLOAD;
import static io.flexpool.benchmarks.broker.BrokerStore.POSTGRES_C3P0;
import static io.flexpool.benchmarks.broker.BrokerStore.POSTGRES_PGPOOLING;
import static io.flexpool.benchmarks.broker.BrokerStore.POSTGRES_UNPOOLED;
import static io.flexpool.benchmarks.broker.BrokerStore.SMALL_PAYLOAD;

import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.messaging.Doubts;
import io.flexpool.benchmarks.messaging.Failure;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What was said of brokers and pools in 2016, and what flexpool aims at, beside what was measured. */
final class BrokerFindings {
    /** Rates of fewer messages are those of the compiler, of the first checkpoint, of chance. */
    static final int JUDGED_FROM = 5_000;
    /** In shorter runs the JVM is still compiling for most of the time, and a few percent are what it compiles. */
    static final int COMPARED_FROM = 20_000;
    /** Of fewer rounds a difference of some percent is chance. */
    static final int ROUNDS = 3;

    private static final String SOURCE = "comparison of broker stores, 2016";
    private static final String EXPLANATION = "what is known to explain the comparison of broker stores, 2016";
    private static final String READING = "comparison of broker stores, 2016, as this project reads it";
    private static final String GOAL = "flexpool's goal";
    private static final double LEAST_OF_BARE = 0.97;
    /** A gain is reproduced if it is at least this part of the published one. */
    private static final double MOST_OF_IT = 0.75;
    /** Two that are on a par differ by no more. */
    private static final double PAR = 0.1;
    /** An explanation may leave so much open. */
    private static final double ROUGHLY = 0.25;

    private static final int PER_MESSAGE = 4;
    /** The broker's own work now and then takes a connection too. */
    private static final double NOW_AND_THEN = 0.01;

    private final BrokerPlan plan;
    private final BrokerFigures figures;
    private final List<Failure> failures;

    BrokerFindings(BrokerPlan plan, List<ChainRun> runs, List<Failure> failures) {
        this.plan = plan;
        this.figures = new BrokerFigures(runs);
        this.failures = failures;
    }

    /** A claim that one store is faster than another, or as fast. */
    private record Compared(String claim, BrokerStore store, BrokerStore to, DoublePredicate holds) {}

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        compared().forEach(compared -> findings.add(ratio(compared)));
        findings.add(payload(POSTGRES_C3P0));
        findings.add(payload(POSTGRES_PGPOOLING));
        for (int payload : plan.payloads()) {
            findings.add(connections(payload));
            findings.add(oneAtATime(payload));
            findings.add(explained(payload));
        }
        for (int payload : plan.payloads()) {
            Arrays.stream(BrokerStore.values())
                    .forEach(store -> store.bare().ifPresent(bare -> findings.add(wrapped(store, bare, payload))));
        }
        findings.add(exactlyOnce());
        return findings;
    }

    private static List<Compared> compared() {
        return List.of(
                new Compared(
                        "a broker with c3p0 moves three times the messages of one that connects each time",
                        POSTGRES_C3P0,
                        POSTGRES_UNPOOLED,
                        mostOfTheGain(POSTGRES_C3P0, POSTGRES_UNPOOLED)),
                new Compared(
                        "a broker with PGPoolingDataSource moves three times the messages of one that connects each"
                                + " time",
                        POSTGRES_PGPOOLING,
                        POSTGRES_UNPOOLED,
                        mostOfTheGain(POSTGRES_PGPOOLING, POSTGRES_UNPOOLED)),
                new Compared(
                        "which pool makes no difference to a broker",
                        POSTGRES_C3P0,
                        POSTGRES_PGPOOLING,
                        ratio -> Math.abs(ratio - 1) <= PAR),
                new Compared(
                        "KahaDB moves half as many messages again as a pooled database",
                        KAHADB,
                        POSTGRES_C3P0,
                        mostOfTheGain(KAHADB, POSTGRES_C3P0)));
    }

    /** What is above 1, because a ratio of 1 is no gain at all. */
    private static DoublePredicate mostOfTheGain(BrokerStore store, BrokerStore to) {
        double published = figure(store, SMALL_PAYLOAD) / figure(to, SMALL_PAYLOAD);
        return ratio -> ratio - 1 >= MOST_OF_IT * (published - 1);
    }

    private static double figure(BrokerStore store, int payload) {
        Double published = store.published(payload);
        return published == null ? Double.NaN : published;
    }

    private Finding ratio(Compared claim) {
        Spread ratio = figures.ratio(claim.store(), claim.to(), SMALL_PAYLOAD);
        String published = published(claim.store(), SMALL_PAYLOAD, claim.to(), SMALL_PAYLOAD);
        if (!ratio.known()) {
            return unmeasured(claim.claim(), SOURCE, published, both(claim.store(), claim.to(), SMALL_PAYLOAD));
        }
        return doubts(claim.store(), claim.to())
                .judged(new Finding(
                        claim.claim(),
                        SOURCE,
                        published,
                        rate(claim.store(), SMALL_PAYLOAD) + " / " + rate(claim.to(), SMALL_PAYLOAD) + " messages/s = "
                                + ratio.text(2),
                        ratio.median(),
                        verdict(claim.holds().test(ratio.median())),
                        "over the rounds " + ratio.range(2) + "; " + cost(claim.store(), SMALL_PAYLOAD) + "; "
                                + cost(claim.to(), SMALL_PAYLOAD)));
    }

    private static String published(BrokerStore store, int payload, BrokerStore to, int toPayload) {
        return figure(store, payload) + " / " + figure(to, toPayload) + " messages/s = "
                + TextTable.number(figure(store, payload) / figure(to, toPayload), 2);
    }

    /** A payload ten times as large. */
    private Finding payload(BrokerStore store) {
        String claim = "with " + store + " ten times the payload costs nothing";
        String published = published(store, LARGE_PAYLOAD, store, SMALL_PAYLOAD);
        Spread large = figures.spread(store, LARGE_PAYLOAD, ChainRun::rate);
        Spread small = figures.spread(store, SMALL_PAYLOAD, ChainRun::rate);
        if (!large.known() || !small.known()) {
            return unmeasured(claim, READING, published, store + " with 1k and with 10k");
        }
        double ratio = large.median() / small.median();
        return doubts(store)
                .judged(new Finding(
                        claim,
                        READING,
                        published,
                        large.text(1) + " / " + small.text(1) + " messages/s = " + TextTable.number(ratio, 2),
                        ratio,
                        verdict(ratio >= 1 - PAR),
                        "10k " + large.range(1) + ", 1k " + small.range(1) + " messages/s"));
    }

    private Finding connections(int payload) {
        String claim = "the broker takes exactly 4 connections for each message: 2 stores, 2 acknowledgements ("
                + PayloadConverter.text(payload) + ")";
        Spread per = overDatabases(payload, ChainRun::connectionsPerMessage);
        if (!per.known()) {
            return unmeasured(claim, EXPLANATION, "4", "a store in a database");
        }
        boolean four = Math.abs(per.least() - PER_MESSAGE) <= NOW_AND_THEN
                && Math.abs(per.most() - PER_MESSAGE) <= NOW_AND_THEN;
        return new Finding(
                claim,
                EXPLANATION,
                "4",
                per.text(3),
                per.median() / PER_MESSAGE,
                verdict(four),
                "counted at the data source that the broker asks, over all stores in the database: " + per.range(4));
    }

    private Finding oneAtATime(int payload) {
        String claim = "one at a time, so the pool's size is irrelevant (" + PayloadConverter.text(payload) + ")";
        Spread peak = overDatabases(payload, ChainRun::mostOut);
        if (!peak.known()) {
            return unmeasured(claim, EXPLANATION, "1", "a store in a database");
        }
        return new Doubts()
                .when(
                        plan.inFlight() > 1,
                        "with " + plan.inFlight() + " messages on their way sender, forwarder and receiver work at the"
                                + " same time; --in-flight=1 would show it")
                .judged(new Finding(
                        claim,
                        EXPLANATION,
                        "1",
                        TextTable.number(peak.most(), 0),
                        peak.most(),
                        verdict(peak.most() <= 1),
                        "at least so many connections were active at once, over all stores in the database: "
                                + peak.range(0) + "; a pool of as many is large enough"));
    }

    /** What a message costs more without a pool, beside what connecting takes. */
    private Finding explained(int payload) {
        String claim = "without a pool a message costs 4 times the time of a connect more ("
                + PayloadConverter.text(payload) + ")";
        Spread unpooled = figures.spread(POSTGRES_UNPOOLED, payload, ChainRun::millisPerMessage);
        Spread pooled = figures.spread(POSTGRES_C3P0, payload, ChainRun::millisPerMessage);
        if (!unpooled.known() || !pooled.known()) {
            return unmeasured(claim, EXPLANATION, "-", both(POSTGRES_UNPOOLED, POSTGRES_C3P0, payload));
        }
        double connect = figures.spread(POSTGRES_UNPOOLED, payload, ChainRun::connectionMs)
                .median();
        double more = unpooled.median() - pooled.median();
        double ratio = more / (PER_MESSAGE * connect);
        return doubts(POSTGRES_UNPOOLED, POSTGRES_C3P0)
                .judged(new Finding(
                        claim,
                        EXPLANATION,
                        null,
                        TextTable.number(more, 2) + " ms more; 4 connects take "
                                + TextTable.number(PER_MESSAGE * connect, 2) + " ms",
                        ratio,
                        verdict(Math.abs(ratio - 1) <= ROUGHLY),
                        "unpooled " + unpooled.text(2) + " ms for each message, c3p0 " + pooled.text(2)
                                + " ms, one connect " + TextTable.number(connect, 2)
                                + " ms; below 1 where connects of different messages overlap, above 1 where starting"
                                + " and ending the server's processes takes from the rest"));
    }

    private Finding wrapped(BrokerStore store, BrokerStore bare, int payload) {
        String claim = store + " moves at least " + LEAST_OF_BARE + " of the messages of " + bare + " ("
                + PayloadConverter.text(payload) + ")";
        Spread ratio = figures.ratio(store, bare, payload);
        if (!ratio.known()) {
            return unmeasured(claim, GOAL, null, both(store, bare, payload));
        }
        return doubts(COMPARED_FROM, store, bare)
                .when(partOfTheScenario(payload), "only some payloads were run: a run again is of all of them")
                .when(
                        ratio.count() < ROUNDS,
                        ratio.count() + " round(s) with both are too few, " + ROUNDS + " are needed")
                .judged(new Finding(
                        claim,
                        GOAL,
                        null,
                        rate(store, payload) + " / " + rate(bare, payload) + " messages/s",
                        ratio.median(),
                        ratio.median() >= LEAST_OF_BARE ? Verdict.GOAL_MET : Verdict.GOAL_MISSED,
                        "median of the ratios of each round, in which the two come one after the other; over the"
                                + " rounds " + ratio.range(3) + "; " + bare + " by itself "
                                + figures.spread(bare, payload, ChainRun::rate).range(1) + " messages/s; "
                                + cost(store, payload) + "; " + cost(bare, payload)));
    }

    /** Repeating only what was missed would give that two chances and everything else one. */
    private boolean partOfTheScenario(int payload) {
        return BrokerStore.PAYLOADS.contains(payload) && !plan.payloads().containsAll(BrokerStore.PAYLOADS);
    }

    private Finding exactlyOnce() {
        List<ChainRun> runs = figures.all();
        long lost = runs.stream().mapToLong(ChainRun::lost).sum();
        long doubled = runs.stream().mapToLong(ChainRun::doubled).sum();
        long left = runs.stream().mapToLong(ChainRun::left).sum();
        boolean everywhere = runs.stream().allMatch(ChainRun::exactlyOnce);
        return new Doubts()
                .when(everywhere && !failures.isEmpty(), failures.size() + " of the JVMs failed")
                .when(runs.isEmpty(), "no JVM has ended")
                .judged(new Finding(
                        "no message is lost or doubled",
                        GOAL,
                        null,
                        lost + " lost, " + doubled + " doubled, " + left + " left in a queue",
                        null,
                        everywhere ? Verdict.GOAL_MET : Verdict.GOAL_MISSED,
                        runs.stream().mapToLong(ChainRun::messages).sum()
                                + " messages, each with its number, counted where they arrive"));
    }

    private static Finding unmeasured(String claim, String source, @Nullable String published, String missing) {
        return new Finding(
                claim, source, published, "-", null, Verdict.CANNOT_BE_JUDGED, "this run did not measure " + missing);
    }

    private static String both(BrokerStore store, BrokerStore to, int payload) {
        return "both " + store + " and " + to + " with " + PayloadConverter.text(payload) + " in the same round";
    }

    private Spread overDatabases(int payload, ToDoubleFunction<ChainRun> figure) {
        return Spread.of(figures.all().stream()
                .filter(run -> run.payload() == payload)
                .map(run -> figure.applyAsDouble(run))
                .toList());
    }

    private String rate(BrokerStore store, int payload) {
        return figures.spread(store, payload, ChainRun::rate).text(1);
    }

    /** Why a store is as fast as it is. */
    private String cost(BrokerStore store, int payload) {
        Spread per = figures.spread(store, payload, ChainRun::connectionsPerMessage);
        return per.known()
                ? store + ": " + per.text(2) + " connections for each message, one in "
                        + figures.spread(store, payload, ChainRun::connectionMs).text(3) + " ms"
                : store + ": no connections";
    }

    private static Verdict verdict(boolean holds) {
        return holds ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED;
    }

    /** What keeps rates of these stores from being judged. */
    private Doubts doubts(BrokerStore... stores) {
        return doubts(JUDGED_FROM, stores);
    }

    private Doubts doubts(int judgedFrom, BrokerStore... stores) {
        List<String> names = Stream.of(stores).map(BrokerStore::toString).toList();
        long failed = failures.stream()
                .filter(failure -> names.contains(failure.store()))
                .count();
        return new Doubts()
                .when(
                        plan.messages() < judgedFrom,
                        plan.messages() + " messages are too few, " + judgedFrom + " are needed")
                .when(failed > 0, failed + " JVM(s) of these stores failed");
    }
}
