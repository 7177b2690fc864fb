// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.pool.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A crowd of all classes at one gate, while it is resized: no permit too many, none lost, no waiter forgotten. */
@Timeout(300)
class ClassGateCrowdTest {
    private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int ROUNDS = 2_000;
    private static final int HIGHEST = 6;
    private static final int[] MOST = {Integer.MAX_VALUE, 2, 1};

    private ClassGate gate = gate(0.25, MOST);
    private int highest = HIGHEST;
    private int[] most = MOST;
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicIntegerArray insideOf = new AtomicIntegerArray(MOST.length);
    private final AtomicInteger passes = new AtomicInteger();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    private static ClassGate gate(double guarantee, int... most) {
        return new ClassGate(
                4,
                Ticker.SYSTEM,
                AcquisitionOrder.FAIR,
                List.of(new ClassShare(0.5, most[0]), new ClassShare(guarantee, most[1]), new ClassShare(0, most[2])),
                false);
    }

    /** Two classes that take the last permits in the same moment would have all of them. */
    @RepeatedTest(2)
    void togetherTheOtherClassesLeaveOneToTheFirst() throws InterruptedException {
        gate = gate(0, Integer.MAX_VALUE, ClassShare.SPARING, ClassShare.SPARING);
        gate.spares(true);
        highest = 3;
        most = new int[] {0, 3, 3};
        for (Thread thread : crowd(at -> 1 + at % 2)) {
            thread.join();
        }
        assertEmpty();
    }

    /** Two that ask in the same moment, again and again: without the second look both had one in a sixth of the rounds. */
    @Test
    void twoClassesDoNotTakeTheLastTwoInTheSameMoment() throws InterruptedException {
        gate = gate(0, Integer.MAX_VALUE, ClassShare.SPARING, ClassShare.SPARING);
        gate.gate().limit(2, System.nanoTime());
        gate.spares(true);
        List<Thread> two = List.of(new Thread(() -> asksInStep(1)), new Thread(() -> asksInStep(2)));
        two.forEach(Thread::start);
        for (Thread one : two) {
            one.join();
        }
        assertThat(wrong).isEmpty();
        assertThat(gate.gate().usedCount()).isZero();
    }

    private void asksInStep(int requestClass) {
        for (int round = 0; round < 10 * ROUNDS; round++) {
            meet(6 * round + 2);
            boolean in = gate.gate().tryEnter(System.nanoTime(), requestClass, false);
            if (in) {
                inside.incrementAndGet();
            }
            meet(6 * round + 4);
            if (inside.get() > 1) {
                wrong.add("both in round " + round);
            }
            meet(6 * round + 6);
            if (in) {
                inside.decrementAndGet();
                gate.gate().exit(System.nanoTime(), Long.MAX_VALUE, requestClass);
            }
        }
    }

    /** Returns in both threads at once, as far as both run. */
    @SuppressWarnings("ThreadPriorityCheck") // only a hint for machines with one core; a park would return too late
    private void meet(int arrived) {
        passes.incrementAndGet();
        for (int spins = 0; passes.get() < arrived; spins++) {
            if (spins < 2_000) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    @RepeatedTest(2)
    void noPermitIsLostOrDoubled() throws InterruptedException {
        Random random = new Random(7);
        for (Thread thread : crowd(at -> at % MOST.length)) {
            while (thread.isAlive()) {
                gate.gate().limit(1 + random.nextInt(HIGHEST), System.nanoTime());
                LockSupport.parkNanos(100_000);
            }
        }
        assertEmpty();
    }

    private List<Thread> crowd(IntUnaryOperator requestClass) {
        List<Thread> crowd = new ArrayList<>();
        for (int at = 0; at < 9; at++) {
            int its = requestClass.applyAsInt(at);
            Thread thread = new Thread(() -> visit(its, new Random(its)));
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((t, thrown) -> wrong.add(thrown.toString()));
            crowd.add(thread);
            thread.start();
        }
        return crowd;
    }

    private void assertEmpty() {
        assertThat(wrong).isEmpty();
        assertThat(passes.get()).isPositive();
        assertThat(gate.gate().usedCount()).isZero();
        assertThat(gate.gate().waitingCount()).isZero();
        for (int requestClass = 0; requestClass < MOST.length; requestClass++) {
            assertThat(gate.gate().usedCount(requestClass))
                    .as("class %s", requestClass)
                    .isZero();
        }
    }

    private void visit(int requestClass, Random random) {
        for (int round = 0; round < ROUNDS; round++) {
            boolean patient = random.nextInt(3) > 0;
            boolean in = gate.gate().tryEnter(System.nanoTime(), requestClass, false) || waits(requestClass, patient);
            if (in) {
                passThrough(requestClass);
            } else if (patient) {
                wrong.add(
                        "forgotten: class " + requestClass + ", " + gate.gate().usedCount() + " used, limit "
                                + gate.gate().limit());
                return;
            }
        }
    }

    private boolean waits(int requestClass, boolean patient) {
        long now = System.nanoTime();
        long until = now + (patient ? FORGOTTEN_NANOS : 20_000);
        Waiter waiter = gate.join(now, requestClass, false, until);
        return gate.gate().await(waiter, until) || !gate.gate().leave(waiter, System.nanoTime());
    }

    private void passThrough(int requestClass) {
        int in = inside.incrementAndGet();
        int its = insideOf.incrementAndGet(requestClass);
        if (in > highest || its > most[requestClass]) {
            wrong.add(in + " inside, " + its + " of class " + requestClass);
        }
        passes.incrementAndGet();
        if (passes.get() % 16 == 0) {
            LockSupport.parkNanos(1);
        }
        insideOf.decrementAndGet(requestClass);
        inside.decrementAndGet();
        gate.gate().exit(System.nanoTime(), Long.MAX_VALUE, requestClass);
    }
}
