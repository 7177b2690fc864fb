// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.simulate.Scenario.Burst;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import java.util.List;
import java.util.stream.DoubleStream;

/** The eleven scenarios of the published table. */
public final class Scenarios {
    private static final int BASE = 5;
    private static final int CEILING = 40;
    private static final double SECONDS = 180;
    private static final int LEAKS = 12;
    private static final double BETWEEN_LEAKS = 5;

    /** All of them, on the curve of the published figures. */
    public static final List<Scenario> ALL = on(Usl.DEFAULT);

    private Scenarios() {}

    /**
     * All of them, on a curve. The load keeps its ratio to the curve's peak; size and ceiling are the same.
     *
     * @param curve the database
     */
    public static List<Scenario> on(Usl curve) {
        double scale = curve.peakRate() / Usl.DEFAULT.peakRate();
        return List.of(
                of("steady", curve, BASE, Phase.load(0, 120 * scale)),
                of("step", curve, BASE, Phase.load(0, 50 * scale), Phase.load(60, 250 * scale)),
                of("step-down", curve, 12, Phase.load(0, 250 * scale), Phase.load(60, 50 * scale)),
                burst(curve, scale),
                between("slow-x10", curve, new Phase(60, 100 * scale, 10, 0, 0, true), 30),
                between("slow-x3", curve, new Phase(60, 80 * scale, 3, 0, 0, true), 60),
                between("latency", curve, new Phase(60, 70 * scale, 1, 9, 0, true), 60),
                overload(curve, scale),
                leak(curve, scale),
                between("outage", curve, new Phase(60, 100 * scale, 1, 0, 0, false), 20),
                think(curve, scale));
    }

    private static Scenario of(String name, Usl curve, int base, Phase... phases) {
        return new Scenario(name, curve, base, CEILING, SECONDS, List.of(phases), List.of(), List.of());
    }

    /** One phase between two of the usual database with the same load. */
    private static Scenario between(String name, Usl curve, Phase phase, double seconds) {
        return of(
                name,
                curve,
                BASE,
                Phase.load(0, phase.rate()),
                phase,
                Phase.load(phase.fromSecond() + seconds, phase.rate()));
    }

    private static Scenario overload(Usl curve, double scale) {
        return of(
                "overload",
                curve,
                BASE,
                Phase.load(0, 100 * scale),
                Phase.load(60, 400 * scale),
                Phase.load(120, 100 * scale));
    }

    private static Scenario burst(Usl curve, double scale) {
        int requests = (int) Math.round(100 * scale);
        return new Scenario(
                "burst",
                curve,
                BASE,
                CEILING,
                SECONDS,
                List.of(Phase.load(0, 100 * scale)),
                List.of(new Burst(60, requests), new Burst(120, requests)),
                List.of());
    }

    private static Scenario leak(Usl curve, double scale) {
        List<Double> leaks = DoubleStream.iterate(30, second -> second + BETWEEN_LEAKS)
                .limit(LEAKS)
                .boxed()
                .toList();
        return new Scenario(
                "leak", curve, BASE, CEILING, SECONDS, List.of(Phase.load(0, 60 * scale)), List.of(), leaks);
    }

    private static Scenario think(Usl curve, double scale) {
        return of(
                "think",
                curve,
                BASE,
                new Phase(0, 40 * scale, 1, 0, 0.060, true),
                new Phase(60, 160 * scale, 1, 0, 0.060, true));
    }
}
