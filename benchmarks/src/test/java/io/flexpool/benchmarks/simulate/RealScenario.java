// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.simulate.Scenario.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What is played: the simulator's scenarios, shorter, on a database that is four times as slow, so that two processors
 * have little to do. Its peak is 71 requests/s with 12.7 at once. What happens begins after 400 calm leases, from
 * which on flexpool judges by them.
 */
enum RealScenario {
    /** Five times the load, and back. */
    STEP(40, 40, 70),
    /** More load than the database can bear. */
    OVERLOAD(40, 45, 15),
    /** All connections are lost and none can be opened. */
    OUTAGE(40, 20, 25);

    /** Every pool's size at the start but for the best static one's. */
    static final int BASE = 5;
    /** No pool grows beyond. */
    private static final int CEILING = 40;
    /** The curve of the published figures, four times as slow. */
    private static final Usl CURVE = new Usl(0.03, 0.006, 0.080);

    private final double begins;
    private final double ends;
    private final double seconds;

    /**
     * With its times, seconds.
     *
     * @param calm before anything happens
     * @param lasts what happens
     * @param after what it is followed up for
     */
    RealScenario(double calm, double lasts, double after) {
        this.begins = calm;
        this.ends = calm + lasts;
        this.seconds = calm + lasts + after;
    }

    /** A request: its arrival, and its duration when it runs alone in the usual database, seconds. */
    record Request(double second, double workSeconds) {}

    /** When what the scenario is about begins, seconds. */
    double begins() {
        return begins;
    }

    /** When it is over, seconds. */
    double ends() {
        return ends;
    }

    /**
     * As it is played.
     *
     * @param pace what each of its times is multiplied by; loads and the length of requests stay
     */
    Scenario scenario(double pace) {
        return scenario(
                seconds * pace,
                switch (this) {
                    case STEP -> List.of(load(0, 12.5), load(begins * pace, 62.5), load(ends * pace, 12.5));
                    case OVERLOAD -> List.of(load(0, 25), load(begins * pace, 100), load(ends * pace, 25));
                    case OUTAGE ->
                        List.of(load(0, 25), new Phase(begins * pace, 25, 1, 0, 0, false), load(ends * pace, 25));
                });
    }

    /** The load before anything happens, for two minutes. */
    Scenario calm() {
        return scenario(120, scenario(1).phases().subList(0, 1));
    }

    private Scenario scenario(double length, List<Phase> phases) {
        return new Scenario(name(), CURVE, BASE, CEILING, length, phases, List.of(), List.of());
    }

    private static Phase load(double fromSecond, double rate) {
        return Phase.load(fromSecond, rate);
    }

    /** All requests of a scenario in the order of their arrival, as the simulator draws them. */
    static List<Request> requests(Scenario scenario, long seed) {
        Load load = new Load(scenario, new SplittableRandom(seed), 0);
        List<Request> requests = new ArrayList<>();
        while (Math.min(load.nextArrival(), load.phaseEnds()) < scenario.seconds()) {
            if (load.phaseEnds() <= load.nextArrival()) {
                load.nextPhase();
            } else {
                requests.add(new Request(load.nextArrival(), load.work()));
                load.arrived();
            }
        }
        return requests;
    }
}
