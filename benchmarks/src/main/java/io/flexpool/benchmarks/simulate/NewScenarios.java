// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.simulate.Scenario.Burst;
import io.flexpool.benchmarks.simulate.Scenario.Mix;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import java.util.ArrayList;
import java.util.List;

/**
 * Scenarios of the kinds in which a controller that does well in the published ones can still fail: requests that do not
 * wait long, leases that are long beside that, long jobs beside short requests, several instances on one database,
 * bursts that come again and again.
 */
public final class NewScenarios {
    private static final int BASE = 5;
    private static final int CEILING = 40;
    private static final double SECONDS = 180;
    private static final double MINUTE = 60;
    private static final double SHORT_TIMEOUT_SECONDS = 0.1;
    private static final double LONG_LEASE_SECONDS = 0.680;
    private static final int JOBS = 8;
    private static final double JOB_SECONDS = 20;
    /** 1.5 ms and 2 s where the usual work is 20 ms. */
    private static final Mix MIX = new Mix(0.01, 0.075, 100);

    private static final double SHARED_SECONDS = 240;
    private static final double BURST_SECONDS = 10;
    private static final int BURSTS = 5;

    /** All of them, on the curve of the published figures. */
    public static final List<Scenario> ALL = on(Usl.DEFAULT);

    private NewScenarios() {}

    /**
     * All of them, on a curve. The load keeps its ratio to the curve's peak; size and ceiling are the same.
     *
     * @param curve the database
     */
    public static List<Scenario> on(Usl curve) {
        double scale = curve.peakRate() / Usl.DEFAULT.peakRate();
        return List.of(
                shortTimeout(curve, scale),
                shortTimeoutOfASlowDatabase(curve, scale),
                longLeases(curve, scale),
                nightBatch(curve, scale),
                mixedWork(curve, scale),
                shared("two-instances", curve, scale).withInstances(2 * BASE, 2),
                shared("four-instances", curve, scale).withInstances(4 * BASE, 4),
                minuteBursts(curve, scale));
    }

    private static Scenario of(String name, Usl curve, double seconds, List<Burst> bursts, Phase... phases) {
        return new Scenario(name, curve, BASE, CEILING, seconds, List.of(phases), bursts, List.of());
    }

    /** Leases of 220 ms, later of 660 ms, that contend with little: they are mostly a long way. */
    private static Scenario shortTimeout(Usl curve, double scale) {
        double rate = 40 * scale;
        return of(
                        "short-timeout",
                        curve,
                        SECONDS,
                        List.of(),
                        new Phase(0, rate, 1, 10, 0, true),
                        new Phase(MINUTE, rate, 1, 32, 0, true))
                .withTimeout(SHORT_TIMEOUT_SECONDS);
    }

    private static Scenario shortTimeoutOfASlowDatabase(Usl curve, double scale) {
        double rate = 80 * scale;
        return of(
                        "short-timeout-slow",
                        curve,
                        SECONDS,
                        List.of(),
                        Phase.load(0, rate),
                        new Phase(MINUTE, rate, 3, 0, 0, true),
                        Phase.load(2 * MINUTE, rate))
                .withTimeout(SHORT_TIMEOUT_SECONDS);
    }

    /** Leases of 700 ms with a timeout of 1 s. */
    private static Scenario longLeases(Usl curve, double scale) {
        return of(
                "long-leases",
                curve,
                SECONDS,
                List.of(),
                new Phase(0, 5 * scale, 1, 0, LONG_LEASE_SECONDS, true),
                new Phase(MINUTE, 25 * scale, 1, 0, LONG_LEASE_SECONDS, true),
                new Phase(2 * MINUTE, 5 * scale, 1, 0, LONG_LEASE_SECONDS, true));
    }

    private static Scenario nightBatch(Usl curve, double scale) {
        return of(
                "night-batch",
                curve,
                SECONDS,
                List.of(new Burst(MINUTE, JOBS, JOB_SECONDS)),
                Phase.load(0, 50 * scale));
    }

    private static Scenario mixedWork(Usl curve, double scale) {
        return of(
                        "mixed-work",
                        curve,
                        SECONDS,
                        List.of(),
                        Phase.load(0, 100 * scale),
                        Phase.load(MINUTE, 200 * scale),
                        Phase.load(2 * MINUTE, 100 * scale))
                .withMix(MIX);
    }

    /** A minute of more than the database can do, and two minutes to get over it. */
    private static Scenario shared(String name, Usl curve, double scale) {
        return of(
                name,
                curve,
                SHARED_SECONDS,
                List.of(),
                Phase.load(0, 120 * scale),
                Phase.load(MINUTE, 400 * scale),
                Phase.load(2 * MINUTE, 120 * scale));
    }

    private static Scenario minuteBursts(Usl curve, double scale) {
        List<Phase> phases = new ArrayList<>(List.of(Phase.load(0, 50 * scale)));
        for (int burst = 0; burst < BURSTS; burst++) {
            double begins = MINUTE / 2 + burst * MINUTE;
            phases.add(Phase.load(begins, 250 * scale));
            phases.add(Phase.load(begins + BURST_SECONDS, 50 * scale));
        }
        return of("minute-bursts", curve, BURSTS * MINUTE, List.of(), phases.toArray(Phase[]::new));
    }
}
