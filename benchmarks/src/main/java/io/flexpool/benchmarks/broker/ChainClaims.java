// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static io.flexpool.benchmarks.broker.BrokerStore.KAHADB;
import static io.flexpool.benchmarks.broker.BrokerStore.POSTGRES_C3P0;
import static io.flexpool.benchmarks.broker.BrokerStore.POSTGRES_PGPOOLING;
import static io.flexpool.benchmarks.broker.BrokerStore.POSTGRES_UNPOOLED;

import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.report.Claim;
import io.flexpool.benchmarks.report.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What was said of brokers and pools in 2016, and what flexpool aims at. */
final class ChainClaims {
    private static final String SOURCE = "comparison of broker stores, 2016";
    private static final String EXPLANATION = "what is known to explain the comparison of broker stores, 2016";
    private static final String READING = "comparison of broker stores, 2016, as this project reads it";

    /** Rates of fewer messages are those of the compiler, of the first checkpoint, of chance. */
    private static final int JUDGED_FROM = 5_000;
    /** In shorter runs the JVM is still compiling for most of the time, and a few percent are what it compiles. */
    private static final int COMPARED_FROM = 20_000;
    /** A gain is reproduced if it is at least this part of the published one. */
    private static final double MOST_OF_IT = 0.75;
    /** Two that are on a par differ by no more. */
    private static final double PAR = 0.1;
    /** An explanation may leave so much open. */
    private static final double ROUGHLY = 0.25;

    private static final int PER_MESSAGE = 4;
    /** The broker's own work now and then takes a connection too. */
    private static final double NOW_AND_THEN = 0.01;

    private static final String SMALL = Chain.name(Chain.SMALL);
    private static final String LARGE = Chain.name(Chain.LARGE);

    private ChainClaims() {}

    static List<Claim<Figures>> of(Plan plan) {
        List<Claim<Figures>> claims = new ArrayList<>(List.of(
                faster(
                        "a broker with c3p0 delivers three times the messages of a broker without a pool",
                        POSTGRES_C3P0,
                        POSTGRES_UNPOOLED),
                faster(
                        "a broker with PGPoolingDataSource delivers three times the messages of a broker without a pool",
                        POSTGRES_PGPOOLING,
                        POSTGRES_UNPOOLED),
                compared(
                        "the choice of the pool makes no difference to a broker",
                        POSTGRES_C3P0,
                        POSTGRES_PGPOOLING,
                        ratio -> Math.abs(ratio - 1) <= PAR),
                faster("KahaDB delivers 50 % more messages than a pooled database", KAHADB, POSTGRES_C3P0),
                tenfold(POSTGRES_C3P0),
                tenfold(POSTGRES_PGPOOLING)));
        for (String workload : plan.names()) {
            claims.add(explanation(
                    "the broker takes exactly 4 connections for each message: 2 stores, 2 acknowledgements",
                    "4",
                    workload,
                    figures -> four(figures.spread(workload, Run::connectionsPerMessage)),
                    figures -> all(figures, workload, Run::connectionsPerMessage, PER_MESSAGE, NOW_AND_THEN)));
            claims.add(explanation(
                    "one at a time, so the pool's size is irrelevant",
                    "1",
                    workload,
                    figures -> most(figures.spread(workload, Run::mostOut), plan.inFlight()),
                    figures -> all(figures, workload, Run::mostOut, 1, 0)));
            claims.add(explanation(
                    "without a pool a message costs 4 times the time of a connect more",
                    null,
                    workload,
                    figures -> new Unpooled(figures, workload).measured(),
                    figures -> Math.abs(new Unpooled(figures, workload).ratio() - 1) <= ROUGHLY));
        }
        claims.addAll(Goals.of(plan, Chain.PUBLISHED, BrokerStore.values(), COMPARED_FROM));
        return claims;
    }

    /** Most of the published gain: what is above 1, because a ratio of 1 is no gain at all. */
    private static Claim<Figures> faster(String claim, BrokerStore store, BrokerStore to) {
        double gain = store.published(Chain.SMALL) / to.published(Chain.SMALL) - 1;
        return compared(claim, store, to, ratio -> ratio - 1 >= MOST_OF_IT * gain);
    }

