// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.pool.AcquisitionOrder;
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
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;

/** A crowd of all classes at one gate, while it is resized: no permit too many, none lost, no waiter forgotten. */
@Timeout(60)
class ClassGateCrowdTest {
    private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int ROUNDS = 2_000;
    private static final int HIGHEST = 6;
    private static final int[] MOST = {Integer.MAX_VALUE, 2, 1};

    private final ClassGate gate = new ClassGate(
            4,
            Ticker.SYSTEM,
            AcquisitionOrder.FAIR,
            List.of(new ClassShare(0.5, MOST[0]), new ClassShare(0.25, MOST[1]), new ClassShare(0, MOST[2])));
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicIntegerArray insideOf = new AtomicIntegerArray(MOST.length);
    private final AtomicInteger passes = new AtomicInteger();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

    @RepeatedTest(2)
    void noPermitIsLostOrDoubled() throws InterruptedException {
        List<Thread> crowd = new ArrayList<>();
        for (int at = 0; at < 9; at++) {
            int ofClass = at % MOST.length;
            Thread thread = new Thread(() -> visit(ofClass, new Random(ofClass)));
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((t, thrown) -> wrong.add(thrown.toString()));
            crowd.add(thread);
            thread.start();
        }
        Random random = new Random(7);
        for (Thread thread : crowd) {
            while (thread.isAlive()) {
                gate.gate().limit(1 + random.nextInt(HIGHEST), System.nanoTime());
                LockSupport.parkNanos(100_000);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(passes.get()).isPositive();
        assertThat(gate.gate().usedCount()).isZero();
        assertThat(gate.gate().waitingCount()).isZero();
        for (int ofClass = 0; ofClass < MOST.length; ofClass++) {
            assertThat(gate.usedCount(ofClass)).as("class %s", ofClass).isZero();
        }
    }

    private void visit(int ofClass, Random random) {
        for (int round = 0; round < ROUNDS; round++) {
            boolean patient = random.nextInt(3) > 0;
            boolean in = gate.gate().tryEnter(System.nanoTime(), ofClass, false) || waits(ofClass, patient);
            if (in) {
                passThrough(ofClass);
            } else if (patient) {
                wrong.add("forgotten: class " + ofClass + ", " + gate.gate().usedCount() + " used, limit "
                        + gate.gate().limit());
                return;
            }
        }
    }

    private boolean waits(int ofClass, boolean patient) {
        long now = System.nanoTime();
        long until = now + (patient ? FORGOTTEN_NANOS : 20_000);
        Waiter waiter = gate.join(now, ofClass, false, until);
        return gate.gate().await(waiter, until) || !gate.gate().leave(waiter, System.nanoTime());
    }

    private void passThrough(int ofClass) {
        int in = inside.incrementAndGet();
        int its = insideOf.incrementAndGet(ofClass);
        if (in > HIGHEST || its > MOST[ofClass]) {
            wrong.add(in + " inside, " + its + " of class " + ofClass);
        }
        passes.incrementAndGet();
        if (passes.get() % 16 == 0) {
            LockSupport.parkNanos(1);
        }
        insideOf.decrementAndGet(ofClass);
        inside.decrementAndGet();
        gate.gate().exit(System.nanoTime(), Long.MAX_VALUE, ofClass);
    }
}
