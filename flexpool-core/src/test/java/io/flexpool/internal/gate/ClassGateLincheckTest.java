// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A gate with two classes, of which the second one has one permit at most, under operations of several threads in chosen
 * interleavings. What an operation returns depends on who serves, so what is checked is where the gate stands once all have
 * ended: no permit too many, none lost, and no waiter beside a permit that is for it.
 */
@Param(name = "class", gen = IntGen.class, conf = "0:1")
@Param(name = "limit", gen = IntGen.class, conf = "1:3")
public class ClassGateLincheckTest {
    private static final long EARLY = 0;
    private static final long LATE = 2 * Gate.ORDER_AFTER_NANOS;
    private static final long NEVER = Long.MAX_VALUE;
    private static final int CLASSES = 2;
    private static final int BOUNDED = 1;
    private static final int[] MOST = {Integer.MAX_VALUE, 1};

    private final ClassGate gate = gate(2, MOST[BOUNDED]);
    private final List<AtomicInteger> held = List.of(new AtomicInteger(), new AtomicInteger());
    private final List<Queue<ClassWaiter>> waiters =
            List.of(new ConcurrentLinkedQueue<>(), new ConcurrentLinkedQueue<>());

    private static ClassGate gate(int limit, int most) {
        return new ClassGate(
                limit,
                () -> LATE,
                AcquisitionOrder.FAIR,
                List.of(new ClassShare(0.5, Integer.MAX_VALUE), new ClassShare(0.5, most)),
                false);
    }

    /** A newcomer. */
    @Operation
    public void enter(@Param(name = "class") int requestClass) {
        if (gate.gate().tryEnter(LATE, requestClass, false)) {
            held.get(requestClass).incrementAndGet();
        }
    }

    /** The end of a lease, if there is one. */
    @Operation
    public void exit(@Param(name = "class") int requestClass) {
        if (held.get(requestClass).getAndUpdate(permits -> Math.max(0, permits - 1)) > 0) {
            gate.gate().exit(LATE, NEVER, requestClass);
        }
    }

    /** The same of a brief lease: its permit may wait for a waiter that was woken, and the thread that ends it for nothing. */
    @Operation
    public void exitBriefly(@Param(name = "class") int requestClass) {
        if (held.get(requestClass).getAndUpdate(permits -> Math.max(0, permits - 1)) > 0) {
            gate.gate().exit(LATE, 0, requestClass);
        }
    }

    /** A request that waits, after its first look. */
    @Operation
    public void join(@Param(name = "class") int requestClass) {
        ClassWaiter waiter = gate.join(EARLY, requestClass, false, NEVER);
        gate.gate().await(waiter, LATE);
        waiters.get(requestClass).add(waiter);
    }

    /** A request that gives up, if one waits. */
    @Operation
    public void leave(@Param(name = "class") int requestClass) {
        ClassWaiter waiter = waiters.get(requestClass).poll();
        if (waiter != null && !gate.gate().leave(waiter, LATE)) {
            held.get(requestClass).incrementAndGet();
        }
    }

    /** The limit moves. */
    @Operation
    public void resize(@Param(name = "limit") int limit) {
        gate.gate().limit(limit, LATE);
    }

    /** Where the gate stands once nobody does anything. */
    @Validate
    public void settled() {
        for (Queue<ClassWaiter> ofOneClass : waiters) {
            for (ClassWaiter waiter : ofOneClass) {
                if (waiter.woken && waiter.waits()) {
                    // Its thread runs now.
                    gate.gate().await(waiter, LATE);
                }
            }
        }
        int all = 0;
        for (int requestClass = 0; requestClass < CLASSES; requestClass++) {
            int its = held.get(requestClass).get();
            for (ClassWaiter waiter : waiters.get(requestClass)) {
                its += waiter.granted() ? 1 : 0;
            }
            check(its == gate.gate().usedCount(requestClass), "a class has other permits than it is counted for");
            check(its <= MOST[requestClass], "a class has more than its most");
            all += its;
        }
        check(all == gate.gate().usedCount(), "permits are lost, or there are too many");
        for (int requestClass = 0; requestClass < CLASSES; requestClass++) {
            boolean room = all < gate.gate().limit() && gate.gate().usedCount(requestClass) < MOST[requestClass];
            for (ClassWaiter waiter : waiters.get(requestClass)) {
                check(!room || !waiter.waits(), "a waiter sleeps beside a permit");
            }
        }
    }

    private static void check(boolean right, String otherwise) {
        if (!right) {
            throw new IllegalStateException(otherwise);
        }
    }

    /** Newcomers of a class with room for two of them, whose answers are those of some order. */
    public static class Newcomers {
        private final ClassGate gate = gate(3, 2);

        /** Whether it is in. */
        @Operation
        public boolean enter() {
            return gate.gate().tryEnter(LATE, BOUNDED, false);
        }
    }

    /** Waiters of a gate with room for all: a thread that finds another one serving is served by it. */
    public static class Waiters {
        private final ClassGate gate = gate(9, 9);
        private final Queue<ClassWaiter> waiters = new ConcurrentLinkedQueue<>();

        /** A request that waits, after its first look. */
        @Operation
        public void join() {
            ClassWaiter waiter = gate.join(EARLY, BOUNDED, false, NEVER);
            gate.gate().await(waiter, LATE);
            waiters.add(waiter);
        }

        /** Where the gate stands once nobody does anything. */
        @Validate
        public void settled() {
            for (ClassWaiter waiter : waiters) {
                check(waiter.granted(), "a waiter sleeps beside a permit");
            }
        }
    }

    private static ModelCheckingOptions threads(int threads, int iterations, int invocations) {
        return new ModelCheckingOptions()
                .threads(threads)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(0)
                .iterations(iterations)
                .invocationsPerIteration(invocations);
    }

    @Tag("scenario")
    @Test
    void oneThreadServesForTheOthers() {
        threads(2, 2, 100).check(Waiters.class);
    }

    @Test
    @Tag("scenario")
    void noPermitIsLostAndNoWaiterForgotten() {
        threads(3, 40, 2_000).check(ClassGateLincheckTest.class);
        threads(3, 20, 2_000).check(Newcomers.class);
        threads(3, 20, 2_000).check(Waiters.class);
    }
}
