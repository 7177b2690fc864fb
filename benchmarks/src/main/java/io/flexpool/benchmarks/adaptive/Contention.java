// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.kit.DurablePostgres;
import io.flexpool.benchmarks.kit.Interrupt;
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
    private static final double PROBE_SECONDS = 3;
    private static final double MS = 1e3;
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
     * One competitor's turn, of the static sizes all that were tried.
     *
     * @param scenario its name
     * @param run from 1
     * @param competitor its name
     * @param size connections at the start
     * @param loadPeak what the database could do when the run began, which the load is in shares of, requests a second
     * @param peak what it could do right before this turn: where that differs, the machine was not the same
     * @param failures requests that got no connection in time
     * @param p99Ms 99th percentile of the time from arrival to the end, milliseconds
     * @param meanMs mean of the same, a failure counting 5 s
     */
    public record Turn(
            String scenario,
            int run,
            String competitor,
            int size,
            double loadPeak,
            double peak,
            int failures,
            double p99Ms,
            double meanMs) {}

    /**
     * What came out of one run.
     *
     * @param best the best of the sizes that were tried
     * @param courses one per competitor, in the enum's order; none if a stop was requested
     * @param turns in the order in which they were played
     */
    record Outcome(Best best, List<Course> courses, List<Turn> turns) {}

    /** One competitor alone, with the initial size. */
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
     * @param step is given each time how often the scenario has been played
     */
    Outcome run(int run, long seed, Interrupt stop, IntConsumer step) throws SQLException, InterruptedException {
        double mean = RealScenario.CURVE.serviceSeconds();
        try (PostgresServer server = DurablePostgres.start()) {
            WorkingDatabase.create(server);
            WorkingDatabase work = new WorkingDatabase(mean);
            double loadPeak = work.peak(server, Math.max(LEAST_CALIBRATION_SECONDS, CALIBRATION_SECONDS * pace));
            Scenario whole = scenario.scenario(pace, loadPeak);
            List<Trial> order = trials();
            Collections.shuffle(order, new Random(seed));
            List<Played> played = new ArrayList<>();
            for (Trial trial : order) {
                double peak = work.now(server, Math.max(LEAST_CALIBRATION_SECONDS, PROBE_SECONDS * pace));
                Entry entry = new Entry(whole, trial.size(), gradient2, false);
                List<Course> course =
                        new Race(whole, seed, () -> work, List.of(trial.competitor())).run(server, entry, stop);
                if (course.isEmpty()) {
                    return new Outcome(Best.of(RealScenario.BASE), List.of(), List.of());
                }
                played.add(new Played(trial, peak, course.get(0)));
                step.accept(played.size());
            }
            return outcome(run, loadPeak, played);
        }
    }

    private record Played(Trial trial, double peak, Course course) {}

    private Outcome outcome(int run, double loadPeak, List<Played> played) {
        List<Played> sizes = played.stream()
                .filter(one -> one.trial().competitor() == Competitor.BEST_STATIC)
                .sorted(Comparator.comparingInt(one -> one.trial().size()))
                .toList();
        Played lowest = sizes.stream()
                .min(Comparator.comparingDouble(one -> one.course().meanSeconds()))
                .orElseThrow();
        List<Played> asGood = sizes.stream()
                .filter(one -> one.course().meanSeconds()
                        <= (1 + AS_GOOD) * lowest.course().meanSeconds())
                .toList();
        Played smallest = asGood.get(0);
        List<Course> courses = played.stream()
                .filter(one ->
                        one.trial().equals(smallest.trial()) || one.trial().competitor() != Competitor.BEST_STATIC)
                .map(Played::course)
                .sorted(Comparator.comparing(Course::competitor))
                .toList();
        List<Turn> turns = played.stream()
                .map(one -> new Turn(
                        scenario.toString(),
                        run,
                        one.trial().competitor().toString(),
                        one.trial().size(),
                        loadPeak,
                        one.peak(),
                        one.course().failures(),
                        one.course().p99Ms(),
                        MS * one.course().meanSeconds()))
                .toList();
        return new Outcome(
                new Best(
                        smallest.trial().size(),
                        lowest.trial().size(),
                        asGood.get(asGood.size() - 1).trial().size()),
                courses,
                turns);
    }
}
