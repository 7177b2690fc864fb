// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.strategy.GrowOnWait;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many more threads than connections, on a machine that has other work too. */
abstract class StormContract extends ContractPart {
    private static final int CEILING = 50;

    StormContract(PoolAdapterContract contract) {
        super(contract);
    }

    /**
     * With leases shorter than a look at them the permits are found inside the pool nearly always. That was taken for a
     * database that does not answer, and held the growth that the crowd needed.
     */
    @ResourceLock("the machine, for one storm at a time")
    @ParameterizedTest(name = "base {0}, leases of {1} us, timeout {2} ms, {3} threads")
    @CsvSource({"1, 0, 100, 200", "1, 100, 100, 200", "2, 1000, 250, 200", "3, 10000, 250, 100", "4, 50000, 500, 100"})
    void aCrowdMakesThePoolGrowAndIsNotTakenForAnOutage(int base, int leaseMicros, int timeoutMillis, int threads)
            throws Exception {
        FlexPoolDataSource pool = build(wrap(growable(base, CEILING, Duration.ofMillis(Math.max(250, timeoutMillis))))
                .base(base)
                .acquisitionTimeout(Duration.ofMillis(timeoutMillis))
                .strategy(GrowOnWait.upTo(CEILING)));
        start(pool);
        AtomicBoolean done = new AtomicBoolean();
        try (OtherWork beside = new OtherWork();
                Crowd crowd = new Crowd()) {
            beside.begin();
            crowd.cycleUntil(threads, pool, Duration.ofNanos(1_000L * leaseMicros), done::get);
            boolean grew;
            try {
                grew = Crowd.eventually(Duration.ofSeconds(20), () -> !resized().isEmpty());
                int enough = answered(crowd) + 10 * threads;
                // Connections are opened slowly beside such a crowd: that is no outage either.
                Crowd.eventually(Duration.ofSeconds(20), () -> answered(crowd) >= enough);
            } finally {
                done.set(true);
            }
            crowd.join();
            assertThat(grew)
                    .as(
                            "grew, with %d served and %d not: %s",
                            crowd.served(), crowd.failures().size(), pool.state())
                    .isTrue();
            assertThat(crowd.failures()).allSatisfy(this::isATimeoutOfThePool);
        }
        assertThat(connectFailures())
                .as("connect failures of a database that is up")
                .isEmpty();
    }

    private static int answered(Crowd crowd) {
        return crowd.served() + crowd.failures().size();
    }

    /** Threads that never pause, for half of the processors; the other tests are at work too. */
    private static final class OtherWork implements AutoCloseable {
        private volatile boolean over;

        void begin() {
            IntStream.range(0, Math.max(1, Runtime.getRuntime().availableProcessors() / 2))
                    .forEach(at -> {
                        Thread busy = new Thread(this::work, "other-work-" + at);
                        busy.setDaemon(true);
                        busy.start();
                    });
        }

        private void work() {
            while (!over) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void close() {
            over = true;
        }
    }
}
