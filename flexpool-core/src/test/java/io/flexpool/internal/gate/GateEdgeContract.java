// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.pool.Ticker;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gate at the ends of its ranges, and how its waiters sleep. */
@Timeout(300)
abstract class GateEdgeContract {
    private final ManualTicker ticker = new ManualTicker();

    abstract Gate gate(int limit, Ticker clock);

    private Gate taken(Ticker ticker) {
        Gate gate = gate(1, ticker);
        assertThat(gate.tryEnter(ticker.nanos())).isTrue();
        return gate;
    }

    private static Thread waiterAt(Gate gate, AtomicReference<Boolean> answer, long maxNanos) {
        Thread thread = new Thread(() -> {
            long now = System.nanoTime();
            answer.set(gate.await(gate.join(now), now + maxNanos));
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void untilItSleeps(Thread thread, Gate gate) throws InterruptedException {
        while (LockSupport.getBlocker(thread) != gate) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** A waiter that spins instead would pass every other test, and cost a processor. */
    @Test
    void aWaiterSleepsAtTheGateUntilAPermitComes() throws Exception {
        Gate gate = taken(Ticker.SYSTEM);
        AtomicReference<Boolean> answer = new AtomicReference<>();
        Thread waiter = waiterAt(gate, answer, TimeUnit.SECONDS.toNanos(60));
        untilItSleeps(waiter, gate);
        assertThat(answer.get()).isNull();
        gate.exit(System.nanoTime());
        waiter.join();
        assertThat(answer.get()).isTrue();
        assertThat(gate.usedCount()).isOne();
    }

    @Test
    void aWaiterWakesAtItsDeadlineByItself() throws Exception {
        Gate gate = taken(Ticker.SYSTEM);
        AtomicReference<Boolean> answer = new AtomicReference<>();
        waiterAt(gate, answer, 2_000_000).join();
        assertThat(answer.get()).isFalse();
        assertThat(gate.waitingCount()).as("it still stands in the queue").isOne();
    }

    @Test
    void aDeadlineIsReachedInItsVeryNanosecondAndNotBefore() throws Exception {
        Gate gate = taken(ticker);
        long deadline = ticker.nanos() + 1;
        Waiter waiter = gate.join(ticker.nanos());
        ticker.advance(Duration.ofNanos(1));
        assertThat(gate.await(waiter, deadline)).isFalse();
        AtomicReference<Boolean> answer = new AtomicReference<>();
        Thread sleeper = new Thread(() -> answer.set(gate.await(waiter, ticker.nanos() + TimeUnit.HOURS.toNanos(1))));
        sleeper.setDaemon(true);
        sleeper.start();
        untilItSleeps(sleeper, gate);
        sleeper.interrupt();
        sleeper.join();
        assertThat(answer.get()).isFalse();
    }

    /** A permit that was parked by another processor, whose store has not arrived at the first looks. */
    private static final class LateParking implements ParkedPermits {
        private int looksInVain;
        private int permits = 1;

        LateParking(int looksInVain) {
            this.looksInVain = looksInVain;
        }

        @Override
        public int take(int requestClass) {
            boolean taken = count() > 0;
            permits -= taken ? 1 : 0;
            return taken ? 0 : ANY;
        }

        @Override
        public int count() {
            return looksInVain-- > 0 ? 0 : permits;
        }
    }

    /** Else a request waits until its deadline beside an idle connection, if no other lease ends. */
    @Test
    void theFirstWaiterFindsAPermitWhoseParkingItMissedAtFirst() {
        Gate gate = gate(1, Ticker.SYSTEM);
        gate.setParking(new LateParking(1));
        long now = System.nanoTime();
        assertThat(gate.tryEnter(now)).isTrue();

        assertThat(gate.await(gate.join(now), now + TimeUnit.HOURS.toNanos(1)))
                .as("a permit; the time limit of this class interrupts a wait without one")
                .isTrue();
    }

    @Test
    void theTickServesAWaiterThatNoReleaseHasSeen() {
        Gate gate = taken(ticker);
        Waiter waiter = gate.join(ticker.nanos());
        gate.setParking(new LateParking(0));

        gate.repair(ticker.nanos());

        assertThat(waiter.granted()).isTrue();
    }

    @Test
    void openingLetsWaitersPass() throws Exception {
        Gate gate = taken(Ticker.SYSTEM);
        AtomicReference<Boolean> first = new AtomicReference<>();
        AtomicReference<Boolean> second = new AtomicReference<>();
        Thread one = waiterAt(gate, first, TimeUnit.SECONDS.toNanos(60));
        Thread other = waiterAt(gate, second, TimeUnit.SECONDS.toNanos(60));
        untilItSleeps(one, gate);
        untilItSleeps(other, gate);
        gate.open(System.nanoTime());
        one.join();
        other.join();
        assertThat(first.get()).isTrue();
        assertThat(second.get()).isTrue();
        assertThat(gate.usedCount()).isEqualTo(3);
        assertThat(gate.foreign()).isZero();
    }

    @Test
    void openingLetsNewcomersPass() throws Exception {
        Gate gate = taken(Ticker.SYSTEM);
        assertThat(gate.tryEnter(System.nanoTime())).isFalse();
        gate.open(System.nanoTime());
        assertThat(gate.tryEnter(System.nanoTime())).isTrue();
        assertThat(gate.usedCount()).isEqualTo(2);
    }

    @Test
    void returnedForeignConnectionsServeWaiters() {
        Gate gate = gate(1, ticker);
        gate.foreign(1, ticker.nanos());
        assertThat(gate.foreign()).isOne();
        Waiter waiter = gate.join(ticker.nanos());
        gate.foreign(0, ticker.nanos());
        assertThat(waiter.granted()).isTrue();
        assertThat(gate.foreign()).isZero();
    }

    @Test
    void theOldestWaitIsNeverNegative() {
        Gate gate = taken(ticker);
        assertThat(gate.oldestWaitNanos(ticker.nanos())).isZero();
        Waiter first = gate.join(ticker.nanos());
        ticker.advance(Duration.ofNanos(5));
        gate.join(ticker.nanos());
        assertThat(gate.oldestWaitNanos(ticker.nanos() + 2)).isEqualTo(7);
        assertThat(gate.leave(first, ticker.nanos())).isTrue();
        assertThat(gate.oldestWaitNanos(ticker.nanos() + 2)).isEqualTo(2);
        assertThat(gate.oldestWaitNanos(ticker.nanos() - 1)).isZero();
    }

    @Test
    void aGrantedWaiterCannotLeaveWithoutItsPermit() {
        Gate gate = taken(ticker);
        Waiter waiter = gate.join(ticker.nanos());
        gate.limit(2, ticker.nanos());
        assertThat(waiter.granted()).isTrue();
        assertThat(gate.leave(waiter, ticker.nanos())).isFalse();
        assertThat(gate.usedCount()).isEqualTo(2);
        assertThat(gate.waitingCount()).isZero();
    }

    /** The count went below zero: the loop had taken off who was about to do so itself. */
    @Test
    void aWaiterUncountedByTheTickIsNotUncountedTwice() {
        Gate gate = taken(ticker);
        Waiter waiter = gate.join(ticker.nanos());
        waiter.left = true;
        for (int look = 0; look < 20; look++) {
            gate.repair(ticker.nanos());
        }
        assertThat(gate.waitingCount()).isZero();
        gate.leave(waiter, ticker.nanos());
        assertThat(gate.waitingCount()).isZero();
    }

    /** The count became negative in a crowd, for those who were about to leave were taken for phantoms and taken off twice. */
    @Test
    void aLeavingWaiterIsUncountedOnce() throws Exception {
        Gate gate = taken(Ticker.SYSTEM);
        Thread[] crowd = new Thread[32];
        for (int at = 0; at < crowd.length; at++) {
            crowd[at] = new Thread(() -> {
                for (int round = 0; round < 500; round++) {
                    long now = System.nanoTime();
                    Waiter waiter = gate.join(now);
                    assertThat(gate.await(waiter, now)).isFalse();
                    gate.leave(waiter, now);
                }
            });
            crowd[at].start();
        }
        boolean leaving = true;
        while (leaving) {
            gate.repair(System.nanoTime());
            assertThat(gate.waitingCount()).isBetween(0, crowd.length);
            leaving = false;
            for (Thread one : crowd) {
                leaving |= one.isAlive();
            }
        }
        assertThat(gate.waitingCount()).isZero();
        assertThat(gate.queuedNanos(System.nanoTime())).isEqualTo(gate.queuedNanos(System.nanoTime() + 1_000_000));
    }
}
