// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static io.flexpool.benchmarks.broker.BrokerStore.KAHADB;
import static io.flexpool.benchmarks.broker.BrokerStore.LARGE_PAYLOAD;
import static io.flexpool.benchmarks.broker.BrokerStore.POSTGRES_C3P0;
import static io.flexpool.benchmarks.broker.BrokerStore.POSTGRES_PGPOOLING;
import static io.flexpool.benchmarks.broker.BrokerStore.POSTGRES_UNPOOLED;
import static io.flexpool.benchmarks.broker.BrokerStore.SMALL_PAYLOAD;

import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.messaging.Spread;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What was said of brokers and pools in 2016, and what flexpool aims at, beside what was measured. */
final class BrokerFindings {
    /** Rates of fewer messages are those of the compiler, of the first checkpoint, of chance. */
    static final int JUDGED_FROM = 5_000;

    private static final String SOURCE = "comparison of broker stores, 2016";
    private static final String GOAL = "flexpool's goal";
    private static final double LEAST_OF_BARE = 0.97;
    /** A ratio is reproduced if it is at least this part of the published one. */
    private static final double MOST_OF_IT = 0.75;
    /** Two that are on a par differ by no more. */
    private static final double PAR = 0.1;

    private static final int PER_MESSAGE = 4;
    /** The broker's own work now and then takes a connection too. */
    private static final double NOW_AND_THEN = 0.01;

    private final BrokerPlan plan;
    private final BrokerFigures figures;

    BrokerFindings(BrokerPlan plan, List<ChainRun> runs) {
        this.plan = plan;
        this.figures = new BrokerFigures(runs);
    }

    /** A claim that one store is faster than another, or as fast. */
    private record Compared(String claim, BrokerStore store, BrokerStore to, int payload, DoublePredicate holds) {}

    List<Finding> all() {
        List<Finding> findings = new ArrayList<>();
        compared().forEach(compared -> add(findings, ratio(compared)));
        add(findings, payload(POSTGRES_C3P0));
        add(findings, payload(POSTGRES_PGPOOLING));
        for (int payload : plan.payloads()) {
            add(findings, connections(payload));
            add(findings, oneAtATime(payload));
            add(findings, explained(payload));
        }
        for (int payload : plan.payloads()) {
            plan.stores()
                    .forEach(store -> store.bare().ifPresent(bare -> add(findings, wrapped(store, bare, payload))));
        }
        add(findings, exactlyOnce());
        return findings;
    }

    private static void add(List<Finding> findings, @Nullable Finding finding) {
        if (finding != null) {
            findings.add(finding);
        }
    }

    private static List<Compared> compared() {
        return List.of(
                new Compared(
                        "a broker with c3p0 moves three times the messages of one that connects each time",
                        POSTGRES_C3P0,
                        POSTGRES_UNPOOLED,
                        SMALL_PAYLOAD,
                        atLeastMostOf(POSTGRES_C3P0, POSTGRES_UNPOOLED)),
                new Compared(
                        "a broker with PGPoolingDataSource moves three times the messages of one that connects each"
                                + " time",
                        POSTGRES_PGPOOLING,
                        POSTGRES_UNPOOLED,
                        SMALL_PAYLOAD,
                        atLeastMostOf(POSTGRES_PGPOOLING, POSTGRES_UNPOOLED)),
                new Compared(
                        "which pool makes no difference to a broker",
                        POSTGRES_C3P0,
                        POSTGRES_PGPOOLING,
                        SMALL_PAYLOAD,
                        ratio -> Math.abs(ratio - 1) <= PAR),
                new Compared(
                        "KahaDB moves half as many messages again as a pooled database",
                        KAHADB,
                        POSTGRES_C3P0,
                        SMALL_PAYLOAD,
                        atLeastMostOf(KAHADB, POSTGRES_C3P0)));
    }

    private static DoublePredicate atLeastMostOf(BrokerStore store, BrokerStore to) {
        double published = figure(store, SMALL_PAYLOAD) / figure(to, SMALL_PAYLOAD);
        return ratio -> ratio >= MOST_OF_IT * published;
    }

    private static double figure(BrokerStore store, int payload) {
        Double published = store.published(payload);
        return published == null ? Double.NaN : published;
    }

    private @Nullable Finding ratio(Compared claim) {
        Spread ratio = figures.ratio(claim.store(), claim.to(), claim.payload());
        if (!ratio.known()) {
            return null;
        }
        double published = figure(claim.store(), claim.payload()) / figure(claim.to(), claim.payload());
        return new Finding(
                claim.claim() + " (" + PayloadConverter.text(claim.payload()) + ")",
                SOURCE,
                figure(claim.store(), claim.payload()) + " / " + figure(claim.to(), claim.payload()) + " messages/s = "
                        + TextTable.number(published, 2),
                rate(claim.store(), claim.payload()) + " / " + rate(claim.to(), claim.payload()) + " messages/s = "
                        + ratio.text(2),
                ratio.median(),
                judged(claim.holds().test(ratio.median())),
                tooFew("over the rounds " + ratio.range(2) + "; " + cost(claim.store(), claim.payload()) + "; "
                        + cost(claim.to(), claim.payload())));
    }

