// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.benchmarks.simulate.Scenario;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import io.flexpool.benchmarks.simulate.Usl;
import java.util.List;
import java.util.Locale;

/**
 * What is played: the simulator's scenarios, shorter, on a database that is four times as slow, so that two processors
 * have little to do. Its peak is 71 requests/s with 12.7 at once. What happens begins after 400 calm leases, from
 * which on flexpool judges by them.
 */
public enum RealScenario {
    /** Five times the load, and back. */
    STEP(40, 40, 70),
    /** More load than the database can bear. */
    OVERLOAD(40, 45, 15),
    /** All connections are lost and none can be opened. */
    OUTAGE(40, 20, 25);

    /** The curve of the published figures, four times as slow. */
    static final Usl CURVE = new Usl(0.03, 0.006, 0.080);

    /** Every pool's size at the start but for the best static one's. */
    static final int BASE = 5;
    /** No pool grows beyond. */
    static final int CEILING = 40;

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

    /** Of the load, in requests/s. */
    List<Phase> phases() {
        return switch (this) {
            case STEP -> loads(12.5, 62.5, 12.5);
            case OVERLOAD -> loads(25, 100, 25);
            case OUTAGE -> List.of(load(0, 25), new Phase(begins, 25, 1, 0, 0, false), load(ends, 25));
        };
    }

    /** When what the scenario is about begins, seconds. */
    double begins() {
        return begins;
    }

    /** When it is over, seconds; the same for scenarios where that is no moment. */
    double ends() {
        return ends;
    }

    /** As it is played. */
    Scenario scenario() {
        return scenario(seconds, phases());
    }

    private Scenario scenario(double length, List<Phase> phases) {
        return new Scenario(toString(), CURVE, BASE, CEILING, length, phases, List.of(), List.of());
    }

    /**
     * The same in another time.
     *
     * @param pace what each of its times is multiplied by; loads and the length of requests stay
     */
    Scenario scenario(double pace) {
        Scenario full = scenario();
        return scenario(
                full.seconds() * pace,
                full.phases().stream()
                        .map(phase -> new Phase(
                                phase.fromSecond() * pace,
                                phase.rate(),
                                phase.workFactor(),
                                phase.delayFactor(),
                                phase.holdSeconds(),
                                phase.up()))
                        .toList());
    }

    private List<Phase> loads(double before, double meanwhile, double after) {
        return List.of(load(0, before), load(begins, meanwhile), load(ends, after));
    }

    private static Phase load(double fromSecond, double rate) {
        return Phase.load(fromSecond, rate);
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
