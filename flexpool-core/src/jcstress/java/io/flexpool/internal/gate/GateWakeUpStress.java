// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.flexpool.pool.Ticker;
import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZII_Result;

/**
 * No wake-up is lost: one thread joins the queue and sleeps while another does what it waits for. A waiter that sleeps
 * on has missed it; it gives up after {@link #PATIENCE_NANOS}, so that the run ends and says so.
 */
public class GateWakeUpStress {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long NO_PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** One lost wake-up fails the run; were each waited for, thousands of them would make it last for hours. */
    private static volatile boolean lost;

    private static boolean waitForPermit(Gate gate) {
        long now = System.nanoTime();
        long patience = lost ? NO_PATIENCE_NANOS : PATIENCE_NANOS;
        // Who was served and sleeps on has missed its wake-up too.
        boolean served = gate.await(gate.join(now), now + patience) && System.nanoTime() - now < patience;
        lost |= !served;
        return served;
    }

    /** The permit is only offered: the waiter is young, and a wake-up is all it gets. */
    @JCStressTest
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "the waiter has the permit")
    @Outcome(expect = FORBIDDEN, desc = "the waiter sleeps beside a free permit")
    @State
    public static class ReleaseAgainstJoin {
        private final Gate gate = new Gate(1, Ticker.SYSTEM);

        public ReleaseAgainstJoin() {
            gate.tryEnter(System.nanoTime());
        }

        @Actor
        public void release() {
            gate.exit(System.nanoTime());
        }

        @Actor
        public void join(ZII_Result r) {
            r.r1 = waitForPermit(gate);
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = gate.usedCount();
            r.r3 = gate.waitingCount();
        }
    }

    /** The permit is offered, taken by a newcomer, and offered again, many times: the waiter must get the last offer. */
    @JCStressTest
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "the waiter has the permit")
    @Outcome(expect = FORBIDDEN, desc = "the waiter sleeps beside a free permit")
    @State
    public static class OffersAgainstJoin {
        private static final int OFFERS = 20;

        private final Gate gate = new Gate(1, Ticker.SYSTEM);

        public OffersAgainstJoin() {
            gate.tryEnter(System.nanoTime());
        }

        @Actor
        public void offer() {
            gate.exit(System.nanoTime());
            for (int more = 1; more < OFFERS && gate.tryEnter(System.nanoTime()); more++) {
                gate.exit(System.nanoTime());
            }
        }

        @Actor
        public void join(ZII_Result r) {
            r.r1 = waitForPermit(gate);
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = gate.usedCount();
            r.r3 = gate.waitingCount();
        }
    }

    /** The waiter has waited long, by the releaser's clock, and brief leases pass it while it wakes up. */
    @JCStressTest
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "the waiter has the permit")
    @Outcome(expect = FORBIDDEN, desc = "the waiter sleeps beside a free permit")
    @State
    public static class BriefLeasesAgainstJoin {
        private static final int LEASES = 20;

        private final Gate gate = new Gate(1, Ticker.SYSTEM);

        public BriefLeasesAgainstJoin() {
            gate.tryEnter(System.nanoTime());
        }

        @Actor
        public void pass() {
            long late = System.nanoTime() + 2 * Gate.ORDER_AFTER_NANOS;
            gate.exit(late, 0, 0);
            for (int more = 1; more < LEASES && gate.tryEnter(late); more++) {
                gate.exit(late, 0, 0);
            }
        }

        @Actor
        public void join(ZII_Result r) {
            r.r1 = waitForPermit(gate);
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = gate.usedCount();
            r.r3 = gate.waitingCount();
        }
    }

    /** The permit is handed over: the releaser's clock says that the waiter has waited long. */
    @JCStressTest
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "the waiter has the permit")
    @Outcome(expect = FORBIDDEN, desc = "the waiter sleeps on though the permit is free or its own")
    @State
    public static class HandOverAgainstJoin {
        private final Gate gate = new Gate(1, Ticker.SYSTEM);

        public HandOverAgainstJoin() {
            gate.tryEnter(System.nanoTime());
        }

        @Actor
        public void release() {
            gate.exit(System.nanoTime() + 2 * Gate.ORDER_AFTER_NANOS);
        }

        @Actor
        public void join(ZII_Result r) {
            r.r1 = waitForPermit(gate);
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = gate.usedCount();
            r.r3 = gate.waitingCount();
        }
    }

    /** The limit rises while a thread joins. */
    @JCStressTest
    @Outcome(id = "true, 2, 0", expect = ACCEPTABLE, desc = "the waiter has the new permit")
    @Outcome(expect = FORBIDDEN, desc = "the waiter sleeps on though there is room")
    @State
    public static class RaiseAgainstJoin {
        private final Gate gate = new Gate(1, Ticker.SYSTEM);

        public RaiseAgainstJoin() {
            gate.tryEnter(System.nanoTime());
        }

        @Actor
        public void raise() {
            gate.limit(2, System.nanoTime());
        }

        @Actor
        public void join(ZII_Result r) {
            r.r1 = waitForPermit(gate);
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = gate.usedCount();
            r.r3 = gate.waitingCount();
        }
    }

    /** The gate opens while a thread joins. */
    @JCStressTest
    @Outcome(id = "true, 2, 0", expect = ACCEPTABLE, desc = "the waiter passed")
    @Outcome(expect = FORBIDDEN, desc = "the waiter sleeps on in front of an open gate")
    @State
    public static class OpenAgainstJoin {
        private final Gate gate = new Gate(1, Ticker.SYSTEM);

        public OpenAgainstJoin() {
            gate.tryEnter(System.nanoTime());
        }

        @Actor
        public void open() {
            gate.open(System.nanoTime());
        }

        @Actor
        public void join(ZII_Result r) {
            r.r1 = waitForPermit(gate);
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = gate.usedCount();
            r.r3 = gate.waitingCount();
        }
    }

    /** A permit is offered to the first waiter, which leaves: the second, which falls asleep, must get the wake-up. */
    @JCStressTest
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "the permit reached the waiter that stayed")
    @Outcome(expect = FORBIDDEN, desc = "the wake-up went with the one that left")
    @State
    public static class ReleaseAgainstLeaveAndASleeper {
        private final Gate gate = new Gate(1, Ticker.SYSTEM);
        private final Waiter leaving;

        public ReleaseAgainstLeaveAndASleeper() {
            long now = System.nanoTime();
            gate.tryEnter(now);
            leaving = gate.join(now);
        }

        @Actor
        public void releaseAndLeave() {
            gate.exit(System.nanoTime());
            if (!gate.leave(leaving, System.nanoTime())) {
                gate.exit(System.nanoTime());
            }
        }

        @Actor
        public void sleep(ZII_Result r) {
            r.r1 = waitForPermit(gate);
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = gate.usedCount();
            r.r3 = gate.waitingCount();
        }
    }
}
