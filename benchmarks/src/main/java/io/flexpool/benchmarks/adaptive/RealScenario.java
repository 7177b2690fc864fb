// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.benchmarks.simulate.Scenario;
import io.flexpool.benchmarks.simulate.Scenario.Burst;
import io.flexpool.benchmarks.simulate.Scenario.Mix;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import io.flexpool.benchmarks.simulate.Usl;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

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
    /** Every request is ten times the work. */
    SLOW(40, 30, 25),
    /** The network takes nine times what a request takes alone. */
    LATENCY(40, 40, 20),
    /** Twelve connections that never come back, one every four seconds. */
    LEAK(30, 44, 21),
    /** All connections are lost and none can be opened. */
    OUTAGE(40, 20, 25),
    /** Twenty-five requests at once, twice. */
    BURST(30, 25, 25),
    /** Nothing sleeps: row locks, processors and a disk are shared. Rates are shares of what the database can do. */
    CONTENTION(20, 35, 15),
    /** Two pools of five connections on one database, and for a while more load than it can bear. */
    TWO_POOLS(20, 25, 25),
    /** The same with four pools. */
    FOUR_POOLS(20, 25, 25),
    /** Leases of 400 ms, mostly a long way, requests that wait 250 ms, and four times the load for a while. */
    SHORT_TIMEOUT(30, 25, 25),
    /** Nineteen of twenty requests take 20 ms and one 1.2 s; for a while twice the load. */
    MIXED(30, 25, 25),
    /** The full load meets pools without connections and a database that takes four times as long at first. */
    COLD_START(0, 5, 35),
    /** More load than the database can bear from the first request on: no lease is ever calm until it ends. */
    SATURATED_START(0, 30, 20);

    /** The scenarios that are played unless others are named: those with published results that sleep. */
    static final Set<RealScenario> USUAL = Collections.unmodifiableSet(EnumSet.range(STEP, BURST));

    /** The curve of the published figures, four times as slow. */
    static final Usl CURVE = new Usl(0.03, 0.006, 0.080);

    /** Every pool's size at the start but for the best static one's. */
    static final int BASE = 5;
    /** No pool grows beyond. */
    static final int CEILING = 40;

    static final int LEAKS = 12;
    private static final double BETWEEN_LEAKS = 4;
    private static final int BURST_SIZE = 25;
    /** The shortest that HikariCP accepts. */
    private static final double SHORT_TIMEOUT_SECONDS = 0.25;

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
            case SLOW -> List.of(load(0, 25), new Phase(begins, 25, 10, 0, 0, true), load(ends, 25));
            case LATENCY -> List.of(load(0, 17.5), new Phase(begins, 17.5, 1, 9, 0, true), load(ends, 17.5));
            case LEAK -> List.of(load(0, 15));
            case OUTAGE -> List.of(load(0, 25), new Phase(begins, 25, 1, 0, 0, false), load(ends, 25));
            case BURST -> List.of(load(0, 25));
            case CONTENTION -> List.of(load(0, 0.3), load(begins, 0.8), load(begins + 20, 1.3), load(ends, 0.3));
            // Four tenths of what the database can do, then 1.4 times as much as it can.
            case TWO_POOLS, FOUR_POOLS -> loads(30, 100, 30);
            case SHORT_TIMEOUT -> List.of(distant(0, 5), distant(begins, 20), distant(ends, 5));
            case MIXED -> loads(25, 50, 25);
            case COLD_START -> List.of(new Phase(0, 40, 4, 0, 0, true), load(ends, 40));
            case SATURATED_START -> List.of(load(0, 100), load(ends, 25));
        };
    }

    /** Whether requests are real work, with rates in shares of what the database can do; otherwise they sleep. */
    boolean contends() {
        return this == CONTENTION;
    }

    private List<Burst> bursts() {
        return this == BURST ? List.of(new Burst(begins, BURST_SIZE), new Burst(ends, BURST_SIZE)) : List.of();
    }

    private List<Double> leaks() {
        return IntStream.range(0, this == LEAK ? LEAKS : 0)
                .mapToObj(leak -> begins + leak * BETWEEN_LEAKS)
                .toList();
    }

    /** How many pools of each competitor share its database, and the load with it. */
    int instances() {
        return this == TWO_POOLS ? 2 : this == FOUR_POOLS ? 4 : 1;
    }

    double timeoutSeconds() {
        return this == SHORT_TIMEOUT ? SHORT_TIMEOUT_SECONDS : Scenario.ACQUISITION_TIMEOUT_SECONDS;
    }

    private Mix mix() {
        return this == MIXED ? new Mix(0.05, 0.25, 15) : Mix.ALL_ALIKE;
    }

    /** Whether the load meets pools without connections; otherwise each has its first ones. */
    boolean cold() {
        return this == COLD_START;
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
        return scenario(seconds, phases(), bursts(), leaks());
    }

    private Scenario scenario(double length, List<Phase> phases, List<Burst> bursts, List<Double> leaks) {
        return new Scenario(
                toString(),
                CURVE,
                instances() * BASE,
                CEILING,
                length,
                phases,
                bursts,
                leaks,
                timeoutSeconds(),
                mix(),
                instances(),
                Scenario.Speed.CONSTANT);
    }

    /**
     * As it is played on a database that can do so much.
     *
     * @param pace what each of its times is multiplied by
     * @param peak requests a second
     */
    Scenario scenario(double pace, double peak) {
        Scenario shares = scenario(pace);
        return scenario(
                shares.seconds(),
                shares.phases().stream()
                        .map(phase -> load(phase.fromSecond(), phase.rate() * peak))
                        .toList(),
                shares.bursts(),
                shares.leakSeconds());
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
                        .toList(),
                full.bursts().stream()
                        .map(burst -> new Burst(burst.second() * pace, burst.requests()))
                        .toList(),
                full.leakSeconds().stream()
                        .flatMapToDouble(DoubleStream::of)
                        .map(second -> second * pace)
                        .boxed()
                        .toList());
    }

    private List<Phase> loads(double before, double meanwhile, double after) {
        return List.of(load(0, before), load(begins, meanwhile), load(ends, after));
    }

    private static Phase distant(double fromSecond, double rate) {
        return new Phase(fromSecond, rate, 1, 4, 0, true);
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
