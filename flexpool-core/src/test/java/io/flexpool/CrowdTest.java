// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many more requests than permits: what shows that the pool is too small, and what that the database is gone. */
@Timeout(300)
class CrowdTest {
    private static final int THREADS = 60;
    private static final int BASE = 4;

    private final FakePool fake = new FakePool();

    private FlexPoolDataSource crowded() {
        fake.timeout = Duration.ofMillis(250);
        fake.total = BASE;
        return FlexPool.wrap(fake.dataSource)
                .name("crowded")
                .adapter(fake)
                .set("base", BASE)
                .set("ceiling", 50)
                .set("grow-on-wait.enabled", true)
                .build();
    }

    private static void ask(FlexPoolDataSource pool, int requestsOfEach) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int at = 0; at < THREADS; at++) {
            Thread thread = new Thread(() -> {
                for (int request = 0; request < requestsOfEach; request++) {
                    try {
                        pool.getConnection().close();
                    } catch (SQLException counted) {
                        // By the pool.
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static long outcome(FlexPoolDataSource pool, AcquisitionOutcome outcome) {
        return pool.statistics().total().acquisition(outcome).count();
    }

    /** Failed requests at the gate, by message. */
    private static long failed(FlexPoolDataSource pool) {
        return outcome(pool, AcquisitionOutcome.CONNECT_FAILURE) + outcome(pool, AcquisitionOutcome.TIMEOUT);
    }

    /** Every permit was found inside the pool at each look, and that was called a database that does not answer. */
    @ParameterizedTest
    @ValueSource(ints = {10, 40, 120})
    void leasesTooShortToBeSeenAreDemandIfConnectionsCome(int millis) throws Exception {
        fake.answer = () -> {
            Thread.sleep(millis);
            return fake.connection();
        };
        try (FlexPoolDataSource pool = crowded()) {
            ask(pool, 8);
            assertThat(outcome(pool, AcquisitionOutcome.CONNECT_FAILURE))
                    .as(
                            "connect failures of a pool that connects, beside %d timeouts",
                            outcome(pool, AcquisitionOutcome.TIMEOUT))
                    .isZero();
            assertThat(pool.statistics().total().counter(PoolMetric.GROWTHS))
                    .as("growths")
                    .isPositive();
        }
    }

    /** Of the connections before it nothing follows for the time after. */
    @Test
    void aSilentDatabaseIsAnOutageAndNothingGrows() throws Exception {
        CountDownLatch answers = new CountDownLatch(1);
        try (FlexPoolDataSource pool = crowded()) {
            for (int at = 0; at < 100; at++) {
                pool.getConnection().close();
            }
            // A connection that came a moment ago rightly allows one growth; here the database is silent for longer.
            Thread.sleep(300);
            fake.kind = Kind.CONNECT_FAILED;
            fake.answer = () -> {
                answers.await();
                throw new SQLException("gone", "08006");
            };
            Thread crowd = new Thread(() -> {
                try {
                    ask(pool, 2);
                } catch (InterruptedException never) {
                    Thread.currentThread().interrupt();
                }
            });
            crowd.start();
            while (failed(pool) < THREADS - BASE && pool.state().limit() == BASE && crowd.isAlive()) {
                Thread.sleep(1);
            }
            answers.countDown();
            crowd.join();
            assertThat(outcome(pool, AcquisitionOutcome.TIMEOUT)).as("timeouts").isZero();
            assertThat(pool.state().limit()).isEqualTo(BASE);
            assertThat(pool.statistics().total().counter(PoolMetric.GROWTHS)).isZero();
        }
    }
}
