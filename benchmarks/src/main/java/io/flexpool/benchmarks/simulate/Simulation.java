// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * One run of a scenario in virtual time: Poisson arrivals wait first come, first served for a lease, no longer than the
 * acquisition timeout; the limit says how many leases may be out; the pool opens its connections one after another; the
 * database shares itself among those who work, along a Universal Scalability Law. The controller is fed a window each
 * 250 ms. Where several instances share the database, each has a pool, requests and a controller of its own. Nothing here
 * reads a clock, and the same scenario, seed and controller give the same result.
 */
public final class Simulation {
    /** Between two ticks, seconds. */
    public static final double TICK_SECONDS = 0.25;

    private static final int TICKS_PER_SECOND = 4;
    private static final double NANOS = 1e9;
    /** Keeps the speed of the database independent of the requests. */
    private static final long SPEED_SEED = 0x5EED_0F_5BEE_DL;

    private final Scenario scenario;
    private final long seed;
    private final Database database;
    private final Meter meter;
    private final List<Instance> instances = new ArrayList<>();
    private final String name;
    private final SplittableRandom speeds;
    private double speedEnds;
    private double now;
    private int seconds;

    private Simulation(Scenario scenario, long seed, Supplier<SimController> controllers, boolean traced) {
        this.scenario = scenario;
        this.seed = seed;
        this.database = new Database(scenario.curve());
        this.meter = new Meter(scenario.failureSeconds(), traced);
        this.speeds = new SplittableRandom(SPEED_SEED + seed);
        nextSpeed();
        String first = "";
        for (int number = 0; number < scenario.instances(); number++) {
            SimController controller = controllers.get();
            first = controller.name();
            instances.add(new Instance(scenario, number, seed, controller, database, meter));
        }
        this.name = first;
    }

    /**
     * Runs a scenario of one instance to its end.
     *
     * @param controller one that has not run yet
     */
    public static SimResult run(Scenario scenario, long seed, SimController controller) {
        return run(scenario, seed, only(scenario, controller));
    }

    /**
     * Runs a scenario to its end.
     *
     * @param controllers makes a fresh one for each instance
     */
    public static SimResult run(Scenario scenario, long seed, Supplier<SimController> controllers) {
        return new Simulation(scenario, seed, controllers, false).run(Double.POSITIVE_INFINITY);
    }

    /** As {@link #run(Scenario, long, SimController)}, with a point per second kept. */
    public static SimResult trace(Scenario scenario, long seed, SimController controller) {
        return trace(scenario, seed, only(scenario, controller));
    }

    /** As {@link #run(Scenario, long, Supplier)}, with a point per second kept: the sums of all instances. */
    public static SimResult trace(Scenario scenario, long seed, Supplier<SimController> controllers) {
        return new Simulation(scenario, seed, controllers, true).run(Double.POSITIVE_INFINITY);
    }

    /**
     * Runs a scenario until it is certain that its mean time is too long.
     *
     * @param requests how many arrive; that depends on the scenario and the seed alone
     * @param mostSeconds a mean time beyond which the run is of no interest
     * @return empty if it took longer
     */
    static Optional<SimResult> runWithin(
            Scenario scenario, long seed, Supplier<SimController> controllers, int requests, double mostSeconds) {
        Simulation simulation = new Simulation(scenario, seed, controllers, false);
        SimResult result = simulation.run(requests * mostSeconds);
        return simulation.now < scenario.seconds() ? Optional.empty() : Optional.of(result);
    }

    private static Supplier<SimController> only(Scenario scenario, SimController controller) {
        if (scenario.instances() > 1) {
            throw new IllegalArgumentException(scenario.name() + " needs a controller for each instance");
        }
        return () -> controller;
    }

    static long nanos(double seconds) {
        return (long) (seconds * NANOS);
    }

    /**
     * To the end.
     *
     * @param mostSeconds the sum of all requests' times beyond which the run ends early
     */
    private SimResult run(double mostSeconds) {
        instances.forEach(Instance::begin);
        while (now < scenario.seconds() && meter.sumSeconds() <= mostSeconds) {
            step();
        }
        return meter.result(scenario, name, seed);
    }

    /** To the next thing that happens in any instance. */
    private void step() {
        Instance first = instances.get(0);
        double next = first.next();
        for (int other = 1; other < instances.size(); other++) {
            double its = instances.get(other).next();
            if (its < next) {
                first = instances.get(other);
                next = its;
            }
        }
        boolean turns = speedEnds < next;
        next = Math.min(next, speedEnds);
        double passed = next - now;
        database.advance(passed);
        int held = 0;
        for (Instance instance : instances) {
            held += instance.total();
            instance.pass(passed, next);
        }
        meter.held(held, passed);
        now = next;
        if (turns) {
            nextSpeed();
        } else {
            first.happen();
            second();
        }
    }

    /** The database changes its speed. */
    private void nextSpeed() {
        Scenario.Speed speed = scenario.speed();
        database.speed(1 + speed.spread() * (2 * speeds.nextDouble() - 1));
        speedEnds = now + speed.seconds();
    }

    /** After each second of the first instance's ticks. */
    private void second() {
        int done = instances.get(0).ticks() / TICKS_PER_SECOND;
        if (done > seconds) {
            seconds = done;
            int limit = 0;
            int held = 0;
            int waiting = 0;
            for (Instance instance : instances) {
                limit += instance.limit();
                held += instance.total();
                waiting += instance.waiting();
            }
            meter.second(seconds, limit, held, waiting);
        }
    }
}
