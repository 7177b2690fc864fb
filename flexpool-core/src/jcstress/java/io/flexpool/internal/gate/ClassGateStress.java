// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.flexpool.pool.Ticker;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZII_Result;

/** A gate with two classes, of which the second one has one permit at most, while two threads change it at once. */
public class ClassGateStress {
    private static final long EARLY = 0;
    private static final long LATE = 2 * Gate.ORDER_AFTER_NANOS;
    private static final int ANY = 0;
    private static final int ONE_AT_MOST = 1;
    private static final long NEVER = Long.MAX_VALUE;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long NO_PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** One lost wake-up fails the run; were each waited for, thousands of them would make it last for hours. */
    private static volatile boolean lost;

    private static ClassGate gate(int limit, Ticker ticker) {
        return new ClassGate(
                limit,
                ticker,
                AcquisitionOrder.FAIR,
                List.of(new ClassShare(0.5, Integer.MAX_VALUE), new ClassShare(0.5, 1)),
                false);
    }

    private static int granted(Waiter waiter) {
        return waiter.granted() ? 1 : 0;
    }

    private static boolean waitForPermit(ClassGate gate, int requestClass) {
        long now = System.nanoTime();
        long patience = lost ? NO_PATIENCE_NANOS : PATIENCE_NANOS;
        Waiter waiter = gate.join(now, requestClass, false, NEVER);
        boolean served = gate.gate().await(waiter, now + patience) && System.nanoTime() - now < patience;
        lost |= !served;
        return served;
    }

    /** Two newcomers of a class with room for one, and permits for both. */
    @JCStressTest
    @Outcome(
            id = {"1, 0, 1, 1", "0, 1, 1, 1"},
            expect = ACCEPTABLE,
            desc = "one is in")
    @Outcome(expect = FORBIDDEN, desc = "the class has more than its most, or no request came in, or a permit is lost")
    @State
    public static class TwoNewcomersOfAClassWithRoomForOne {
        private final ClassGate gate = gate(2, () -> LATE);

        @Actor
        public void one(IIII_Result r) {
            r.r1 = gate.gate().tryEnter(EARLY, ONE_AT_MOST, false) ? 1 : 0;
        }

        @Actor
        public void other(IIII_Result r) {
            r.r2 = gate.gate().tryEnter(EARLY, ONE_AT_MOST, false) ? 1 : 0;
        }

        @Arbiter
        public void count(IIII_Result r) {
            r.r3 = gate.gate().usedCount();
            r.r4 = gate.gate().usedCount(ONE_AT_MOST);
        }
    }

    /** Two permits come back at once for waiters of two classes: two threads want to serve. */
    @JCStressTest
    @Outcome(id = "1, 1, 2, 0", expect = ACCEPTABLE, desc = "each waiter has one permit")
    @Outcome(expect = FORBIDDEN, desc = "a waiter was forgotten or served twice")
    @State
    public static class TwoReleasesForWaitersOfTwoClasses {
        private final ClassGate gate = gate(2, () -> LATE);
        private final Waiter first;
        private final Waiter second;

        public TwoReleasesForWaitersOfTwoClasses() {
            gate.gate().tryEnter(EARLY, ANY, false);
            gate.gate().tryEnter(EARLY, ONE_AT_MOST, false);
            first = gate.join(EARLY, ANY, false, NEVER);
            second = gate.join(EARLY, ONE_AT_MOST, false, NEVER);
        }

        @Actor
        public void one() {
            gate.gate().exit(LATE, NEVER, ANY);
        }

        @Actor
        public void other() {
            gate.gate().exit(LATE, NEVER, ONE_AT_MOST);
        }

        @Arbiter
        public void count(IIII_Result r) {
            r.r1 = granted(first);
            r.r2 = granted(second);
            r.r3 = gate.gate().usedCount();
            r.r4 = gate.gate().waitingCount();
        }
    }

    /** A permit of a class comes back while a newcomer of the other class takes the free one: the waiter needs the class's. */
    @JCStressTest
    @Outcome(id = "1, 1, 2, 0", expect = ACCEPTABLE, desc = "both are in")
    @Outcome(expect = FORBIDDEN, desc = "one is not, or a permit is lost")
    @State
    public static class ReleaseOfAFullClassAgainstANewcomer {
        private final ClassGate gate = gate(2, () -> LATE);
        private final Waiter waiter;
        /** Who had to queue while the waiter was being served; null if it did not. */
        private @Nullable Waiter newcomer;

        public ReleaseOfAFullClassAgainstANewcomer() {
            gate.gate().tryEnter(EARLY, ONE_AT_MOST, false);
            waiter = gate.join(EARLY, ONE_AT_MOST, false, NEVER);
        }

        @Actor
        public void release() {
            gate.gate().exit(LATE, NEVER, ONE_AT_MOST);
        }

