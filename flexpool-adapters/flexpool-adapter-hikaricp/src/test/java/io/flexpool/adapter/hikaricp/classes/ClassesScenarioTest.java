// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.adapter.hikaricp.classes.SideBySide.Load;
import io.flexpool.adapter.hikaricp.classes.SideBySide.Outcome;
import io.flexpool.adapter.tck.database.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Requests of several classes on the same connections: on one bare pool, on two, and on one pool with classes, with and without
 * shedding; in virtual time and on PostgreSQL.
 * <p>
 * The short form: {@code mvn -Pscenarios verify -pl flexpool-adapters/flexpool-adapter-hikaricp -am -Dtest=ClassesScenarioTest
 * -Dsurefire.failIfNoSpecifiedTests=false}. The published figures are of {@code -Dscenario.rounds=3 -Dscenario.seconds=20
 * -Dscenario.warm-up=15}, which also judges the goals of the runs on PostgreSQL.
 */
class ClassesScenarioTest {
    private static final int CONNECTIONS = 20;
    private static final int BATCH_MAX = 8;
    private static final double LEASE_SECONDS = 0.1;
    private static final int BATCH_LEASE_MS = 500;
    private static final int BATCH_THREADS = 40;
    private static final int WAITERS = 1000;
    /** Threads that are there before the first request comes. */
    private static final int THREADS = 200;

    private static final int ROUNDS = Integer.getInteger("scenario.rounds", 1);
    private static final int SECONDS = Integer.getInteger("scenario.seconds", 1);
    private static final int WARM_UP = Integer.getInteger("scenario.warm-up", 1);
    /** Below it no percentile is a figure. */
    private static final int LEAST_SECONDS_OF_A_GOAL = 10;

    /** The goals that the published run on a quiet machine meets. */
    private static final Set<Figure> JUDGED =
            EnumSet.of(Figure.BATCH, Figure.GOODPUT, Figure.HIGH, Figure.RECOVERY, Figure.THROUGHPUT);

    private static final double MAX_LONGER = 1.2;
    private static final double LEAST_OF_BATCH = 0.9;
    private static final Shape SHAPE = new Shape(CONNECTIONS, CONNECTIONS / 2, false);

    @Test
    void inVirtualTimeTheGoalsAreMet() throws InterruptedException {
        Loads loads = new Loads(CONNECTIONS, LEASE_SECONDS, 20, WAITERS, 1);
        for (Experiment experiment : List.of(Experiment.OVERLOAD, Experiment.STORM)) {
            assertThat(experiment.round(Ground.VIRTUAL, loads, SHAPE))
                    .filteredOn(one -> one.variant().startsWith("virtual-classes"))
                    .hasSizeGreaterThanOrEqualTo(4)
                    .allSatisfy(one -> assertThat(one.met()).as("%s", one).isTrue());
        }
    }

    /** The goal of 1.2 times as long is missed, as published: 30 ms instead of none. One pool for all makes them wait far longer. */
    @Test
    void inVirtualTimeAGreedyTenantDelaysTheOthersByLessThanALease() throws InterruptedException {
        List<ClassesResult> results =
                Experiment.TENANTS.round(Ground.VIRTUAL, new Loads(CONNECTIONS, LEASE_SECONDS, 20, WAITERS, 1), SHAPE);
        assertThat(value(results, Figure.OTHERS, "virtual-bare-pool")).isGreaterThan(1000);
        assertThat(value(results, Figure.OTHERS, "virtual-classes")).isLessThan(LEASE_SECONDS * 1000);
        assertThat(value(results, Figure.OTHERS, "virtual-classes-shed")).isLessThan(LEASE_SECONDS * 1000);
    }

    private static double value(List<ClassesResult> results, Figure figure, String variant) {
        return results.stream()
                .filter(one -> one.figure() == figure && one.variant().equals(variant))
                .findFirst()
                .orElseThrow()
                .value();
    }