    /** A payload ten times as large. */
    private @Nullable Finding payload(BrokerStore store) {
        Spread large = figures.spread(store, LARGE_PAYLOAD, ChainRun::rate);
        Spread small = figures.spread(store, SMALL_PAYLOAD, ChainRun::rate);
        if (!large.known() || !small.known()) {
            return null;
        }
        double ratio = large.median() / small.median();
        return new Finding(
                "with " + store + " ten times the payload costs nothing",
                SOURCE,
                figure(store, LARGE_PAYLOAD) + " / " + figure(store, SMALL_PAYLOAD) + " messages/s = "
                        + TextTable.number(figure(store, LARGE_PAYLOAD) / figure(store, SMALL_PAYLOAD), 2),
                large.text(1) + " / " + small.text(1) + " messages/s = " + TextTable.number(ratio, 2),
                ratio,
                judged(ratio >= 1 - PAR),
                tooFew("10k " + large.range(1) + ", 1k " + small.range(1) + " messages/s"));
    }

    private @Nullable Finding connections(int payload) {
        Spread per = overDatabases(payload, ChainRun::connectionsPerMessage);
        if (!per.known()) {
            return null;
        }
        boolean four = Math.abs(per.least() - PER_MESSAGE) <= NOW_AND_THEN
                && Math.abs(per.most() - PER_MESSAGE) <= NOW_AND_THEN;
        return new Finding(
                "the broker takes exactly 4 connections for each message: 2 stores, 2 acknowledgements ("
                        + PayloadConverter.text(payload) + ")",
                SOURCE,
                "4",
                per.text(3),
                per.median() / PER_MESSAGE,
                four ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED,
                "counted at the data source that the broker asks, over all stores in the database: " + per.range(4));
    }

    private @Nullable Finding oneAtATime(int payload) {
        Spread peak = overDatabases(payload, ChainRun::mostOut);
        if (!peak.known()) {
            return null;
        }
        return new Finding(
                "one at a time, so the pool's size is irrelevant (" + PayloadConverter.text(payload) + ")",
                SOURCE,
                "1",
                TextTable.number(peak.most(), 0),
                peak.most(),
                peak.most() <= 1 ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED,
                "the most connections out at once, over all stores in the database: "
                        + peak.range(0)
                        + "; sender, forwarder and receiver of different messages work at the same time,"
                        + " and a pool of as many connections is large enough");
    }

    /** What a message costs more without a pool, beside what connecting takes. */
    private @Nullable Finding explained(int payload) {
        Spread unpooled = figures.spread(POSTGRES_UNPOOLED, payload, ChainRun::millisPerMessage);
        Spread pooled = figures.spread(POSTGRES_C3P0, payload, ChainRun::millisPerMessage);
        if (!unpooled.known() || !pooled.known()) {
            return null;
        }
        double connect = figures.spread(POSTGRES_UNPOOLED, payload, ChainRun::connectionMs)
                .median();
        double more = unpooled.median() - pooled.median();
        double ratio = more / (PER_MESSAGE * connect);
        return new Finding(
                "without a pool a message costs 4 times the time of a connect more (" + PayloadConverter.text(payload)
                        + ")",
                SOURCE,
                null,
                TextTable.number(more, 2) + " ms more; 4 connects take " + TextTable.number(PER_MESSAGE * connect, 2)
                        + " ms",
                ratio,
                judged(Math.abs(ratio - 1) <= 1 - MOST_OF_IT),
                tooFew("unpooled " + unpooled.text(2) + " ms for each message, c3p0 " + pooled.text(2)
                        + " ms, one connect " + TextTable.number(connect, 2)
                        + " ms; below 1 where connects of different messages overlap, above 1 where starting and"
                        + " ending the server's processes takes from the rest"));
    }

    private @Nullable Finding wrapped(BrokerStore store, BrokerStore bare, int payload) {
        Spread ratio = figures.ratio(store, bare, payload);
        if (!ratio.known()) {
            return null;
        }
        Verdict verdict = ratio.median() >= LEAST_OF_BARE ? Verdict.GOAL_MET : Verdict.GOAL_MISSED;
        return new Finding(
                store + " moves at least " + LEAST_OF_BARE + " of the messages of " + bare + " ("
                        + PayloadConverter.text(payload) + ")",
                GOAL,
                null,
                rate(store, payload) + " / " + rate(bare, payload) + " messages/s",
                ratio.median(),
                plan.messages() < JUDGED_FROM ? Verdict.CANNOT_BE_JUDGED : verdict,
                tooFew("median of the ratios of each round; over the rounds " + ratio.range(3) + "; "
                        + cost(store, payload) + "; " + cost(bare, payload)));
    }

    private @Nullable Finding exactlyOnce() {
        List<ChainRun> runs = figures.all();
        if (runs.isEmpty()) {
            return null;
        }
        long lost = runs.stream().mapToLong(ChainRun::lost).sum();
        long doubled = runs.stream().mapToLong(ChainRun::doubled).sum();
        long left = runs.stream().mapToLong(ChainRun::left).sum();
        return new Finding(
                "no message is lost or doubled",
                GOAL,
                null,
                lost + " lost, " + doubled + " doubled, " + left + " left in a queue",
                null,
                runs.stream().allMatch(ChainRun::exactlyOnce) ? Verdict.GOAL_MET : Verdict.GOAL_MISSED,
                runs.stream().mapToLong(ChainRun::messages).sum()
                        + " messages, each with its number, counted where they arrive");
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

    private Verdict judged(boolean holds) {
        if (plan.messages() < JUDGED_FROM) {
            return Verdict.CANNOT_BE_JUDGED;
        }
        return holds ? Verdict.REPRODUCED : Verdict.NOT_REPRODUCED;
    }

    private String tooFew(String evidence) {
        return plan.messages() < JUDGED_FROM
                ? plan.messages() + " messages are too few, " + JUDGED_FROM + " are needed; " + evidence
                : evidence;
    }
}
