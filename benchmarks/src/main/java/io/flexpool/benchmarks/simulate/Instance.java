// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.advisor.replay.VirtualPool;
import io.flexpool.benchmarks.simulate.Scenario.Burst;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import io.flexpool.internal.sizing.LeaseAges;
import io.flexpool.internal.sizing.PoolWindow;
import java.util.SplittableRandom;

/**
 * One pool with its requests and its controller: Poisson arrivals wait first come, first served for a lease; the limit
 * says how many leases may be out; the pool opens its connections one after another.
 */
final class Instance implements SimPool, VirtualPool.Leases {
    /** Far apart, so that two instances of one run have nothing in common with another run's. */
    private static final long SEED_STEP = 0x9E37_79B9_7F4A_7C15L;

    private final Scenario scenario;
    private final int base;
    private final SimController controller;
    private final Database database;
    private final Meter meter;
    private final Load load;
    private final Slots slots;
    private final VirtualPool pool;
    private final Requests requests = new Requests();
    private final Connections connections;
    private final TickCounts counts;
    /** The class of the lease of each slot. */
    private final int[] classOf;
    /** Other instances' ticks fall between this one's. */
    private final double firstTick;

    private double now;
    private int limit;
    private int ticks;
    private int leak;
    private double grewAt;
    private int worked;
    private int held;
    private double workEnds;
    private double holdEnds;
    private double tick;
    private double clock;
    private double next;

    /**
     * Nothing has arrived yet.
     *
     * @param number which one of the scenario's instances, from 0
     * @param seed of the run
     */
    Instance(Scenario scenario, int number, long seed, SimController controller, Database database, Meter meter) {
        this.scenario = scenario;
        this.base = scenario.base(number);
        this.controller = controller;
        this.database = database;
        this.meter = meter;
        this.load = new Load(scenario, new SplittableRandom(seed + number * SEED_STEP), number);
        this.slots = new Slots(database, scenario.ceiling());
        this.pool = new VirtualPool(scenario.timeoutSeconds(), this);
        this.limit = base;
        this.leak = number;
        this.connections = new Connections(limit);
        this.counts = new TickCounts(controller.classes() && scenario.ofTwoKinds() ? 2 : 0);
        this.classOf = new int[scenario.ceiling()];
        this.firstTick = Simulation.TICK_SECONDS + Simulation.TICK_SECONDS * number / scenario.instances();
    }

    void begin() {
        controller.begin(this);
        enter(load.phase());
    }

    /** When the next thing happens here, seconds. */
    double next() {
        worked = slots.nextWorked();
        held = slots.nextHeld();
        workEnds = slots.workEnds(now, worked);
        holdEnds = slots.holdEnds(held);
        tick = firstTick + ticks * Simulation.TICK_SECONDS;
        double service = Math.min(Math.min(workEnds, holdEnds), connections.opened());
        double demand = Math.min(Math.min(load.nextArrival(), load.nextBurst()), pool.givesUp());
        clock = Math.min(tick, load.phaseEnds());
        next = Math.min(Math.min(service, demand), clock);
        return next;
    }

    /** Time passes until something happens, here or elsewhere. */
    void pass(double seconds, double until) {
        counts.pass(seconds, slots.count(), slots.count() >= limit && pool.waiting() > 0);
        now = until;
    }

    /** What {@link #next} has found happens. At the same instant, ends come before begins. */
    void happen() {
        if (next == workEnds) {
            worked(worked);
        } else if (next == holdEnds) {
            release(held, false);
        } else if (next == connections.opened()) {
            connections.finish(now, limit);
            refill();
        } else if (next == clock) {
            clock();
        } else {
            demand();
        }
    }

    private void clock() {
        if (now == tick) {
            tick();
        } else {
            enter(load.nextPhase());
        }
    }

    private void demand() {
        if (now == pool.givesUp()) {
            giveUp();
        } else if (now == load.nextBurst()) {
            Burst burst = load.burst();
            for (int left = burst.requests(); left > 0; left--) {
                arrive(burst.holdSeconds());
            }
        } else {
            load.arrived();
            arrive(0);
        }
    }

    private void enter(Phase phase) {
        database.workFactor(phase.workFactor());
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

    private void arrive(double holdSeconds) {
        double work = load.work();
        int requestClass = load.lasting() || holdSeconds > 0 ? 1 : 0;
        meter.arrived();
        counts.arrived(requestClass);
        pool.arrive(requests.add(now, work, holdSeconds, requestClass), now);
    }

    private void giveUp() {
        counts.timedOut();
        int request = pool.giveUp();
        if (controller.onTimeout(Simulation.nanos(now), requests.attempt(request))) {
            requests.tryAgain(request);
            pool.arrive(request, now);
        } else {
            counts.gone(requests.requestClass(request));
            meter.acquired(now - requests.arrived(request));
            meter.failed();
        }
    }

    @Override
    public boolean free() {
        return slots.count() < Math.min(limit, connections.total());
    }

    @Override
    public void begin(int request, double waited, double at) {
        double arrived = requests.arrived(request);
        double work = requests.work(request);
        double holdSeconds = requests.hold(request);
        meter.acquired(now - arrived);
        if (leak < scenario.leakSeconds().size()
                && now >= scenario.leakSeconds().get(leak)) {
            leak += scenario.instances();
            classOf[slots.take(now, arrived, Double.POSITIVE_INFINITY, 0, 0)] = requests.requestClass(request);
        } else {
            Phase phase = load.phase();
            double usual = work * phase.delayFactor() + phase.holdSeconds();
            int slot = slots.take(now, arrived, work, usual + holdSeconds, holdSeconds);
            classOf[slot] = requests.requestClass(request);
        }
        controller.onAcquired(Simulation.nanos(now), Simulation.nanos(now - arrived));
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
            meter.answered(now - slots.countedFrom(slot));
        }
        slots.free(slot);
        counts.completed(classOf[slot], Simulation.nanos(lease));
        controller.onReleased(Simulation.nanos(now), Simulation.nanos(lease), activeAtStart, failed);
        refill();
    }

    /** Brings the pool's connections to the limit, as far as it can at once, and serves. */
    private void refill() {
        connections.trim(limit, slots.count());
        connections.fill(now, limit);
        pool.serve(now);
    }

    private void tick() {
        ticks++;
        PoolWindow window = new PoolWindow(
                Simulation.nanos(now),
                base,
                scenario.ceiling(),
                limit,
                slots.count(),
                pool.waiting(),
                Simulation.nanos(grewAt),
                connections.total(),
                Simulation.nanos(pool.longestWait(now)),
                counts.take(connections.failures(), Simulation.TICK_SECONDS),
                LeaseAges.ofAges(slots.agesNanos(now)));
        limit(controller.onTick(window));
    }

    /** Ticks so far. */
    int ticks() {
        return ticks;
    }

    /** Connections that are open. */
    int total() {
        return connections.total();
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
    public int instances() {
        return scenario.instances();
    }

    @Override
    public double timeoutSeconds() {
        return scenario.timeoutSeconds();
    }

    @Override
    public int base() {
        return base;
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
        return pool.waiting();
    }
}
