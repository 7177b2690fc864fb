// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.pool.ManualTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A crowd whose time is over when connections come back, while it gives up and others work. Time is the test's, so it is known of
 * each permit whether it came too late.
 */
@Timeout(300)
class TimeoutStormTest {
    private static final int LIMIT = 8;
    private static final int WORKERS = 4;
    private static final int ROUNDS = 500;
    private static final long STACK_BYTES = 128 * 1024;
    private static final long NEVER = Long.MAX_VALUE;

    private final ManualTicker ticker = new ManualTicker();
    private final ClassGate gate = new ClassGate(
            LIMIT,
            ticker,
            AcquisitionOrder.FAIR,
            List.of(new ClassShare(0.5, Integer.MAX_VALUE), new ClassShare(0.5, Integer.MAX_VALUE)),
            false);
    private final AtomicInteger late = new AtomicInteger();
    private final AtomicInteger rounds = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    private void start(Runnable work) {
        Thread thread = new Thread(null, work, "storm", STACK_BYTES);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void waits(int number, long expiresNanos) {
        ClassWaiter waiter = gate.join(
                ticker.nanos(), number % 2, number % TenantQueue.TENANTS, false, expiresNanos, Long.MAX_VALUE);
        if (gate.gate().await(waiter, expiresNanos) || !gate.gate().leave(waiter, ticker.nanos())) {
            late.incrementAndGet();
        }
    }

    private void works(int requestClass) {
        for (int round = 0; round < ROUNDS; round++) {
            if (!gate.gate().tryEnter(ticker.nanos(), requestClass, false)) {
                ClassWaiter waiter = gate.join(ticker.nanos(), requestClass, false, NEVER);
                while (!gate.gate().await(waiter, ticker.nanos() + 1_000_000_000L)) {
                    Thread.onSpinWait();
                }
            }
            rounds.incrementAndGet();
            gate.gate().exit(ticker.nanos(), NEVER, requestClass);
        }
    }

    private void storm(int waiters) throws InterruptedException {
        for (int at = 0; at < LIMIT; at++) {
            assertThat(gate.gate().tryEnter(ticker.nanos(), at % 2, false)).isTrue();
        }
        long expires = ticker.nanos() + 900_000_000L;
        for (int at = 0; at < waiters; at++) {
            int number = at;
            start(() -> waits(number, expires));
        }
        eventually(() -> gate.gate().waitingCount() == waiters);
        ticker.advance(Duration.ofSeconds(2));
        for (int at = 0; at < WORKERS; at++) {
            int requestClass = at % 2;
            start(() -> works(requestClass));
        }
        // All wake up at once, while the permits come back.
        gate.gate().wakeAll();
        for (int at = 0; at < LIMIT; at++) {
            gate.gate().exit(ticker.nanos(), NEVER, at % 2);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(late).as("permits that came too late").hasValue(0);
        assertThat(rounds).hasValue(WORKERS * ROUNDS);
        assertThat(gate.gate().usedCount()).isZero();
        assertThat(gate.gate().waitingCount()).isZero();
        assertThat(gate.gate().line.all()).as("still held").hasSizeLessThan(200);
    }

    @Test
    void noneOfAHundredsStrongStormGetsAPermit() throws InterruptedException {
        storm(300);
    }

    @Test
    @Tag("scenario")
    void noneOfFiveThousandGetsAPermit() throws InterruptedException {
        storm(5_000);
    }
}
