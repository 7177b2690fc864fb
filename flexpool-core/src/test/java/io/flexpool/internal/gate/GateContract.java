// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.pool.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every gate does with requests of one class. */
@Timeout(300)
abstract class GateContract {
    private final List<Thread> threads = new ArrayList<>();

    abstract Gate gate(int limit, Ticker ticker, AcquisitionOrder order);

    final Gate gate(int limit, Ticker ticker) {
        return gate(limit, ticker, AcquisitionOrder.FAIR);
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Thread thread : threads) {
            thread.interrupt();
            thread.join();
        }
    }

    final Thread run(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return thread;
    }

    static boolean enter(Gate gate, long maxNanos) {
        long now = System.nanoTime();
        if (gate.tryEnter(now)) {
            return true;
        }
        Waiter waiter = gate.join(now);
        return gate.await(waiter, now + maxNanos) || !gate.leave(waiter, System.nanoTime());
    }

    @Test
    void noMorePassThanThereArePermits() {
        Gate gate = gate(2, Ticker.SYSTEM);
        assertThat(gate.tryEnter(0)).isTrue();
        assertThat(gate.tryEnter(0)).isTrue();
        assertThat(gate.tryEnter(0)).isFalse();
        assertThat(gate.usedCount()).isEqualTo(2);
        gate.exit(0);
        assertThat(gate.tryEnter(0)).isTrue();
        gate.exit(0);
        gate.exit(0);
        assertThat(gate.usedCount() + gate.waitingCount()).isZero();
    }

    @Test
    void aRaiseServesWaiters() throws Exception {
        Gate gate = gate(1, Ticker.SYSTEM);
        assertThat(gate.tryEnter(System.nanoTime())).isTrue();
        AtomicInteger in = new AtomicInteger();
        for (int at = 0; at < 5; at++) {
            run(() -> {
                if (enter(gate, TimeUnit.SECONDS.toNanos(30))) {
                    in.incrementAndGet();
                }
            });
        }
        eventually(() -> gate.waitingCount() == 5);
        gate.limit(4, System.nanoTime());
        eventually(() -> in.get() == 3);
        assertThat(gate.waitingCount()).isEqualTo(2);
        gate.limit(6, System.nanoTime());
        eventually(() -> in.get() == 5);
        assertThat(gate.usedCount()).isEqualTo(6);
    }

    @Test
    void aLowerLimitAllowsNoMoreOnceTheLeasesAreBack() {
        Gate gate = gate(4, Ticker.SYSTEM);
        for (int at = 0; at < 4; at++) {
            assertThat(gate.tryEnter(0)).isTrue();
        }
        gate.limit(2, 0);
        gate.exit(0);
        gate.exit(0);
        assertThat(gate.tryEnter(0)).isFalse();
        gate.exit(0);
        assertThat(gate.tryEnter(0)).isTrue();
        assertThat(gate.tryEnter(0)).isFalse();
    }

    @Test
    void foreignConnectionsTakePermits() {
        Gate gate = gate(3, Ticker.SYSTEM);
        gate.foreign(2, 0);
        assertThat(gate.tryEnter(0)).isTrue();
        assertThat(gate.tryEnter(0)).isFalse();
        gate.foreign(0, 0);
        assertThat(gate.tryEnter(0)).isTrue();
    }

    @Test
    void aNewcomerQueuesOnceTheOldestHasWaitedLong() throws Exception {
        Gate gate = gate(1, Ticker.SYSTEM);
        assertThat(gate.tryEnter(System.nanoTime())).isTrue();
        AtomicBoolean in = new AtomicBoolean();
        run(() -> in.set(enter(gate, TimeUnit.SECONDS.toNanos(30))));
        eventually(() -> gate.oldestWaitNanos(System.nanoTime()) > 2 * Gate.ORDER_AFTER_NANOS);
        gate.exit(System.nanoTime());
        // The permit was handed over inside released(): no newcomer can have it, not even before the waiter is awake.
        assertThat(gate.tryEnter(System.nanoTime())).isFalse();
        eventually(in::get);
    }

    @Test
    void aReleasedPermitIsGrantedOnlyAfterALongWait() {
        Gate gate = gate(1, Ticker.SYSTEM);
        assertThat(gate.tryEnter(0)).isTrue();
        Waiter waiter = gate.join(0);
        gate.exit(Gate.ORDER_AFTER_NANOS);
        assertThat(waiter.granted()).as("has not waited long").isFalse();
        assertThat(gate.tryEnter(Gate.ORDER_AFTER_NANOS))
                .as("a newcomer may pass")
                .isTrue();
        gate.exit(Gate.ORDER_AFTER_NANOS + 1);
        assertThat(waiter.granted()).as("has waited long").isTrue();
        assertThat(gate.usedCount()).isOne();
    }

    @Test
    void briefLeasesPassAnOldWaiterForAMoment() {
        Gate gate = gate(1, Ticker.SYSTEM);
        assertThat(gate.tryEnter(0)).isTrue();
        Waiter waiter = gate.join(0);
        long first = 2 * Gate.ORDER_AFTER_NANOS;
        gate.exit(first, Gate.BRIEF_NANOS, 0);
        assertThat(waiter.granted()).as("is only woken").isFalse();
        long last = first + Gate.PASS_NANOS - 1;
        assertThat(gate.tryEnter(last)).as("a newcomer may pass").isTrue();
        gate.exit(last, 0, 0);
        assertThat(waiter.granted()).as("still").isFalse();
        assertThat(gate.tryEnter(last)).isTrue();
        gate.exit(last + 2, 0, 0);
        assertThat(waiter.granted()).as("the moment is over").isTrue();
        assertThat(gate.usedCount()).isOne();
    }

    @Test
    void newcomersQueueOnceTheMomentIsOver() {
        Gate gate = gate(1, Ticker.SYSTEM);
        assertThat(gate.tryEnter(0)).isTrue();
        gate.join(0);
        gate.exit(2 * Gate.ORDER_AFTER_NANOS, 0, 0);
        assertThat(gate.tryEnter(2 * Gate.ORDER_AFTER_NANOS + Gate.PASS_NANOS + 1))
                .isFalse();
    }

    @Test
    void aLeaseThatWasNotBriefHandsItsPermitOver() {
        Gate gate = gate(1, Ticker.SYSTEM);
        assertThat(gate.tryEnter(0)).isTrue();
        Waiter waiter = gate.join(0);
        long now = 2 * Gate.ORDER_AFTER_NANOS;
        gate.exit(now, 0, 0);
        assertThat(gate.tryEnter(now)).isTrue();
        gate.exit(now, Gate.BRIEF_NANOS + 1, 0);
        assertThat(waiter.granted()).isTrue();
    }

    @Test
    void forThroughputAnyLeasePassesForLonger() {
        Gate gate = gate(1, Ticker.SYSTEM, AcquisitionOrder.THROUGHPUT);
        assertThat(gate.tryEnter(0)).isTrue();
        Waiter waiter = gate.join(0);
        long first = 2 * Gate.ORDER_AFTER_NANOS;
        gate.exit(first, TimeUnit.SECONDS.toNanos(1), 0);
        assertThat(waiter.granted()).as("is only woken").isFalse();
        long last = first + Gate.PASS_FOR_THROUGHPUT_NANOS - 1;
        assertThat(gate.tryEnter(last)).as("a newcomer may pass").isTrue();
        gate.exit(last + 2, TimeUnit.SECONDS.toNanos(1), 0);
        assertThat(waiter.granted()).as("the moment is over").isTrue();
    }

    /** The next oldest has a moment of its own: of n waiters the last is passed for n of them at most. */
    @Test
    void eachWaiterIsPassedForOneMoment() {
        Gate gate = gate(1, Ticker.SYSTEM);
        assertThat(gate.tryEnter(0)).isTrue();
        List<Waiter> waiters = List.of(gate.join(0), gate.join(0), gate.join(0));
        long now = 2 * Gate.ORDER_AFTER_NANOS;
        for (Waiter waiter : waiters) {
            gate.exit(now, 0, 0);
            assertThat(waiter.granted()).isFalse();
            assertThat(gate.tryEnter(now)).isTrue();
            now += Gate.PASS_NANOS + 1;
            gate.exit(now, 0, 0);
            assertThat(waiter.granted()).isTrue();
        }
        assertThat(gate.waitingCount()).isZero();
    }

    @Test
    void anOfferedPermitIsKeptForALongWaiter() {
        Gate gate = gate(1, Ticker.SYSTEM);
        assertThat(gate.tryEnter(0)).isTrue();
        Waiter waiter = gate.join(0);
        gate.exit(1);
        assertThat(gate.tryEnter(Gate.ORDER_AFTER_NANOS + 1)).isFalse();
        assertThat(gate.leave(waiter, Gate.ORDER_AFTER_NANOS + 1)).isTrue();
    }

    /** A waiter that was woken for a permit and leaves instead must pass the wake-up on. */
    @Test
    void aLeavingWaiterPassesItsOfferOn() {
        Gate gate = gate(1, Ticker.SYSTEM);
        assertThat(gate.tryEnter(0)).isTrue();
        Waiter first = gate.join(0);
        Waiter second = gate.join(0);
        gate.exit(1);
        assertThat(first.granted() || second.granted()).isFalse();
        assertThat(gate.leave(first, 2)).isTrue();
        assertThat(second.granted()).isTrue();
    }

    @Test
    void anInterruptedWaiterLeavesAndTheNextIsServed() throws Exception {
        Gate gate = gate(1, Ticker.SYSTEM);
        assertThat(gate.tryEnter(System.nanoTime())).isTrue();
        AtomicBoolean first = new AtomicBoolean(true);
        AtomicBoolean flagKept = new AtomicBoolean();
        Thread interrupted = run(() -> {
            first.set(enter(gate, TimeUnit.SECONDS.toNanos(30)));
            flagKept.set(Thread.currentThread().isInterrupted());
        });
        eventually(() -> gate.waitingCount() == 1);
        AtomicBoolean second = new AtomicBoolean();
        run(() -> second.set(enter(gate, TimeUnit.SECONDS.toNanos(30))));
        eventually(() -> gate.waitingCount() == 2);
        interrupted.interrupt();
        interrupted.join();
        assertThat(first).isFalse();
        assertThat(flagKept).isTrue();
        gate.exit(System.nanoTime());
        eventually(second::get);
    }

    @Test
    void awaitingAgainKeepsThePlaceInTheQueue() throws Exception {
        Gate gate = gate(1, Ticker.SYSTEM);
        assertThat(gate.tryEnter(System.nanoTime())).isTrue();
        ConcurrentLinkedQueue<String> order = new ConcurrentLinkedQueue<>();
        run(() -> {
            Waiter waiter = gate.join(System.nanoTime());
            while (!gate.await(waiter, System.nanoTime() + 2_000_000)) {
                if (Thread.currentThread().isInterrupted()) {
                    return;
                }
            }
            order.add("first");
            gate.exit(System.nanoTime());
        });
        eventually(() -> gate.waitingCount() == 1);
        run(() -> {
            if (enter(gate, TimeUnit.SECONDS.toNanos(30))) {
                order.add("second");
            }
        });
        eventually(() -> gate.waitingCount() == 2);
        Thread.sleep(20);
        gate.exit(System.nanoTime());
        eventually(() -> order.size() == 2);
        assertThat(order).containsExactly("first", "second");
    }
}
