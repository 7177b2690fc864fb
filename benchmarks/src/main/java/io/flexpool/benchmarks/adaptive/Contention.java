// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.adapter.tck.PostgresServer;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.messaging.DurablePostgres;
import io.flexpool.benchmarks.simulate.Candidate;
import io.flexpool.benchmarks.simulate.Pilot.Best;
import io.flexpool.benchmarks.simulate.Scenario;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;

/**
 * A scenario whose requests really work. They would be in each other's way if all competitors ran at the same time, so
 * each has the database for itself, one after the other, with the same requests. No curve says what the best static size
 * is: some are tried.
 */
final class Contention {
    private static final List<Integer> SIZES = List.of(2, 3, 4, 6, 8, 12, 20, 40);
    private static final List<Integer> FEW_SIZES = List.of(2, 8);
    /** So much longer than the lowest mean time is as good: as in simulation. */
    private static final double AS_GOOD = 0.03;

    private static final double CALIBRATION_SECONDS = 5;
    private static final double LEAST_CALIBRATION_SECONDS = 0.3;

    private final RealScenario scenario;
    private final double pace;
    private final Candidate gradient2;

    /** One that contends. */
    Contention(RealScenario scenario, double pace, Candidate gradient2) {
        this.scenario = scenario;
        this.pace = pace;
        this.gradient2 = gradient2;
    }

    /**
     * A static size that was tried.
     *
     * @param scenario its name
     * @param run from 1
     * @param peak what the database can do, as measured before this run, requests a second
     * @param size connections
     * @param failures requests that got no connection in time
     * @param p99Ms 99th percentile of the time from arrival to the end, milliseconds
     * @param meanMs mean of the same, a failure counting 5 s
     */
    public record Tried(String scenario, int run, double peak, int size, int failures, double p99Ms, double meanMs) {}

    /**
     * What came out of one run.
     *
     * @param best the best of the sizes that were tried
     * @param courses one per competitor, in the enum's order; none if somebody asked to stop
     */
    record Outcome(Best best, List<Course> courses, List<Tried> tried) {}

    /** One competitor by itself, with the size at the start. */
    private record Trial(Competitor competitor, int size) {}

    private List<Trial> trials() {
        List<Trial> trials = new ArrayList<>();
        for (int size : pace == 1 ? SIZES : FEW_SIZES) {
            trials.add(new Trial(Competitor.BEST_STATIC, size));
        }
        for (Competitor competitor : Competitor.values()) {
            if (competitor != Competitor.BEST_STATIC) {
                trials.add(new Trial(competitor, RealScenario.BASE));
            }
        }
        return trials;
    }

    /** How often the scenario is played in one run. */
    int plays() {
        return trials().size();
    }

    /**
     * Plays one run.
     *
     * @param run from 1
     * @param seed of the requests, and of the order
     * @param played is given each time how often the scenario has been played
     */
    Outcome run(int run, long seed, Interrupt stop, IntConsumer played) throws SQLException, InterruptedException {
        double mean = RealScenario.CURVE.serviceSeconds();
        try (PostgresServer server = DurablePostgres.start()) {
            WorkingDatabase.create(server);
            WorkingDatabase work = new WorkingDatabase(mean);
            double peak = work.peak(server, Math.max(LEAST_CALIBRATION_SECONDS, CALIBRATION_SECONDS * pace));
            Scenario whole = scenario.scenario(pace, peak);
            List<Trial> order = trials();
            Collections.shuffle(order, new Random(seed));
            List<Course> others = new ArrayList<>();
            List<Sized> sizes = new ArrayList<>();
            for (Trial trial : order) {
                Entry entry = new Entry(RealScenario.BASE, RealScenario.CEILING, trial.size(), gradient2);
                List<Course> course =
                        new Race(whole, seed, () -> work, List.of(trial.competitor())).run(server, entry, stop);
                if (course.isEmpty()) {
                    return new Outcome(new Best(RealScenario.BASE, RealScenario.BASE), List.of(), List.of());
                }
                if (trial.competitor() == Competitor.BEST_STATIC) {
                    sizes.add(new Sized(trial.size(), course.get(0)));
                } else {
                    others.add(course.get(0));
                }
                played.accept(others.size() + sizes.size());
            }
            return outcome(run, peak, sizes, others);
        }
    }

    private record Sized(int size, Course course) {}

    private Outcome outcome(int run, double peak, List<Sized> sizes, List<Course> others) {
        sizes.sort(Comparator.comparingInt(Sized::size));
        Sized lowest = sizes.stream()
                .min(Comparator.comparingDouble(one -> one.course().meanSeconds()))
                .orElseThrow();
        Sized smallest = sizes.stream()
                .filter(one -> one.course().meanSeconds()
                        <= (1 + AS_GOOD) * lowest.course().meanSeconds())
                .findFirst()
                .orElseThrow();
        List<Course> courses = new ArrayList<>(others);
        courses.add(smallest.course());
        courses.sort(Comparator.comparing(Course::competitor));
        List<Tried> tried = sizes.stream()
                .map(one -> new Tried(
                        scenario.toString(),
                        run,
                        peak,
                        one.size(),
                        one.course().failures(),
                        one.course().p99Ms(),
                        1e3 * one.course().meanSeconds()))
                .toList();
        return new Outcome(new Best(smallest.size(), lowest.size()), courses, tried);
    }
}
