// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.record.Recorder;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

/** The slots of open leases, while threads take, free and read them. All threads here share the one stripe. */
public class LeaseTableStress {
    private static final int FIRST = 1;
    private static final int SECOND = 2;
    /** Leases of the stripe before it grows. */
    private static final int FULL = 8;

    private static class Table {
        final LeaseTable table = new LeaseTable(null, new Recorder(), 1, 1);

        /** A lease whose figures all say whose it is. */
        Slot lease(int number) {
            Slot slot = table.claim(Thread.currentThread());
            slot.begin(number, number, null, false);
            return slot;
        }

        static void end(Slot slot) {
            slot.vacate();
        }

        int open() {
            int[] seen = new int[1];
            table.forEach((slot, generation) -> seen[0]++);
            return seen[0];
        }
    }

    /** A thread without a lease looks for one in the slot that it had, while another thread takes that slot. */
    @JCStressTest
    @Outcome(id = "false", expect = ACCEPTABLE, desc = "it has none")
    @Outcome(expect = FORBIDDEN, desc = "the other thread's lease counts as its own, and its request as nested")
    @State
    public static class LookAgainstTheNextOwner extends Table {
        @Actor
        public void look(Z_Result r) {
            end(lease(FIRST));
            r.r1 = table.heldBy(Thread.currentThread()) != null;
        }

        @Actor
        public void next() {
            lease(SECOND);
        }
    }

    /** Two threads take a slot each. */
    @JCStressTest
    @Outcome(id = "1, 2, 2", expect = ACCEPTABLE, desc = "two leases in two slots, each as it began")
    @Outcome(expect = FORBIDDEN, desc = "two leases in one slot, or one that is not seen")
    @State
    public static class TwoClaims extends Table {
        private int one;
        private int other;

        @Actor
        public void one() {
            one = lease(FIRST).place;
        }

        @Actor
        public void other() {
            other = lease(SECOND).place;
        }

        @Arbiter
        public void count(III_Result r) {
            r.r1 = (int) table.at(one).acquiredNanos;
            r.r2 = (int) table.at(other).acquiredNanos;
            r.r3 = one == other ? 1 : open();
        }
    }

    /** Two threads need a slot of a full stripe: both make it longer, and only one of the new parts counts. */
    @JCStressTest
    @Outcome(id = "10, 0", expect = ACCEPTABLE, desc = "ten leases, each found at its place")
    @Outcome(expect = FORBIDDEN, desc = "a lease was lost with the part of the table that lost")
    @State
    public static class TwoGrowths extends Table {
        private int one;
        private int other;

        public TwoGrowths() {
            for (int at = 0; at < FULL; at++) {
                lease(FIRST);
            }
        }

        @Actor
        public void one() {
            one = lease(FIRST).place;
        }

        @Actor
        public void other() {
            other = lease(SECOND).place;
        }

        @Arbiter
        public void count(II_Result r) {
            r.r1 = open();
            r.r2 = (table.at(one).acquiredNanos == FIRST ? 0 : 1) + (table.at(other).acquiredNanos == SECOND ? 0 : 1);
        }
    }

    /** One thread ends a lease, the other begins one. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the freed slot was found at once")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "it was still taken: another one was")
    @Outcome(expect = FORBIDDEN, desc = "the end of one lease took the other with it")
    @State
    public static class EndAgainstClaim extends Table {
        private final Slot ending = lease(FIRST);
        private int begun;

        @Actor
        public void end() {
            end(ending);
        }

        @Actor
        public void begin() {
            begun = lease(SECOND).place;
        }

        @Arbiter
        public void count(II_Result r) {
            r.r1 = open();
            r.r2 = begun == ending.place ? 1 : 0;
            Slot slot = table.at(begun);
            if (slot.acquiredNanos != SECOND || !Slot.isLease(slot.generation())) {
                r.r1 = -1;
            }
        }
    }

    /** A slot is read while its lease ends and the next begins in it. */
    @JCStressTest
    @Outcome(
            id = "0",
            expect = ACCEPTABLE,
            desc = "between two leases, or one ended while it was read: nothing is said")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the first lease, whole")
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "the second lease, whole")
    @Outcome(id = "-1", expect = FORBIDDEN, desc = "half of one lease and half of the other")
    @State
    public static class ReadAgainstReuse extends Table {
        private final Slot slot = lease(FIRST);

        @Actor
        public void reuse() {
            end(slot);
            lease(SECOND);
        }

        @Actor
        public void read(I_Result r) {
            long generation = slot.generation();
            Object owner = slot.owner();
            long acquired = slot.acquiredNanos;
            long waited = slot.waitedNanos;
            if (Slot.isLease(generation) && slot.unchanged(generation)) {
                r.r1 = acquired == waited && owner != null ? (int) acquired : -1;
            }
        }
    }

    /** The sweep marks a suspect while its lease ends and the next begins in the slot. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the thread that ended it found the mark")
    @Outcome(
            id = "false, false",
            expect = ACCEPTABLE_INTERESTING,
            desc = "it ended first: the next walk sees that the slot has gone on")
    @Outcome(expect = FORBIDDEN, desc = "the next lease is taken for the suspect")
    @State
    public static class MarkAgainstEnd extends Table {
        private static final OpenLease LEASE = new LeaseTracker.Open(
                "worker", 1, false, null, Duration.ZERO, OpenLease.Activity.UNKNOWN, null, null, true, null, null);
        private final Slot slot = lease(FIRST);
        private final long generation = slot.generation();
        private final LeakDetector.Suspect suspect =
                new LeakDetector.Suspect(slot, generation, FIRST, LEASE, new AtomicBoolean());

        @Actor
        public void sweep() {
            slot.mark(suspect);
        }

        @Actor
        public void reuse(ZZ_Result r) {
            LeakDetector.Suspect found = slot.suspect;
            r.r1 = found != null && found.isOf(slot.generation());
            end(slot);
            lease(SECOND);
        }

        @Arbiter
        public void next(ZZ_Result r) {
            LeakDetector.Suspect left = slot.suspect;
            r.r2 = left != null && left.isOf(slot.generation());
        }
    }
}
