// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.ParkedPermits;
import io.flexpool.internal.record.Recorder;
import io.flexpool.pool.Ticker;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** Permits that are parked in slots while others want them, and while there become fewer. All share one stripe. */
public class ParkedPermitsStress {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long NO_PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** One lost wake-up fails the run; were each waited for, thousands of them would make it last for hours. */
    private static volatile boolean lost;

    /** A gate and its slots, used as a pool uses them. */
    private static class Pool {
        final Gate gate;
        final Recorder recorder = new Recorder();
        final LeaseTable table;

        Pool(int limit) {
            gate = new Gate(limit, Ticker.SYSTEM);
            table = new LeaseTable(gate, recorder, 1, 1);
        }

        /** Null if the request would have to wait. */
        @Nullable
        Slot enter() {
            Thread thread = Thread.currentThread();
            Slot slot = table.take(thread, 0);
            if (slot == null) {
                if (!gate.tryEnter(0)) {
                    return null;
                }
                slot = table.claim(thread);
            }
            slot.acquired(1_000);
            slot.begin(0, 0, null, false);
            return slot;
        }

        void exit(@Nullable Slot slot) {
            if (slot != null) {
                slot.end(1_000);
                if (slot.parks && gate.canPark(0, Long.MAX_VALUE)) {
                    slot.park(0);
                    gate.afterPark(0, Long.MAX_VALUE);
                } else {
                    slot.vacate();
                    gate.exit(0);
                }
            }
        }

        /** Where there is a permit for each thread, which may have been moved just when it was looked for. */
        Slot enterOrWait() {
            Slot slot = enter();
            if (slot == null) {
                waits();
                slot = table.claim(Thread.currentThread());
                slot.acquired(1_000);
                slot.begin(0, 0, null, false);
            }
            return slot;
        }

        /** As many as there are, which stay out. */
        int enterAll() {
            int entered = 0;
            while (entered < 9 && enter() != null) {
                entered++;
            }
            return entered;
        }

        boolean waits() {
            long now = System.nanoTime();
            long patience = lost ? NO_PATIENCE_NANOS : PATIENCE_NANOS;
            boolean served = gate.await(gate.join(now), now + patience) && System.nanoTime() - now < patience;
            lost |= !served;
            return served;
        }
    }

