// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.ShedException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool that is overloaded and sheds, from {@code getConnection()} to the exception. */
@Timeout(300)
class ShedPoolTest {
    private static final int THREADS = 6;

    private final Queue<PoolEvent.AcquisitionRejected> events = new ConcurrentLinkedQueue<>();
    private final Queue<SQLException> failures = new ConcurrentLinkedQueue<>();
    private final FakePool fake = new FakePool();
    private volatile boolean over;

    private FlexPoolDataSource pool(boolean sheds) {
        return FlexPool.wrap(fake.dataSource)
                .name("p")
                .adapter(fake)
                .set("base", 1)
                .set("acquisition-timeout", Duration.ofMinutes(10))
                .set("classes", "web, batch")
                .set("classes.web.guarantee", 1)
                .set("classes.shed", sheds)
                .listener(new PoolListener() {
                    @Override
                    public void onEvent(PoolEvent event) {
                        if (event instanceof PoolEvent.AcquisitionRejected rejected) {
                            events.add(rejected);
                        }
                    }
                })
                .build();
    }

    /** Each takes the only connection again and again, so that each wait is longer than a lease. */
    private List<Thread> crowd(FlexPoolDataSource pool) {
        List<Thread> crowd = new ArrayList<>();
        for (int at = 0; at < THREADS; at++) {
            Thread thread = new Thread(() -> {
                try (PoolScope.Opened scope = PoolScope.of("batch").tenant("t").open()) {
                    assertThat(scope).isNotNull();
                    visits(pool);
                }
            });
            thread.setDaemon(true);
            thread.start();
            crowd.add(thread);
        }
        return crowd;
    }

    private void visits(FlexPoolDataSource pool) {
        while (!over) {
            try (Connection connection = pool.getConnection()) {
                assertThat(connection).isNotNull();
                Thread.sleep(5);
            } catch (SQLException failure) {
                failures.add(failure);
            } catch (InterruptedException end) {
                return;
            }
        }
    }

    @Test
    void aRequestThatIsShedSaysWhyAndWhenToTryAgain() throws Exception {
        FlexPoolDataSource pool = pool(true);
        List<Thread> crowd = crowd(pool);
        eventually(() -> !failures.isEmpty());
        over = true;
        for (Thread thread : crowd) {
            thread.join();
        }
        assertThat(failures).allSatisfy(failure -> {
            assertThat((Throwable) failure)
                    .isExactlyInstanceOf(SQLTransientConnectionException.class)
                    .hasMessageContaining("rejected: class batch is overloaded, try again after ")
                    .hasMessageContaining("web holds 0 and no request waits, batch holds 1 and");
            assertThat(failure.getSQLState()).as("that of a timeout").isEqualTo("FAKE1");
            assertThat(ShedException.retryAfter(failure))
                    .hasValueSatisfying(time -> assertThat(time).isGreaterThanOrEqualTo(Duration.ofMillis(100)));
        });
        assertThat(events)
                .hasSameSizeAs(failures)
                .allSatisfy(event -> assertThat(event.retryAfter()).isNotNull());
        assertThat(count(pool, AcquisitionOutcome.REJECTED)).isEqualTo(failures.size());
        assertThat(count(pool, AcquisitionOutcome.TIMEOUT)).isZero();
        assertThat(pool.classes()).extracting(RequestClass::shed).containsExactly(0L, (long) failures.size());
        assertThat(pool.classes()).extracting(RequestClass::timeouts).containsOnly(0L);
        assertThat(pool.state().leased()).isZero();
        assertThat(pool.state().waiting()).isZero();
        pool.close();
    }

    @Test
    void nobodyIsShedUnlessAsked() throws Exception {
        FlexPoolDataSource pool = pool(false);
        List<Thread> crowd = crowd(pool);
        long enough = 60;
        eventually(() -> count(pool, AcquisitionOutcome.OK) > enough);
        over = true;
        for (Thread thread : crowd) {
            thread.join();
        }
        assertThat(failures).isEmpty();
        pool.close();
    }

    private static long count(FlexPoolDataSource pool, AcquisitionOutcome outcome) {
        return pool.statistics().total().acquisition(outcome).count();
    }
}