    @Test
    @Tag("scenario")
    void onPostgresqlEachWayToShareIsMeasured() throws InterruptedException {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        List<ClassesResult> results = new ArrayList<>();
        try (PostgresServer server = PostgresServer.start()) {
            results.addAll(besideBatchWork(server));
            for (Experiment experiment : Experiment.values()) {
                results.addAll(medians(experiment, real(server)));
            }
        }
        results.forEach(one -> System.out.printf(
                Locale.ROOT,
                "%-12s %-13s %-22s %10.3f, goal %.3f%n",
                one.figure(),
                one.figure().requestClass,
                one.variant(),
                one.value(),
                one.goal()));

        assertThat(results).extracting(ClassesResult::figure).contains(Figure.values());
        for (String classes : List.of("classes", "classes-shed")) {
            assertThat(value(results, Figure.EXPIRED, classes))
                    .isLessThan(value(results, Figure.EXPIRED, "bare-pool") / 10);
            assertThat(value(results, Figure.OTHERS, classes)).isLessThan(value(results, Figure.OTHERS, "bare-pool"));
        }
        if (SECONDS >= LEAST_SECONDS_OF_A_GOAL) {
            assertThat(results)
                    .filteredOn(one -> one.variant().startsWith("classes"))
                    .filteredOn(one -> JUDGED.contains(one.figure()))
                    .allSatisfy(one -> assertThat(one.met()).as("%s", one).isTrue());
        }
    }

    private static List<ClassesResult> besideBatchWork(PostgresServer server) throws InterruptedException {
        Map<Sharing, List<Outcome>> outcomes = new EnumMap<>(Sharing.class);
        // Round by round: a change of the machine's speed concerns all alike.
        for (int round = 0; round < ROUNDS; round++) {
            for (Sharing sharing : Sharing.values()) {
                Load load =
                        new Load(WARM_UP, SECONDS, 100, sharing == Sharing.ALONE ? 0 : BATCH_THREADS, BATCH_LEASE_MS);
                try (Sharing.Source source = sharing.open(
                        server.dataSource(),
                        new Shape(CONNECTIONS, BATCH_MAX, false),
                        BATCH_MAX,
                        Duration.ofMinutes(10))) {
                    outcomes.computeIfAbsent(sharing, any -> new ArrayList<>()).add(new SideBySide(load, source).run());
                }
            }
        }
        double alone = median(Objects.requireNonNull(outcomes.get(Sharing.ALONE)), Outcome::waitP99Ms);
        double batch = BATCH_MAX * 1000.0 / BATCH_LEASE_MS;
        List<ClassesResult> results = new ArrayList<>();
        for (Sharing sharing : Sharing.shared()) {
            List<Outcome> its = Objects.requireNonNull(outcomes.get(sharing));
            results.add(new ClassesResult(
                    Figure.WAIT, sharing.toString(), median(its, Outcome::waitP99Ms), MAX_LONGER * alone));
            results.add(new ClassesResult(
                    Figure.BATCH, sharing.toString(), median(its, Outcome::batchPerSecond), LEAST_OF_BATCH * batch));
        }
        return results;
    }

    private static Ground real(PostgresServer server) {
        return (sharing, shape, asks) -> {
            try (Sharing.Source source =
                    sharing.open(server.dataSource(), shape, shape.connections(), Sharing.POOL_TIMEOUT)) {
                // The whole of a storm comes at once.
                boolean storm =
                        asks.stream().mapToDouble(Ask::deadline).distinct().count() > 1;
                return RealPlay.play(source, asks, storm ? WAITERS + THREADS : THREADS);
            }
        };
    }

    /** Of each figure; all rounds have the same figures in the same order. */
    private static List<ClassesResult> medians(Experiment experiment, Ground ground) throws InterruptedException {
        List<List<ClassesResult>> rounds = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            Loads loads = new Loads(CONNECTIONS, LEASE_SECONDS, SECONDS, WAITERS, 1 + round);
            rounds.add(experiment.round(ground, loads, SHAPE));
        }
        List<ClassesResult> medians = new ArrayList<>();
        for (int at = 0; at < rounds.get(0).size(); at++) {
            int place = at;
            ClassesResult first = rounds.get(0).get(at);
            medians.add(new ClassesResult(
                    first.figure(),
                    first.variant(),
                    median(rounds, round -> round.get(place).value()),
                    median(rounds, round -> round.get(place).goal())));
        }
        return medians;
    }

    private static <T> double median(List<T> of, ToDoubleFunction<T> figure) {
        double[] sorted = of.stream().mapToDouble(figure).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