    private static Claim<Figures> compared(String claim, BrokerStore store, BrokerStore to, DoublePredicate holds) {
        Pair pair = new Pair(store, to, SMALL, JUDGED_FROM);
        return Claim.of(
                SOURCE,
                claim,
                published(store.published(Chain.SMALL), to.published(Chain.SMALL)),
                figures -> pair.measured(figures, ""),
                figures -> holds.test(pair.ratio(figures).median()));
    }

    private static String published(double figure, double to) {
        return figure + " / " + to + " messages/s = " + TextTable.number(figure / to, 2);
    }

    /** A payload ten times as large. */
    private static Claim<Figures> tenfold(BrokerStore store) {
        ToDoubleFunction<Figures> ratio =
                figures -> figures.spread(store, LARGE, Run::rate).median()
                        / figures.spread(store, SMALL, Run::rate).median();
        return Claim.of(
                READING,
                "with " + store + " ten times the payload costs nothing",
                published(store.published(Chain.LARGE), store.published(Chain.SMALL)),
                figures -> {
                    Spread large = figures.spread(store, LARGE, Run::rate);
                    Spread small = figures.spread(store, SMALL, Run::rate);
                    if (!large.known() || !small.known()) {
                        return Measured.nothing(store + " with 1k and with 10k");
                    }
                    return new Pair(store, store, SMALL, JUDGED_FROM)
                            .doubted(
                                    figures,
                                    Measured.of(
                                            large.text(1) + " / " + small.text(1) + " messages/s",
                                            ratio.applyAsDouble(figures),
                                            "10k " + large.range(1) + ", 1k " + small.range(1) + " messages/s"));
                },
                figures -> ratio.applyAsDouble(figures) >= 1 - PAR);
    }

    private static Claim<Figures> explanation(
            String claim,
            @Nullable String published,
            String workload,
            Function<Figures, Measured> measured,
            Predicate<Figures> holds) {
        return Claim.of(EXPLANATION, claim + " (" + workload + ")", published, measured, holds);
    }

    /** Whether a figure is the same in all runs that have it. */
    private static boolean all(
            Figures figures, String workload, ToDoubleFunction<Run> figure, double wanted, double tolerance) {
        Spread spread = figures.spread(workload, figure);
        return Math.abs(spread.least() - wanted) <= tolerance && Math.abs(spread.most() - wanted) <= tolerance;
    }

    private static Measured four(Spread per) {
        return per.known()
                ? Measured.of(
                        per.text(3),
                        per.median() / PER_MESSAGE,
                        "counted at the data source that the broker asks, over all stores in the database: "
                                + per.range(4))
                : Measured.nothing("a store in a database");
    }

    private static Measured most(Spread peak, int inFlight) {
        return peak.known()
                ? Measured.of(
                                TextTable.number(peak.most(), 0),
                                peak.most(),
                                "at least so many connections were active at once, over all stores in the database: "
                                        + peak.range(0) + "; a pool of as many is large enough")
                        .unless(
                                inFlight > 1,
                                "with " + inFlight + " messages on their way sender, forwarder and receiver work at"
                                        + " the same time; --in-flight=1 would show it")
                : Measured.nothing("a store in a database");
    }

    /** What a message costs more without a pool, beside what connecting takes. */
    private record Unpooled(Figures figures, String workload) {
        private Spread millis(BrokerStore store) {
            return figures.spread(store, workload, Run::millisPerMessage);
        }

        private double connects() {
            return PER_MESSAGE
                    * figures.spread(POSTGRES_UNPOOLED, workload, Run::connectionMs)
                            .median();
        }

        private double more() {
            return millis(POSTGRES_UNPOOLED).median() - millis(POSTGRES_C3P0).median();
        }

        double ratio() {
            return more() / connects();
        }

        Measured measured() {
            Pair pair = new Pair(POSTGRES_UNPOOLED, POSTGRES_C3P0, workload, JUDGED_FROM);
            Spread unpooled = millis(POSTGRES_UNPOOLED);
            Spread pooled = millis(POSTGRES_C3P0);
            if (!unpooled.known() || !pooled.known()) {
                return pair.missing();
            }
            return pair.doubted(
                    figures,
                    Measured.of(
                            TextTable.number(more(), 2) + " ms more; 4 connects take " + TextTable.number(connects(), 2)
                                    + " ms",
                            ratio(),
                            "unpooled " + unpooled.text(2) + " ms for each message, c3p0 " + pooled.text(2)
                                    + " ms; below 1 where connects of different messages overlap, above 1 where"
                                    + " starting and ending the server's processes takes from the rest"));
        }
    }
}
