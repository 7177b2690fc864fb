// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.simulate.Scenario.Phase;
import io.flexpool.sizing.OpenLeases;
import io.flexpool.sizing.PoolWindow;
import io.flexpool.sizing.Traffic;

/**
 * One run of a scenario in virtual time: Poisson arrivals wait first come, first served for a lease, for one second at
 * most; the limit says how many leases may be out; the pool opens its connections one after another; the database
 * shares itself among those who work, along a Universal Scalability Law. The controller is fed a window each 250 ms.
 * Nothing here reads a clock, and the same scenario, seed and controller give the same result.
 */
public final class Simulation implements SimPool {
    /** Between two ticks, seconds. */
    public static final double TICK_SECONDS = 0.25;

    private static final int TICKS_PER_SECOND = 4;
    private static final double NANOS = 1e9;

    private final Scenario scenario;
    private final long seed;
    private final SimController controller;
    private final Load load;
    private final Slots slots;
    private final WaitQueue queue = new WaitQueue();
    private final Connections connections;
    private final Meter meter;
    private final TickCounts counts = new TickCounts();
    private double now;
    private int limit;
    private int ticks;
    private int leaks;
    private double grewAt;

    private Simulation(Scenario scenario, long seed, SimController controller, boolean traced) {
        this.scenario = scenario;
        this.seed = seed;
        this.controller = controller;
        this.load = new Load(scenario, seed);
        this.slots = new Slots(scenario.curve(), scenario.ceiling());
        this.limit = scenario.base();
        this.connections = new Connections(limit);
        this.meter = new Meter(traced);
    }

    /**
     * Runs a scenario to its end.
     *
     * @param controller one that has not run yet
     */
    public static SimResult run(Scenario scenario, long seed, SimController controller) {
        return new Simulation(scenario, seed, controller, false).run();
    }

    /** The same, with a point per second kept. */
    public static SimResult trace(Scenario scenario, long seed, SimController controller) {
        return new Simulation(scenario, seed, controller, true).run();
    }

    static long nanos(double seconds) {
        return (long) (seconds * NANOS);
    }

    private SimResult run() {
        controller.begin(this);
        enter(load.phase());
        while (now < scenario.seconds()) {
            step();
        }
        return meter.result(scenario, controller.name(), seed);
    }

    /** To the next thing that happens. At the same instant, what ends goes before what begins. */
    private void step() {
        int worked = slots.nextWorked();
        int held = slots.nextHeld();
        double workEnds = slots.workEnds(now, worked);
        double holdEnds = slots.holdEnds(held);
        double tick = (ticks + 1) * TICK_SECONDS;
        double service = Math.min(Math.min(workEnds, holdEnds), connections.opened());
        double demand = Math.min(Math.min(load.nextArrival(), load.nextBurst()), queue.givesUp());
        double clock = Math.min(tick, load.phaseEnds());
        double next = Math.min(Math.min(service, demand), clock);
        pass(next - now);
        now = next;
        if (next == workEnds) {
            worked(worked);
        } else if (next == holdEnds) {
            release(held, false);
        } else if (next == connections.opened()) {
            connections.finish(now, limit);
            refill();
        } else if (next == clock) {
            clock(tick);
        } else {
            demand();
        }
    }

    private void clock(double tick) {
        if (now == tick) {
            tick();
        } else {
            enter(load.nextPhase());
        }
    }

    private void demand() {
        if (now == queue.givesUp()) {
            giveUp();
        } else if (now == load.nextBurst()) {
            for (int left = load.burst(); left > 0; left--) {
                arrive();
            }
        } else {
            load.arrived();
            arrive();
        }
    }

    private void pass(double seconds) {
        slots.advance(seconds);
        meter.held(connections.total(), seconds);
        counts.pass(seconds, slots.count(), slots.count() >= limit && queue.size() > 0);
    }

    private void enter(Phase phase) {
        slots.workFactor(phase.workFactor());
        connections.up(phase.up());
        if (!phase.up()) {
            for (int slot = 0; slot < slots.size(); slot++) {
                if (slots.taken(slot)) {
                    release(slot, true);
                }
            }
        }
        refill();
    }

