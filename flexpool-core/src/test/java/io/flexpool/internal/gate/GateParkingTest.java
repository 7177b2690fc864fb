// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.pool.Ticker;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A permit that was given back while there were more stays near the thread that had it, and is everybody's all the
 * same.
 */
@Timeout(60)
class GateParkingTest {
    private static <T> T elsewhere(Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task.get(30, TimeUnit.SECONDS);
    }

    private static boolean enter(Gate gate) {
        return gate.tryEnter(0);
    }

    /** Parks one permit for each of as many threads. */
    private static void park(Gate gate, int permits) throws Exception {
        for (int at = 0; at < permits; at++) {
            elsewhere(() -> {
                assertThat(enter(gate)).isTrue();
                gate.exit(0);
                return true;
            });
        }
    }

    @Test
    void whatIsParkedIsNotInUse() throws Exception {
        Gate gate = new Gate(4, Ticker.SYSTEM);
        park(gate, 9);
        assertThat(gate.usedCount()).isZero();
        assertThat(enter(gate)).isTrue();
        assertThat(gate.usedCount()).isOne();
    }

    @Test
    void parkedPermitsServeNewcomers() throws Exception {
        Gate gate = new Gate(4, Ticker.SYSTEM);
        park(gate, 9);
        for (int at = 0; at < 4; at++) {
            assertThat(enter(gate)).isTrue();
        }
        assertThat(enter(gate)).isFalse();
        assertThat(gate.usedCount()).isEqualTo(4);
    }

    @Test
    void parkedPermitsServeWaiters() throws Exception {
        Gate gate = new Gate(4, Ticker.SYSTEM);
        park(gate, 9);
        for (int at = 0; at < 4; at++) {
            Gate.Waiter waiter = gate.join(0);
            assertThat(gate.await(waiter, 0)).isTrue();
        }
        assertThat(gate.await(gate.join(0), 0)).isFalse();
    }

    @Test
    void aLowerLimitCountsWhatIsParked() throws Exception {
        Gate gate = new Gate(4, Ticker.SYSTEM);
        assertThat(enter(gate)).isTrue();
        park(gate, 9);
        gate.limit(2, 0);
        assertThat(gate.usedCount()).isOne();
        assertThat(enter(gate)).isTrue();
        assertThat(enter(gate)).isFalse();
        gate.exit(0);
        gate.limit(1, 0);
        assertThat(enter(gate)).as("one is leased").isFalse();
        gate.exit(0);
        assertThat(enter(gate)).isTrue();
        assertThat(enter(gate)).isFalse();
    }

    @Test
    void connectionsPastTheGateCountAgainstWhatIsParked() throws Exception {
        Gate gate = new Gate(4, Ticker.SYSTEM);
        park(gate, 9);
        gate.foreign(3, 0);
        assertThat(enter(gate)).isTrue();
        assertThat(enter(gate)).isFalse();
    }

    @Test
    void aGateLimitsAgainDespiteParkedPermits() throws Exception {
        Gate gate = new Gate(2, Ticker.SYSTEM);
        gate.open(0);
        park(gate, 9);
        gate.shut();
        assertThat(gate.usedCount()).isZero();
        assertThat(enter(gate)).isTrue();
        assertThat(enter(gate)).isTrue();
        assertThat(enter(gate)).isFalse();
    }
}