    /** A permit is parked by a thread that saw no waiter, while a second thread joins. */
    @JCStressTest
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "the waiter has the permit")
    @Outcome(expect = FORBIDDEN, desc = "the waiter sleeps beside a parked permit")
    @State
    public static class ParkAgainstJoin {
        private final Pool pool = new Pool(1);
        private final @Nullable Slot slot = pool.enter();

        @Actor
        public void park() {
            pool.exit(slot);
        }

        @Actor
        public void join(ZII_Result r) {
            r.r1 = pool.waits();
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = pool.gate.usedCount();
            r.r3 = pool.gate.waitingCount();
        }
    }

    /** The gate is held and resumed while a permit is parked, and while a second thread joins. */
    @JCStressTest
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "the waiter has the permit")
    @Outcome(expect = FORBIDDEN, desc = "the waiter sleeps beside a permit of a gate that is not held any more")
    @State
    public static class HoldAndResumeAgainstParkAndJoin {
        private final Pool pool = new Pool(1);
        private final @Nullable Slot slot = pool.enter();

        @Actor
        public void parkWhileHeld() {
            pool.gate.pause(true, 0);
            pool.exit(slot);
            pool.gate.pause(false, 0);
        }

        @Actor
        public void join(ZII_Result r) {
            r.r1 = pool.waits();
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = pool.gate.usedCount();
            r.r3 = pool.gate.waitingCount();
        }
    }

    /** A thread that has a connection passes a gate that is being held, while another one parks the only free permit. */
    @JCStressTest
    @Outcome(id = "true, 2, 0", expect = ACCEPTABLE, desc = "it passed with the permit that came back")
    @Outcome(id = "false, 1, 1", expect = ACCEPTABLE, desc = "the permit came later, and is free after the hold")
    @Outcome(expect = FORBIDDEN, desc = "the permit is lost, or was taken twice")
    @State
    public static class HoldAndEnterHeldAgainstPark {
        private final Pool pool = new Pool(2);
        /** The stripe's first slot, where a permit can be parked. */
        private final @Nullable Slot other = pool.enter();

        private final @Nullable Slot own = pool.enter();

        @Actor
        public void enter(ZII_Result r) {
            pool.gate.pause(true, 0);
            r.r1 = own != null && pool.gate.tryEnterPaused(0, 0);
        }

        @Actor
        public void park() {
            pool.exit(other);
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = pool.gate.usedCount();
            pool.gate.pause(false, 0);
            r.r3 = pool.enterAll();
        }
    }

    /** A thread that has a connection passes a gate that is being held, while a newcomer wants the same free permit. */
    @JCStressTest
    @Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "one of them has it")
    @Outcome(expect = FORBIDDEN, desc = "both have it, or neither")
    @State
    public static class EnterHeldAgainstANewcomer {
        private final Pool pool = new Pool(2);
        private boolean holder;
        private boolean newcomer;

        public EnterHeldAgainstANewcomer() {
            pool.enter();
        }

        @Actor
        public void enterHeld() {
            holder = pool.gate.tryEnterPaused(0, 0);
            pool.gate.pause(true, 0);
        }

        @Actor
        public void enter() {
            newcomer = pool.gate.tryEnter(0);
        }

        @Arbiter
        public void count(III_Result r) {
            r.r1 = (holder ? 1 : 0) + (newcomer ? 1 : 0);
            r.r2 = pool.gate.usedCount();
            pool.gate.pause(false, 0);
            r.r3 = pool.enterAll();
        }
    }

    /** The scan keeps a parked permit out of reach for a moment, in which a thread joins. */
    @JCStressTest
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "the waiter has the permit")
    @Outcome(expect = FORBIDDEN, desc = "the waiter sleeps beside a parked permit")
    @State
    public static class ScanAgainstJoin {
        private final Pool pool = new Pool(1);

        public ScanAgainstJoin() {
            pool.exit(pool.enter());
            pool.table.scan(0);
        }

        @Actor
        public void scan() {
            pool.table.scan(1_000_000_000);
        }

        @Actor
        public void join(ZII_Result r) {
            r.r1 = pool.waits();
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = pool.gate.usedCount();
            r.r3 = pool.gate.waitingCount();
        }
    }

    /** Two who come want what is parked while a third parks another one. */
    @JCStressTest
    @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "as many as there are, in any hands")
    @Outcome(expect = FORBIDDEN, desc = "a permit lost or doubled")
    @State
    public static class NewcomersAgainstPark {
        private final Pool pool = new Pool(2);
        private final @Nullable Slot slot;
        private boolean one;
        private boolean other;

        public NewcomersAgainstPark() {
            Slot parked = pool.enter();
            slot = pool.enter();
            pool.exit(parked);
        }

        @Actor
        public void park() {
            pool.exit(slot);
        }

        @Actor
        public void one() {
            one = pool.enter() != null;
        }

        @Actor
        public void other() {
            other = pool.enter() != null;
        }

        @Arbiter
        public void count(II_Result r) {
            r.r1 = (one ? 1 : 0) + (other ? 1 : 0) + pool.enterAll();
            r.r2 = pool.gate.usedCount();
        }
    }

    /** The limit falls while a permit is parked: then one is left. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "one permit, parked or not")
    @Outcome(expect = FORBIDDEN, desc = "more than the limit, or fewer")
    @State
    public static class ParkAgainstLower {
        private final Pool pool = new Pool(3);
        private final @Nullable Slot slot;

        public ParkAgainstLower() {
            Slot parked = pool.enter();
            slot = pool.enter();
            pool.exit(parked);
        }

        @Actor
        public void park() {
            pool.exit(slot);
        }

        @Actor
        public void lower() {
            pool.gate.limit(1, 0);
        }

        @Arbiter
        public void count(II_Result r) {
            r.r1 = pool.enterAll();
            r.r2 = pool.gate.usedCount();
        }
    }

    /** Two threads use one slot by turns, or two slots: what each wrote while it had the slot is there. */
    @JCStressTest
    @Outcome(id = "4, 4, 0", expect = ACCEPTABLE, desc = "every lease is counted, and none is open")
    @Outcome(expect = FORBIDDEN, desc = "a record was lost: two writers at once, or one that did not see the other's")
    @State
    public static class TwoWritersOfOneSlot {
        private final Pool pool = new Pool(2);

        @Actor
        public void one() {
            pool.exit(pool.enterOrWait());
            pool.exit(pool.enterOrWait());
        }

        @Actor
        public void other() {
            pool.exit(pool.enterOrWait());
            pool.exit(pool.enterOrWait());
        }

        @Arbiter
        public void count(III_Result r) {
            r.r1 = (int) pool.recorder.acquired();
            r.r2 = (int) pool.recorder.released();
            r.r3 = pool.gate.usedCount();
        }
    }

    /** One thread takes the slot of another together with its permit, while that one parks it again. */
    @JCStressTest
    @Outcome(id = "3, 3, 0", expect = ACCEPTABLE, desc = "every lease is counted, and none is open")
    @Outcome(expect = FORBIDDEN, desc = "a permit or a record was lost")
    @State
    public static class TakeAnyAgainstTake {
        private final Pool pool = new Pool(1);

        public TakeAnyAgainstTake() {
            pool.exit(pool.enter());
        }

        @Actor
        public void own() {
            pool.exit(pool.enterOrWait());
        }

        @Actor
        public void steal() {
            while (!pool.gate.tryEnter(0)) {
                Thread.onSpinWait();
            }
            Slot slot = pool.table.claim(Thread.currentThread());
            slot.acquired(1_000);
            slot.begin(0, 0, null, false);
            pool.exit(slot);
        }

        @Arbiter
        public void count(III_Result r) {
            r.r1 = (int) pool.recorder.acquired();
            r.r2 = (int) pool.recorder.released();
            r.r3 = pool.gate.usedCount();
        }
    }

    /** A parked permit is moved while a request of another class takes it, fails in the pool, and parks it again. */
    @JCStressTest
    @Outcome(id = "-1, 1", expect = ACCEPTABLE, desc = "the request has it, or it was not found")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "moved before the request came")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "moved after the request")
    @Outcome(expect = FORBIDDEN, desc = "moved as a permit of the class that it had before")
    @State
    public static class MoveAgainstFailedRequestOfAnotherClass {
        private static final Thread OWNER = new Thread(() -> {});

        private final LeaseTable table = new LeaseTable(new Gate(1, Ticker.SYSTEM), new Recorder(), 1, 1);
        private final Slot slot = table.claim(OWNER);

        public MoveAgainstFailedRequestOfAnotherClass() {
            slot.withdraw();
            slot.park(0);
        }

        @Actor
        public void move(II_Result r) {
            r.r1 = slot.takePermit(ParkedPermits.ANY);
        }

        @Actor
        public void fail(II_Result r) {
            Slot taken = table.take(OWNER, 0);
            if (taken != null) {
                taken.requestClass = 1;
                taken.withdraw();
                taken.park(0);
                r.r2 = 1;
            }
        }
    }
}