    private void arrive() {
        meter.arrived();
        counts.arrived();
        queue.add(now, now, load.work(), 1);
        serve();
    }

    private void giveUp() {
        counts.timedOut();
        double arrived = queue.headArrived();
        double work = queue.headWork();
        int attempt = queue.headAttempt();
        queue.removeHead();
        if (controller.onTimeout(nanos(now), attempt)) {
            queue.add(arrived, now, work, attempt + 1);
            serve();
        } else {
            meter.acquired(now - arrived);
            meter.failed();
        }
    }

    private void serve() {
        while (queue.size() > 0 && slots.count() < Math.min(limit, connections.total())) {
            lease();
        }
    }

    private void lease() {
        double arrived = queue.headArrived();
        double work = queue.headWork();
        queue.removeHead();
        meter.acquired(now - arrived);
        if (leaks < scenario.leakSeconds().size()
                && now >= scenario.leakSeconds().get(leaks)) {
            leaks++;
            slots.take(now, arrived, Double.POSITIVE_INFINITY, 0);
        } else {
            Phase phase = load.phase();
            slots.take(now, arrived, work, work * phase.delayFactor() + phase.holdSeconds());
        }
        controller.onAcquired(nanos(now), nanos(now - arrived));
    }

    private void worked(int slot) {
        if (!slots.worked(now, slot)) {
            release(slot, false);
        }
    }

    private void release(int slot, boolean failed) {
        double lease = now - slots.started(slot);
        int activeAtStart = slots.activeAtStart(slot);
        if (failed) {
            meter.failed();
        } else {
            meter.answered(now - slots.arrived(slot));
        }
        slots.free(slot);
        counts.completed(nanos(lease));
        controller.onReleased(nanos(now), nanos(lease), activeAtStart, failed);
        refill();
    }

    /** Brings the pool's connections to the limit, as far as it can at once, and serves. */
    private void refill() {
        connections.trim(limit, slots.count());
        connections.fill(now, limit);
        serve();
    }

    private void tick() {
        ticks++;
        PoolWindow window = new PoolWindow(
                nanos(now),
                scenario.base(),
                scenario.ceiling(),
                limit,
                slots.count(),
                queue.size(),
                nanos(grewAt),
                connections.total(),
                nanos(queue.headAge(now)),
                counts.take(connections.failures(), TICK_SECONDS),
                OpenLeases.ofAges(slots.agesNanos(now)));
        limit(controller.onTick(window));
        if (ticks % TICKS_PER_SECOND == 0) {
            meter.second(ticks / TICKS_PER_SECOND, limit, connections.total(), queue.size());
        }
    }

    @Override
    public int limit() {
        return limit;
    }

    @Override
    public void limit(int wanted) {
        int to = Math.max(1, Math.min(wanted, scenario.ceiling()));
        if (to == limit) {
            return;
        }
        if (to > limit) {
            grewAt = now;
        }
        limit = to;
        meter.changed();
        refill();
    }

    @Override
    public int base() {
        return scenario.base();
    }

    @Override
    public int ceiling() {
        return scenario.ceiling();
    }

    @Override
    public int active() {
        return slots.count();
    }

    @Override
    public int waiting() {
        return queue.size();
    }

    /** What came and went since the last tick. */
    private static final class TickCounts {
        private long arrivals;
        private long completions;
        private long leaseNanos;
        private long timeouts;
        private double activeSeconds;
        private double saturatedSeconds;

        void arrived() {
            arrivals++;
        }

        void completed(long nanos) {
            completions++;
            leaseNanos += nanos;
        }

        void timedOut() {
            timeouts++;
        }

        void pass(double seconds, int active, boolean saturated) {
            activeSeconds += active * seconds;
            if (saturated) {
                saturatedSeconds += seconds;
            }
        }

        Traffic take(int connectFailures, double seconds) {
            Traffic traffic = new Traffic(
                    arrivals,
                    completions,
                    leaseNanos,
                    timeouts,
                    connectFailures,
                    activeSeconds / seconds,
                    Math.min(1, saturatedSeconds / seconds));
            arrivals = 0;
            completions = 0;
            leaseNanos = 0;
            timeouts = 0;
            activeSeconds = 0;
            saturatedSeconds = 0;
            return traffic;
        }
    }
}