        @Actor
        public void enter() {
            if (!gate.gate().tryEnter(LATE, ANY, false)) {
                Waiter joined = gate.join(LATE, ANY, false, NEVER);
                newcomer = joined;
                gate.gate().await(joined, LATE);
            }
        }

        @Arbiter
        public void count(IIII_Result r) {
            r.r1 = newcomer == null ? 1 : granted(newcomer);
            r.r2 = granted(waiter);
            r.r3 = gate.gate().usedCount();
            r.r4 = gate.gate().waitingCount();
        }
    }

    /** A waiter's time is over when a permit comes back for it, while it leaves: the next one gets the permit. */
    @JCStressTest
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "it left without a permit, the next one has it")
    @Outcome(expect = FORBIDDEN, desc = "the permit went to the one whose time is over, or nowhere")
    @State
    public static class ReleaseAgainstAWaiterWhoseTimeIsOver {
        private final ClassGate gate = gate(1, () -> LATE);
        private final Waiter late;
        private final Waiter next;

        public ReleaseAgainstAWaiterWhoseTimeIsOver() {
            gate.gate().tryEnter(EARLY, ANY, false);
            late = gate.join(EARLY, ANY, false, LATE);
            next = gate.join(EARLY, ANY, false, NEVER);
        }

        @Actor
        public void release() {
            gate.gate().exit(LATE, NEVER, ANY);
        }

        @Actor
        public void leave(ZII_Result r) {
            r.r1 = gate.gate().leave(late, LATE);
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = granted(next);
            r.r3 = gate.gate().waitingCount();
        }
    }

    /** A class's permit comes back while a thread of it joins: no wake-up is lost. */
    @JCStressTest
    @Outcome(id = "true, 2, 0", expect = ACCEPTABLE, desc = "the waiter has the permit")
    @Outcome(expect = FORBIDDEN, desc = "the waiter sleeps beside room in its class")
    @State
    public static class ReleaseOfAClassAgainstJoin {
        private final ClassGate gate = gate(3, Ticker.SYSTEM);

        public ReleaseOfAClassAgainstJoin() {
            long now = System.nanoTime();
            gate.gate().tryEnter(now, ANY, false);
            gate.gate().tryEnter(now, ONE_AT_MOST, false);
        }

        @Actor
        public void release() {
            gate.gate().exit(System.nanoTime(), NEVER, ONE_AT_MOST);
        }

        @Actor
        public void join(ZII_Result r) {
            r.r1 = waitForPermit(gate, ONE_AT_MOST);
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = gate.gate().usedCount();
            r.r3 = gate.gate().waitingCount();
        }
    }

    /** Two threads look at once for two permits that came back before: the one that does not serve is served by the other. */
    @JCStressTest
    @Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "both have one")
    @Outcome(expect = FORBIDDEN, desc = "one went on without being served")
    @State
    public static class TwoWaitersLook {
        private final ClassGate gate = gate(2, () -> LATE);
        private final Waiter first = gate.join(EARLY, ANY, false, NEVER);
        private final Waiter second = gate.join(EARLY, ONE_AT_MOST, false, NEVER);

        @Actor
        public void one() {
            gate.gate().await(first, LATE);
        }

        @Actor
        public void other() {
            gate.gate().await(second, LATE);
        }

        @Arbiter
        public void count(III_Result r) {
            r.r1 = granted(first);
            r.r2 = granted(second);
            r.r3 = gate.gate().usedCount();
        }
    }

    /** A permit leaves the class whose most it was, while one of the other class comes back: two threads want to serve. */
    @JCStressTest
    @Outcome(
            id = "1, 2, 1",
            expect = ACCEPTABLE,
            desc = "the permit that came back has gone to one of the two that waited")
    @Outcome(expect = FORBIDDEN, desc = "both waiters sleep beside a free permit, or both have it")
    @State
    public static class MoveAgainstAWaiterOfEitherClass {
        private final ClassGate gate = gate(2, () -> LATE);
        private final Waiter ofTheOld;
        private final Waiter ofTheNew;

        public MoveAgainstAWaiterOfEitherClass() {
            gate.gate().tryEnter(EARLY, ONE_AT_MOST, false);
            gate.gate().tryEnter(EARLY, ANY, false);
            ofTheOld = gate.join(EARLY, ONE_AT_MOST, false, NEVER);
            ofTheNew = gate.join(EARLY, ANY, false, NEVER);
        }

        @Actor
        public void move() {
            gate.gate().move(ONE_AT_MOST, ANY);
            gate.gate().afterPark(LATE, NEVER);
        }

        @Actor
        public void release() {
            gate.gate().exit(LATE, NEVER, ANY);
        }

        @Arbiter
        public void count(III_Result r) {
            r.r1 = granted(ofTheOld) + granted(ofTheNew);
            r.r2 = gate.gate().usedCount();
            r.r3 = gate.gate().waitingCount();
        }
    }

    /** A permit moves into the class that has a most, while a permit comes back for a waiter of that class. */
    @JCStressTest
    @Outcome(
            id = "1, 0, 1, 1",
            expect = ACCEPTABLE,
            desc = "the move was first: the class has its most, the waiter waits")
    @Outcome(id = "0, 1, 2, 1", expect = ACCEPTABLE, desc = "the waiter was first, and the permit keeps its class")
    @Outcome(expect = FORBIDDEN, desc = "the class has more than its most, or a permit is lost")
    @State
    public static class MoveIntoAClassAgainstItsWaiter {
        private final ClassGate gate = gate(2, () -> LATE);
        private final Waiter waiter;

        public MoveIntoAClassAgainstItsWaiter() {
            gate.gate().tryEnter(EARLY, ANY, false);
            gate.gate().tryEnter(EARLY, ANY, false);
            waiter = gate.join(EARLY, ONE_AT_MOST, false, NEVER);
        }

        @Actor
        public void move(IIII_Result r) {
            r.r1 = gate.gate().move(ANY, ONE_AT_MOST) ? 1 : 0;
            gate.gate().afterPark(LATE, NEVER);
        }

        @Actor
        public void release() {
            gate.gate().exit(LATE, NEVER, ANY);
        }

        @Arbiter
        public void count(IIII_Result r) {
            r.r2 = granted(waiter);
            r.r3 = gate.gate().usedCount();
            r.r4 = gate.gate().usedCount(ONE_AT_MOST);
        }
    }

    /** A waiter whose time is over leaves, while a permit comes back and the thread that serves finds its time over too. */
    @JCStressTest
    @Outcome(id = "true, 0, 0", expect = ACCEPTABLE, desc = "it has left without a permit, uncounted once")
    @Outcome(expect = FORBIDDEN, desc = "it is said to have a permit, or was uncounted twice, or a permit is lost")
    @State
    public static class ExpiryAgainstLeave {
        private final ClassGate gate = gate(1, () -> LATE);
        private final Waiter waiter;

        public ExpiryAgainstLeave() {
            gate.gate().tryEnter(EARLY, ANY, false);
            waiter = gate.join(EARLY, ANY, false, LATE - 1);
        }

        @Actor
        public void leave(ZII_Result r) {
            r.r1 = gate.gate().leave(waiter, LATE);
        }

        @Actor
        public void release() {
            gate.gate().exit(LATE, NEVER, ANY);
        }

        @Arbiter
        public void count(ZII_Result r) {
            r.r2 = gate.gate().usedCount();
            r.r3 = gate.gate().waitingCount();
        }
    }

    /** A permit comes back for a waiter that was woken before, and is about to serve: the release need not choose anybody. */
    @JCStressTest
    @Outcome(id = "true, 1, 0", expect = ACCEPTABLE, desc = "the waiter has the permit")
    @Outcome(expect = FORBIDDEN, desc = "both thought that the other one serves")
    @State
    public static class ReleaseAgainstAWokenWaiter {
        private final ClassGate gate = gate(1, () -> EARLY);
        private final Waiter waiter;

        public ReleaseAgainstAWokenWaiter() {
            gate.gate().tryEnter(EARLY, ANY, false);
            waiter = gate.join(EARLY, ANY, false, NEVER);
            waiter.woken = true;
        }

        @Actor
        public void release() {
            gate.gate().exit(EARLY, NEVER, ANY);
        }

        @Actor
        public void await() {
            gate.gate().await(waiter, EARLY);
        }

        @Arbiter
        public void count(ZII_Result r) {
            // It sleeps on if the release has woken it again: then it serves in any case.
            r.r1 = granted(waiter) == 1 || waiter.woken;
            r.r2 = waiter.woken ? 1 : gate.gate().usedCount();
            r.r3 = waiter.woken ? 0 : gate.gate().waitingCount();
        }
    }

    /** A permit comes back beside a woken waiter of a full class, while a request of the other class joins. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the one that joined has the permit, or is woken for it")
    @Outcome(expect = FORBIDDEN, desc = "it sleeps beside a free permit")
    @State
    public static class ReleaseBesideAWokenWaiterAgainstJoin {
        private final ClassGate gate = gate(2, () -> EARLY);
        private final Waiter woken;
        private @Nullable Waiter joined;

        public ReleaseBesideAWokenWaiterAgainstJoin() {
            gate.gate().tryEnter(EARLY, ONE_AT_MOST, false);
            gate.gate().tryEnter(EARLY, ANY, false);
            woken = gate.join(EARLY, ONE_AT_MOST, false, NEVER);
            woken.woken = true;
        }

        @Actor
        public void release() {
            gate.gate().exit(EARLY, NEVER, ANY);
        }

        @Actor
        public void join() {
            Waiter waiter = gate.join(EARLY, ANY, false, NEVER);
            joined = waiter;
            gate.gate().await(waiter, EARLY);
        }

        @Arbiter
        public void count(II_Result r) {
            r.r1 = joined != null && (joined.granted() || joined.woken) ? 1 : 0;
            r.r2 = granted(woken);
        }
    }
}
