// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.config.ClassRule;
import io.flexpool.internal.config.ConfigChecks;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.config.Settings;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.internal.pool.MonitoredPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a class without a most leaves to the first one. The test itself ticks. */
@Timeout(300)
class SparedConnectionTest {
    private static final String WEB = "web";
    private static final String BATCH = "batch";
    private static final String JOBS = "jobs";

    private final FakePool fake = new FakePool();
    private final ManualTicker ticker = new ManualTicker();
    private final Settings settings = new Settings();
    private final List<Connection> held = new ArrayList<>();

    private MonitoredPool pool(int base, ClassRule... classes) {
        settings.ticker = ticker;
        settings.classes = List.of(classes);
        settings.set(CoreKey.BASE, base);
        settings.set(CoreKey.ACQUISITION_TIMEOUT, Duration.ofMinutes(10));
        fake.max = 9;
        fake.total = 9;
        return new MonitoredPool(new ConfigChecks(settings, fake.dataSource, "p", fake).check());
    }

    @AfterEach
    void close() throws SQLException {
        for (Connection connection : held) {
            connection.close();
        }
    }

    /** In a thread of its own, for a thread that holds one asks for a nested one. */
    private FutureTask<Connection> asks(MonitoredPool pool, String requestClass) {
        FutureTask<Connection> task = new FutureTask<>(() -> {
            try (PoolScope.Opened scope = PoolScope.of(requestClass).open()) {
                assertThat(scope).isNotNull();
                return pool.acquiring().acquire();
            }
        });
        Thread started = new Thread(task, requestClass);
        started.setDaemon(true);
        started.start();
        return task;
    }

    private void hold(MonitoredPool pool, String requestClass, int times) throws Exception {
        for (int at = 0; at < times; at++) {
            held.add(asks(pool, requestClass).get());
        }
    }

    private void use(MonitoredPool pool, String requestClass) throws Exception {
        asks(pool, requestClass).get().close();
        pool.tick();
    }

    private FutureTask<Connection> waits(MonitoredPool pool) {
        return waits(pool, BATCH, 1);
    }

    private FutureTask<Connection> waits(MonitoredPool pool, String requestClass, int at) {
        FutureTask<Connection> one = asks(pool, requestClass);
        eventually(() -> pool.classes().get(at).waiting() == 1);
        return one;
    }

    /** Regression: a burst of batch work took all, and the next interactive request waited for a lease of it. */
    @Test
    void aBurstOfAnotherClassLeavesOneToTheFirst() throws Exception {
        MonitoredPool pool = pool(4, ClassRule.named(WEB), ClassRule.named(BATCH));
        use(pool, WEB);
        hold(pool, BATCH, 3);
        FutureTask<Connection> fourth = waits(pool);
        hold(pool, WEB, 1);
        assertThat(fourth.isDone()).isFalse();
    }

    @Test
    void aMinuteAfterTheLastRequestOfTheFirstClassNothingIsLeftToIt() throws Exception {
        MonitoredPool pool = pool(4, ClassRule.named(WEB), ClassRule.named(BATCH));
        use(pool, WEB);
        hold(pool, BATCH, 3);
        FutureTask<Connection> fourth = waits(pool);
        ticker.advance(Duration.ofSeconds(61));
        pool.tick();
        held.add(fourth.get());
        assertThat(pool.classes().get(1).leased()).isEqualTo(4);
    }

    @Test
    void whereTheFirstClassAsksForNothingOthersHaveAll() throws Exception {
        MonitoredPool pool = pool(4, ClassRule.named(WEB), ClassRule.named(BATCH));
        use(pool, BATCH);
        hold(pool, BATCH, 4);
        assertThat(pool.classes().get(1).leased()).isEqualTo(4);
    }

    @Test
    void aMostOrAGuaranteeThatIsGivenHolds() throws Exception {
        MonitoredPool pool = pool(
                2,
                ClassRule.named(WEB),
                ClassRule.named(BATCH).withMax(10_000),
                ClassRule.named(JOBS).withGuarantee(1));
        use(pool, WEB);
        hold(pool, BATCH, 2);
        close();
        held.clear();
        hold(pool, JOBS, 2);
        assertThat(pool.classes().get(2).leased()).isEqualTo(2);
    }

