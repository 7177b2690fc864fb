// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.flexpool.pool.Ticker;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * What the gate's word holds while permits are taken, given back and handed over. Time is a parameter here: a waiter
 * joined at 0 and is served at {@link #LATE}, so that every permit is handed over and no thread sleeps.
 */
public class GateGrantStress {
    private static final long EARLY = 0;
    private static final long LATE = 2 * Gate.ORDER_AFTER_NANOS;
    private static final Ticker AT_LATE = () -> LATE;

    private static int granted(Waiter waiter) {
        return waiter.granted() ? 1 : 0;
    }

    /** Two newcomers, one permit. */
    @JCStressTest
    @Outcome(
            id = {"true, false, 1", "false, true, 1"},
            expect = ACCEPTABLE,
            desc = "one has the permit")
    @Outcome(expect = FORBIDDEN, desc = "the permit was granted twice, or lost")
    @State
    public static class TwoNewcomers {
        private final Gate gate = new Gate(1, AT_LATE);

        @Actor
        public void one(ZZI_Result r) {
            r.r1 = gate.tryEnter(EARLY);
        }

        @Actor
        public void other(ZZI_Result r) {
            r.r2 = gate.tryEnter(EARLY);
        }

        @Arbiter
        public void count(ZZI_Result r) {
            r.r3 = gate.usedCount();
        }
    }

    /** One free permit, a newcomer who may pass, and a waiter who looks: both want it. */
    @JCStressTest
    @Outcome(
            id = {"true, false, 1", "false, true, 1"},
            expect = ACCEPTABLE,
            desc = "one has the permit")
    @Outcome(expect = FORBIDDEN, desc = "the permit was granted twice, or lost")
    @State
    public static class NewcomerAgainstWaiter {
        private final Gate gate = new Gate(1, AT_LATE);
        private final Waiter waiter = gate.join(EARLY);

        @Actor
        public void newcomer(ZZI_Result r) {
            r.r1 = gate.tryEnter(EARLY);
        }

        @Actor
        public void waiter(ZZI_Result r) {
            r.r2 = gate.await(waiter, LATE);
        }

        @Arbiter
        public void count(ZZI_Result r) {
            r.r3 = gate.usedCount();
        }
    }

    /** The limit goes from 2 to 1 while a second permit is requested; with one in use, the next finds the new limit. */
    @JCStressTest
    @Outcome(
            id = "true, 2, 0",
            expect = ACCEPTABLE,
            desc = "the grant came first; it is over the new limit, and no other request enters")
    @Outcome(id = "false, 1, 0", expect = ACCEPTABLE, desc = "the lower limit came first")
    @Outcome(expect = FORBIDDEN, desc = "a grant beyond the limit, or a permit miscounted")
    @State
    public static class LowerAgainstNewcomer {
        private final Gate gate = new Gate(2, AT_LATE);

        public LowerAgainstNewcomer() {
            gate.tryEnter(EARLY);
        }

        @Actor
        public void lower() {
            gate.limit(1, EARLY);
        }

        @Actor
        public void newcomer(ZII_Result r) {
            r.r1 = gate.tryEnter(EARLY);
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = gate.usedCount();
            if (r.r1) {
                gate.exit(EARLY);
            }
            r.r3 = gate.tryEnter(EARLY) ? 1 : 0;
        }
    }

    /** A permit is given back while its waiter leaves: it is either the waiter's or free. */
    @JCStressTest
    @Outcome(id = "true, 0, 0", expect = ACCEPTABLE, desc = "the waiter left in time, the permit is free")
    @Outcome(id = "false, 1, 0", expect = ACCEPTABLE, desc = "the permit was handed over first and is the waiter's")
    @Outcome(expect = FORBIDDEN, desc = "a permit lost or doubled, or a waiter counted that is none")
    @State
    public static class ReleaseAgainstLeave {
        private final Gate gate = new Gate(1, AT_LATE);
        private final Waiter waiter;

        public ReleaseAgainstLeave() {
            gate.tryEnter(EARLY);
            waiter = gate.join(EARLY);
        }

        @Actor
        public void release() {
            gate.exit(LATE);
        }

        @Actor
        public void leave(ZII_Result r) {
            r.r1 = gate.leave(waiter, LATE);
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = gate.usedCount();
            r.r3 = gate.waitingCount();
        }
    }

    /** As above with a second waiter: the permit must reach it, whichever of the two others is faster. */
    @JCStressTest
    @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "the permit reached the waiter that stayed")
    @Outcome(expect = FORBIDDEN, desc = "the permit went to the one that left and not on to the next")
    @State
    public static class ReleaseAgainstLeaveWithANext {
        private final Gate gate = new Gate(1, AT_LATE);
        private final Waiter leaving;
        private final Waiter staying;

        public ReleaseAgainstLeaveWithANext() {
            gate.tryEnter(EARLY);
            leaving = gate.join(EARLY);
            staying = gate.join(EARLY);
        }

        @Actor
        public void release() {
            gate.exit(LATE);
        }

        @Actor
        public void leave() {
            if (!gate.leave(leaving, LATE)) {
                gate.exit(LATE);
            }
        }

        @Arbiter
        public void count(III_Result r) {
            r.r1 = granted(staying);
            r.r2 = gate.usedCount();
            r.r3 = gate.waitingCount();
        }
    }

    /** Two permits come back at once for two waiters: two servers work on one queue. */
    @JCStressTest
    @Outcome(id = "1, 1, 2, 0", expect = ACCEPTABLE, desc = "each waiter has one permit")
    @Outcome(expect = FORBIDDEN, desc = "a waiter was forgotten or served twice")
    @State
    public static class TwoReleasesForTwoWaiters {
        private final Gate gate = new Gate(2, AT_LATE);
        private final Waiter first;
        private final Waiter second;

        public TwoReleasesForTwoWaiters() {
            gate.tryEnter(EARLY);
            gate.tryEnter(EARLY);
            first = gate.join(EARLY);
            second = gate.join(EARLY);
        }

        @Actor
        public void one() {
            gate.exit(LATE);
        }

        @Actor
        public void other() {
            gate.exit(LATE);
        }

        @Arbiter
        public void count(IIII_Result r) {
            r.r1 = granted(first);
            r.r2 = granted(second);
            r.r3 = gate.usedCount();
            r.r4 = gate.waitingCount();
        }
    }

    /** A permit comes back while the limit rises, for one waiter: it gets one of the two. */
    @JCStressTest
    @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "one permit for the waiter, one is free")
    @Outcome(expect = FORBIDDEN, desc = "the waiter was forgotten, or took both")
    @State
    public static class ReleaseAgainstRaise {
        private final Gate gate = new Gate(1, AT_LATE);
        private final Waiter waiter;

        public ReleaseAgainstRaise() {
            gate.tryEnter(EARLY);
            waiter = gate.join(EARLY);
        }

        @Actor
        public void release() {
            gate.exit(LATE);
        }

        @Actor
        public void raise() {
            gate.limit(2, LATE);
        }

        @Arbiter
        public void count(III_Result r) {
            r.r1 = granted(waiter);
            r.r2 = gate.usedCount();
            r.r3 = gate.waitingCount();
        }
    }

    /** A permit comes back while the limit falls: a permit beyond the limit is not handed over. */
    @JCStressTest
    @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "the lower limit came first: the waiter waits on")
    @Outcome(id = "1, 2, 0", expect = ACCEPTABLE, desc = "the permit was handed over before the limit fell")
    @Outcome(expect = FORBIDDEN, desc = "a permit lost or doubled")
    @State
    public static class ReleaseAgainstLower {
        private final Gate gate = new Gate(2, AT_LATE);
        private final Waiter waiter;

        public ReleaseAgainstLower() {
            gate.tryEnter(EARLY);
            gate.tryEnter(EARLY);
            waiter = gate.join(EARLY);
        }

        @Actor
        public void release() {
            gate.exit(LATE);
        }

        @Actor
        public void lower() {
            gate.limit(1, LATE);
        }

        @Arbiter
        public void count(III_Result r) {
            r.r1 = granted(waiter);
            r.r2 = gate.usedCount();
            r.r3 = gate.waitingCount();
        }
    }

    /** The gate opens while connections borrowed past it are found: it stays open. */
    @JCStressTest
    @Outcome(id = "true, true, 3", expect = ACCEPTABLE, desc = "every newcomer passes")
    @Outcome(expect = FORBIDDEN, desc = "the gate was shut again by a count")
    @State
    public static class OpenAgainstForeign {
        private final Gate gate = new Gate(1, AT_LATE);

        public OpenAgainstForeign() {
            gate.tryEnter(EARLY);
        }

        @Actor
        public void open() {
            gate.open(EARLY);
        }

        @Actor
        public void count() {
            gate.foreign(1, EARLY);
        }

        @Arbiter
        public void enter(ZZI_Result r) {
            r.r1 = gate.tryEnter(EARLY);
            r.r2 = gate.tryEnter(EARLY);
            r.r3 = gate.usedCount();
        }
    }

    /** Each thread looks after its own step, in the middle of the other's. */
    @JCStressTest
    @Outcome(
            id = {"0, 0, 0", "0, 1, 0", "1, 0, 0", "1, 1, 0"},
            expect = ACCEPTABLE,
            desc = "the one permit is in use or not; in the end it is free")
    @Outcome(expect = FORBIDDEN, desc = "the count is negative, or more than there are")
    @State
    public static class CountsAreNeverOutOfRange {
        private final Gate gate = new Gate(1, AT_LATE);
        private final Waiter waiter;

        public CountsAreNeverOutOfRange() {
            gate.tryEnter(EARLY);
            waiter = gate.join(EARLY);
        }

        @Actor
        public void release(III_Result r) {
            gate.exit(LATE);
            r.r1 = gate.usedCount();
        }

        @Actor
        public void leave(III_Result r) {
            if (!gate.leave(waiter, LATE)) {
                gate.exit(LATE);
            }
            r.r2 = gate.usedCount();
        }

        @Arbiter
        public void count(III_Result r) {
            r.r3 = gate.usedCount() + gate.waitingCount();
        }
    }
}
