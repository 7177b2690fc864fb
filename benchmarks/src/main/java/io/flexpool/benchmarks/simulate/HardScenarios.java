// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.simulate.Scenario.Burst;
import io.flexpool.benchmarks.simulate.Scenario.Mix;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import io.flexpool.benchmarks.simulate.Scenario.Speed;
import java.util.ArrayList;
import java.util.List;

/**
 * Scenarios in which the measurement itself is disturbed: a database whose speed varies, long jobs that come back each
 * minute, a pool that starts above the peak of a loaded database, one long request among a hundred short ones, and leases
 * that are long beside the acquisition timeout ({@link #map}).
 */
public final class HardScenarios {
    /** Leases of the map, seconds. */
    static final double[] LEASES = {0.02, 0.1, 0.5, 1, 2, 5, 10, 20};

    /** Acquisition timeouts of the map, seconds. */
    static final double[] TIMEOUTS = {0.05, 0.25, 1, 5, 30};

    private static final int CEILING = 40;
    private static final double SECONDS = 180;
    private static final double MINUTE = 60;
    private static final double SPEED_LASTS_SECONDS = 0.8;
    private static final int REPORTS = 8;
    private static final double REPORT_SECONDS = 8;
    private static final double REPORTS_TIMEOUT_SECONDS = 0.3;
    private static final int MINUTES_OF_REPORTS = 6;
    private static final double MAP_SECONDS = 360;
    private static final double FEW_BUSY = 2.5;
    private static final double MANY_BUSY = 9;
    private static final double NO_WORK_SECONDS = 0.0001;

    /** All but the map. */
    public static final List<Scenario> ALL = all();

    private HardScenarios() {}

    private static List<Scenario> all() {
        double peak = Usl.DEFAULT.peakRate();
        return List.of(
                speed("speed-30", 0.3, 0.8 * peak),
                speed("speed-60-at-60", 0.6, 0.6 * peak),
                speed("speed-60", 0.6, 0.8 * peak),
                speed("speed-85-at-60", 0.85, 0.6 * peak),
                speed("speed-85", 0.85, 0.8 * peak),
                reports(),
                aboveThePeak(),
                rareLongOnes());
    }

    private static Scenario of(String name, Usl curve, int base, double seconds, List<Burst> bursts, Phase... phases) {
        return new Scenario(name, curve, base, CEILING, seconds, List.of(phases), bursts, List.of());
    }

    private static Scenario speed(String name, double spread, double rate) {
        return of(name, Usl.DEFAULT, 3, SECONDS, List.of(), Phase.load(0, rate))
                .withSpeed(new Speed(spread, SPEED_LASTS_SECONDS));
    }

    /** Eight reports of eight seconds each minute, beside short requests on five connections. */
    private static Scenario reports() {
        List<Burst> bursts = new ArrayList<>();
        for (int minute = 1; minute < MINUTES_OF_REPORTS; minute++) {
            bursts.add(new Burst(minute * MINUTE, REPORTS, REPORT_SECONDS));
        }
        return of("recurring-jobs", Usl.DEFAULT, 5, MINUTES_OF_REPORTS * MINUTE, bursts, Phase.load(0, 100))
                .withTimeout(REPORTS_TIMEOUT_SECONDS);
    }

    /** Twenty connections at the start on a database with its peak at seven, at 95 % of its highest rate. */
    private static Scenario aboveThePeak() {
        Usl curve = Usl.withKnee(7, Usl.DEFAULT.sigma(), Usl.DEFAULT.serviceSeconds());
        return of("above-the-peak", curve, 20, SECONDS, List.of(), Phase.load(0, 0.95 * curve.peakRate()));
    }

    /** A hundred leases of 1.5 ms to one of 2 s, at a load that changes. */
    private static Scenario rareLongOnes() {
        double service = Usl.DEFAULT.serviceSeconds();
        return of(
                        "rare-long-ones",
                        Usl.DEFAULT,
                        5,
                        SECONDS,
                        List.of(),
                        Phase.load(0, 100),
                        Phase.load(MINUTE, 220),
                        Phase.load(2 * MINUTE, 100))
                .withMix(new Mix(0.01, 0.0015 / service, 2 / service));
    }

    /**
     * A load that grows from 2.5 to 9 busy connections, with leases that are spent outside of the database: a larger pool
     * always helps, and with five connections 37 to 46 % of the requests fail.
     *
     * @param leaseSeconds how long a lease lasts on average, seconds
     * @param timeoutSeconds how long a request waits, seconds
     */
    public static Scenario map(double leaseSeconds, double timeoutSeconds) {
        return map(leaseSeconds, timeoutSeconds, 5, CEILING);
    }

    /** The same with another size at the start and another ceiling. */
    static Scenario map(double leaseSeconds, double timeoutSeconds, int base, int ceiling) {
        Usl curve = new Usl(0, 1e-9, NO_WORK_SECONDS);
        double away = leaseSeconds / NO_WORK_SECONDS - 1;
        List<Phase> phases = List.of(
                new Phase(0, FEW_BUSY / leaseSeconds, 1, away, 0, true),
                new Phase(MINUTE, MANY_BUSY / leaseSeconds, 1, away, 0, true));
        String name = "map-" + leaseSeconds + "-" + timeoutSeconds;
        return new Scenario(name, curve, base, ceiling, MAP_SECONDS, phases, List.of(), List.of())
                .withTimeout(timeoutSeconds);
    }
}
