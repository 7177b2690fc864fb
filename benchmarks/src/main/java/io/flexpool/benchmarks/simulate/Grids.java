// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import com.netflix.concurrency.limits.limit.AIMDLimit;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The parameters that each contender is tried with, so that each is shown at its best. */
final class Grids {
    /** So rarely that it never happens in a run. */
    private static final int NEVER = 1_000_000;

    private static final int DEFAULT_PROBE = 30;

    private Grids() {}

    static List<Candidate> flexyPool() {
        List<Candidate> grid = new ArrayList<>();
        for (Duration slow : List.of(FlexyPoolRule.ONLY_TIMEOUTS, Duration.ofMillis(500), Duration.ofMillis(100))) {
            grid.add(new Candidate(
                    slow.equals(FlexyPoolRule.ONLY_TIMEOUTS) ? "grows on timeouts only" : "grows after " + words(slow),
                    () -> new FlexyPoolRule(slow)));
        }
        return grid;
    }

    static List<Candidate> incrementAndShrink() {
        List<Candidate> grid = new ArrayList<>();
        for (Duration after : List.of(Duration.ofMillis(10), Duration.ofMillis(100))) {
            for (int step : new int[] {1, 3}) {
                for (Duration calm : List.of(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(20))) {
                    grid.add(new Candidate(
                            "grows after " + words(after) + " by " + step + ", shrinks after " + words(calm),
                            () -> new IncrementAndShrink(after, step, calm)));
                }
            }
        }
        return grid;
    }

    static List<Candidate> aimd() {
        List<Candidate> grid = new ArrayList<>();
        for (int longMs : new int[] {40, 80, 160}) {
            for (double backOff : new double[] {0.9, 0.75, 0.5}) {
                for (Duration window : List.of(NetflixLimit.SHORT_WINDOW, Duration.ofSeconds(1))) {
                    NetflixLimit.Maker maker = (initial, least, most) -> AIMDLimit.newBuilder()
                            .initialLimit(initial)
                            .minLimit(least)
                            .maxLimit(most)
                            .timeout(longMs, TimeUnit.MILLISECONDS)
                            .backoffRatio(backOff)
                            .build();
                    grid.add(netflix(
                            Contender.AIMD, "too long: " + longMs + " ms, backs off to " + backOff, maker, window));
                }
            }
        }
        return grid;
    }

    static List<Candidate> gradient2() {
        List<Candidate> grid = new ArrayList<>();
        for (double tolerance : new double[] {1.5, 2}) {
            for (int queue : new int[] {2, 4}) {
                NetflixLimit.Maker maker = (initial, least, most) -> Gradient2Limit.newBuilder()
                        .initialLimit(initial)
                        .minLimit(least)
                        .maxConcurrency(most)
                        .rttTolerance(tolerance)
                        .queueSize(queue)
                        .build();
                String words = "tolerance " + tolerance + ", queue " + queue;
                grid.add(netflix(Contender.GRADIENT2, words, maker, null));
                grid.add(netflix(Contender.GRADIENT2, words, maker, NetflixLimit.SHORT_WINDOW));
                grid.add(netflix(Contender.GRADIENT2, words, maker, Duration.ofSeconds(1)));
            }
        }
        return grid;
    }

    static List<Candidate> vegas() {
        List<Candidate> grid = new ArrayList<>();
        for (double smoothing : new double[] {1, 0.2}) {
            for (int probe : new int[] {NEVER, DEFAULT_PROBE}) {
                NetflixLimit.Maker maker = (initial, least, most) -> VegasLimit.newBuilder()
                        .initialLimit(initial)
                        .maxConcurrency(most)
                        .smoothing(smoothing)
                        .probeMultiplier(probe)
                        .build();
                String words = "smoothing " + smoothing + ", looks anew " + (probe == NEVER ? "never" : "by default");
                grid.add(netflix(Contender.VEGAS, words, maker, null));
                grid.add(netflix(Contender.VEGAS, words, maker, NetflixLimit.SHORT_WINDOW));
                grid.add(netflix(Contender.VEGAS, words, maker, Duration.ofSeconds(1)));
            }
        }
        return grid;
    }

    static List<Candidate> littleAndGuard() {
        List<Candidate> grid = new ArrayList<>();
        for (double room : new double[] {1, 2, 3}) {
            for (double guard : new double[] {1.5, 2, 3}) {
                for (double smoothing : new double[] {0.1, 0.5}) {
                    grid.add(new Candidate(
                            "k " + room + ", guard " + guard + ", smoothing " + smoothing,
                            () -> new LittleAndGuard(room, guard, smoothing)));
                }
            }
        }
        return grid;
    }

    private static Candidate netflix(
            Contender contender, String parameters, NetflixLimit.Maker maker, @Nullable Duration window) {
        return new Candidate(
                parameters + (window == null ? ", each lease" : ", windows of " + words(window)),
                () -> new NetflixLimit(contender, maker, window));
    }

    private static String words(Duration time) {
        return time.toMillis() < 1000 ? time.toMillis() + " ms" : time.toSeconds() + " s";
    }

    static List<Candidate> flexpool() {
        return List.of(new Candidate("defaults", FlexPoolController::new));
    }

    static List<Candidate> flexpoolClasses() {
        return List.of(new Candidate("defaults", FlexPoolController::withClasses));
    }
}