    @Test
    void ofOneConnectionNoneIsLeft() throws Exception {
        MonitoredPool pool = pool(1, ClassRule.named(WEB), ClassRule.named(BATCH));
        use(pool, WEB);
        hold(pool, BATCH, 1);
        assertThat(pool.classes().get(1).leased()).isOne();
    }

    /** A larger pool has one more for the class that waits, other than where the class has a most. */
    @Test
    void thePoolGrowsForAClassThatLeavesOne() throws Exception {
        settings.strategies.add(GrowOnWait.upTo(9).withAfter(Duration.ofMillis(1)));
        MonitoredPool pool = pool(4, ClassRule.named(WEB), ClassRule.named(BATCH));
        use(pool, WEB);
        hold(pool, BATCH, 3);
        FutureTask<Connection> fourth = waits(pool);
        ticker.advance(Duration.ofMillis(5));
        held.add(fourth.get());
        assertThat(pool.state().limit()).isEqualTo(5);
    }

    @Test
    void aFailureSaysThatOneIsLeft() throws Exception {
        MonitoredPool pool =
                pool(4, ClassRule.named(WEB), ClassRule.named(BATCH).withTimeout(Duration.ofMillis(20)));
        use(pool, WEB);
        hold(pool, BATCH, 3);
        FutureTask<Connection> fourth = waits(pool);
        ticker.advance(Duration.ofMillis(21));
        assertThat(fourth)
                .failsWithin(Duration.ofMinutes(1))
                .withThrowableThat()
                .withMessageContaining(
                        "the last free connection is reserved for web: web holds 0 and no request waits, batch holds 3 and");
    }

    /** Regression: bursts of two such classes at once took all, each of them all but one. */
    @Test
    void allOtherClassesTogetherLeaveOneToTheFirst() throws Exception {
        MonitoredPool pool = pool(4, ClassRule.named(WEB), ClassRule.named(BATCH), ClassRule.named(JOBS));
        use(pool, WEB);
        hold(pool, BATCH, 2);
        hold(pool, JOBS, 1);
        FutureTask<Connection> batch = waits(pool);
        FutureTask<Connection> job = waits(pool, JOBS, 2);
        hold(pool, WEB, 1);
        assertThat(batch.isDone() || job.isDone()).isFalse();
        // What one of them returns is for another.
        held.remove(0).close();
        eventually(() -> batch.isDone() || job.isDone());
        assertThat(batch.isDone() && job.isDone()).isFalse();
        held.remove(0).close();
        held.add(batch.get());
        held.add(job.get());
    }

    /** What a class has parked is no lease, so another one takes it. */
    @Test
    void aConnectionThatOneOfThemNoLongerUsesIsForTheOthers() throws Exception {
        MonitoredPool pool = pool(4, ClassRule.named(WEB), ClassRule.named(BATCH), ClassRule.named(JOBS));
        use(pool, WEB);
        hold(pool, BATCH, 3);
        close();
        held.clear();
        hold(pool, JOBS, 3);
        FutureTask<Connection> batch = waits(pool);
        hold(pool, WEB, 1);
        assertThat(batch.isDone()).isFalse();
        assertThat(pool.classes().get(2).leased()).isEqualTo(3);
    }

    /** A class with a most of its own is not held back, but what it holds counts for the others. */
    @Test
    void whatAClassWithAMostHoldsCounts() throws Exception {
        MonitoredPool pool = pool(
                4,
                ClassRule.named(WEB),
                ClassRule.named(BATCH),
                ClassRule.named(JOBS).withMax(2));
        use(pool, WEB);
        hold(pool, JOBS, 2);
        hold(pool, BATCH, 1);
        FutureTask<Connection> batch = waits(pool);
        hold(pool, WEB, 1);
        assertThat(batch.isDone()).isFalse();
    }
}
