// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.flexpool.internal.context.RequestOwner;
import io.flexpool.internal.gate.ParkedPermits;
import io.flexpool.internal.record.Recorder;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** The scan gives back and corrects what a request left over, while that request or another one goes on. One stripe. */
public class SlotRepairStress {
    private static final long SECOND = 1_000_000_000;
    private static final int FIRST = 1;
    private static final int NEXT = 2;

    private static class Table {
        final LeaseTable table = new LeaseTable(null, new Recorder(), 1, 1);

        Slot lease(int number) {
            Slot slot = table.claim(Thread.currentThread());
            slot.begin(number, number, null, false);
            return slot;
        }

        int open() {
            return table.openCount(ParkedPermits.ANY);
        }
    }

    /**
     * A thread cannot give its slot back and abandons it, while two ticks look for such slots, and a further request takes the slot
     * as soon as it is free.
     */
    @JCStressTest
    @Outcome(id = "2, 2, 0", expect = ACCEPTABLE, desc = "given back once: the next lease is open, and is counted once")
    @Outcome(expect = FORBIDDEN, desc = "given back twice: the next lease ended, or its slot is not counted")
    @State
    public static class AbandonedAgainstTwoTicks extends Table {
        private final Slot first = lease(FIRST);
        private final Slot failed = table.claim(Thread.currentThread());
        private int next;

        @Actor
        public void abandon() {
            failed.abandoned = true;
        }

        @Actor
        public void tick() {
            table.takeAbandoned(Slot::vacate);
        }

        @Actor
        public void tickAndNext() {
            table.takeAbandoned(Slot::vacate);
            next = lease(NEXT).place;
        }

        @Arbiter
        public void count(III_Result r) {
            table.takeAbandoned(Slot::vacate);
            r.r1 = open();
            Slot slot = table.at(next);
            r.r2 = (int) slot.acquiredNanos;
            slot.vacate();
            r.r3 = first.overflowing() ? 1 : 0;
        }
    }

    /** The number of further slots is too high since a stack ended, and is corrected while a further one is taken. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "corrected, and the further slot is counted")
    @Outcome(
            id = "1, 1",
            expect = ACCEPTABLE_INTERESTING,
            desc = "the further slot came first: the number is corrected when none has been taken for a while")
    @Outcome(expect = FORBIDDEN, desc = "a further slot is taken and not counted: its thread seems to have no lease")
    @State
    public static class CorrectionAgainstAClaim extends Table {
        private final Slot first = lease(FIRST);
        private int further;

        public CorrectionAgainstAClaim() {
            first.overflows(1);
            table.scan(0);
        }

        @Actor
        public void scan() {
            table.scan(SECOND);
        }

        @Actor
        public void claim() {
            further = lease(NEXT).place;
        }

        @Arbiter
        public void count(II_Result r) {
            r.r1 = first.overflowing() ? 1 : 0;
            table.at(further).vacate();
            r.r2 = first.overflowing() ? 1 : 0;
        }
    }

    /**
     * Two threads carry one owner. One is between its claim and its lease for so long that the scan has seen it twice; the
     * other one looks whether the owner has a lease, and takes a slot too.
     */
    @JCStressTest
    @Outcome(id = "2, 3", expect = ACCEPTABLE, desc = "two leases in two slots")
    @Outcome(expect = FORBIDDEN, desc = "the second request gave back the slot in which the first one began")
    @State
    public static class OneOwnerOnTwoThreads extends Table {
        private final RequestOwner owner = RequestOwner.create("coroutine");
        private final Slot slow;
        private int other;

        public OneOwnerOnTwoThreads() {
            Runnable lay = owner.makeCurrent();
            slow = table.claim(Thread.currentThread());
            table.scan(0);
            table.scan(SECOND);
            lay.run();
        }

        @Actor
        public void begin() {
            slow.begin(FIRST, FIRST, null, false);
        }

        @Actor
        public void other() {
            Runnable lay = owner.makeCurrent();
            table.heldBy(Thread.currentThread());
            other = lease(NEXT).place;
            lay.run();
        }

        @Arbiter
        public void count(II_Result r) {
            r.r1 = open();
            r.r2 = (int) (slow.acquiredNanos + table.at(other).acquiredNanos);
        }
    }

    /** A thread could not end its lease and leaves that to others: two ticks do so at once. */
    @JCStressTest
    @Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "it ended once, and the next lease is open")
    @Outcome(expect = FORBIDDEN, desc = "it ended twice: with the next lease, or a slot is counted that is free")
    @State
    public static class SweepAgainstALateEnd extends Table {
        private final Thread thread = new Thread(() -> {});
        private int next;

        public SweepAgainstALateEnd() {
            Slot ended = table.claim(thread);
            ended.begin(FIRST, FIRST, null, false);
            ended.abandoned = true;
        }

        @Actor
        public void sweep() {
            table.takeAbandoned(Slot::vacate);
        }

        @Actor
        public void next() {
            table.takeAbandoned(Slot::vacate);
            Slot slot = table.claim(thread);
            slot.begin(NEXT, NEXT, null, false);
            next = slot.place;
        }

        @Arbiter
        public void count(III_Result r) {
            r.r1 = open();
            r.r2 = (int) table.at(next).acquiredNanos;
            table.at(next).vacate();
            r.r3 = table.at(0).overflowing() ? 1 : 0;
        }
    }
}
