// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.agroal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSource.FlushMode;
import io.agroal.api.AgroalDataSourceMetrics;
import io.agroal.api.AgroalPoolInterceptor;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration.ConnectionValidator;
import io.agroal.api.configuration.AgroalConnectionPoolConfiguration.MultipleAcquisitionAction;
import io.agroal.api.configuration.supplier.AgroalConnectionPoolConfigurationSupplier;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.contract.PoolQuirk;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class AgroalAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        return agroal(database, max, timeout, more -> {});
    }

    static AgroalDataSource agroal(
            DataSource database, int max, Duration timeout, Consumer<AgroalDataSourceConfigurationSupplier> more) {
        AgroalConnectionPoolConfigurationSupplier pool = new AgroalConnectionPoolConfigurationSupplier()
                .maxSize(max)
                .acquisitionTimeout(timeout)
                .connectionValidator(ConnectionValidator.defaultValidator())
                // As near to a validation of each borrow as both versions come.
                .idleValidationTimeout(Duration.ofNanos(1))
                .connectionFactoryConfiguration(factory -> factory.connectionProviderClass(StubProvider.class)
                        .jdbcProperty("database", StubProvider.nameOf(database)));
        AgroalDataSourceConfigurationSupplier configuration =
                new AgroalDataSourceConfigurationSupplier().metricsEnabled().connectionPoolConfiguration(pool);
        more.accept(configuration);
        try {
            return AgroalDataSource.from(configuration);
        } catch (SQLException noSuchImplementation) {
            throw new IllegalStateException(noSuchImplementation);
        }
    }

    @Override
    protected void takeBack(DataSource pool) throws SQLException {
        ((AgroalDataSource) pool).flush(FlushMode.ALL);
    }

    /** A graceful flush in that moment would lose the place. */
    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(PoolQuirk.ITS_EVICTION_MISSES_WHAT_IT_IS_LENDING);
    }

    @Override
    protected void evictByItself(DataSource pool) throws SQLException {
        ((AgroalDataSource) pool).flush(FlushMode.IDLE);
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(
                Capability.LIVE_RESIZE,
                Capability.WAKE,
                Capability.EXACT_TRIM,
                Capability.CONNECT_TIME,
                Capability.PHYSICAL_FOLLOWS_LIMIT,
                Capability.PENDING_COUNT,
                Capability.EVICT);
    }

    @Override
    protected Map<Class<?>, String> jars() {
        return Map.of(io.agroal.pool.DataSource.class, "agroal-pool-");
    }

    @Override
    protected String maxSizeKey() {
        return "maxSize";
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }

    /** A request that waits for a connection does not read the max again. */
    @Test
    void threadsThatWaitInsideThePoolAreServedAfterARaise() throws Exception {
        DataSource raw = pool(database.dataSource(), 2, Duration.ofMinutes(5));
        PoolAdapter adapter = adapter(raw);
        build(wrap(raw));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(2, raw).join();
            crowd.ask(3, raw);
            // Agroal 3 lets them check once, within the first second.
            Crowd.eventually(Duration.ofSeconds(2), () -> false);
            adapter.resize(5);
            assertThat(Crowd.eventually(Duration.ofSeconds(1), () -> crowd.served() > 2))
                    .as("served without a wake")
                    .isFalse();
            adapter.wake(3);
            assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> crowd.served() == 5))
                    .as("served: %d, %s", crowd.served(), adapter.snapshot())
                    .isTrue();
        }
        assertThat(adapter.snapshot().minIdle()).as("as it was").isZero();
    }

    /** Agroal opens another connection in place of a removed one only up to its min size. */
    @Test
    void everyAbortedConnectionIsReplacedForARequestThatWaits() throws Exception {
        DataSource raw = pool(database.dataSource(), 3, Duration.ofSeconds(30));
        FlexPoolDataSource pool = build(wrap(raw));
        try (Crowd crowd = new Crowd();
                Connection one = pool.getConnection();
                Connection two = pool.getConnection();
                Connection three = pool.getConnection()) {
            crowd.ask(3, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> pool.state().pool().pending() == 3))
                    .isTrue();
            one.abort(Runnable::run);
            two.abort(Runnable::run);
            three.abort(Runnable::run);
            crowd.join();
            assertThat(crowd.failures()).as("with %s", pool.state()).isEmpty();
        }
        assertThat(Crowd.eventually(
                        Duration.ofSeconds(5), () -> adapter(raw).snapshot().minIdle() == 0))
                .as("the min size is as it was: %s", adapter(raw).snapshot())
                .isTrue();
    }

    /** The pool itself closes marked connections on return, and wakes no waiting request. */
    @Test
    void withoutValidationAWaitingRequestGetsThePlaceOfAnEvictedConnection() throws Exception {
        DataSource raw = agroal(
                database.dataSource(),
                1,
                Duration.ofSeconds(30),
                more -> more.connectionPoolConfiguration().idleValidationTimeout(Duration.ZERO));
        FlexPoolDataSource pool = build(wrap(raw));
        try (Crowd crowd = new Crowd()) {
            Connection held = pool.getConnection();
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> pool.state().pool().pending() == 1))
                    .isTrue();
            assertThat(pool.evict("for a test")).isTrue();
            held.close();
            crowd.join();
            assertThat(crowd.failures()).as("with %s", pool.state()).isEmpty();
            assertThat(database.opened()).isEqualTo(2);
        }
    }

    /** Each setter refuses a min above the max. */
    @Test
    void theMinSizeGoesDownWithTheMaxAndBack() {
        AgroalDataSource raw = agroal(database.dataSource(), 5, Duration.ofSeconds(1), more -> {});
        raw.getConfiguration().connectionPoolConfiguration().setMinSize(4);
        build(wrap(raw));
        PoolAdapter adapter = adapter(raw);
        adapter.prepare(2, 9);
        assertThat(adapter.snapshot()).satisfies(now -> {
            assertThat(now.max()).isEqualTo(2);
            assertThat(now.minIdle()).isEqualTo(2);
        });
        adapter.resize(9);
        assertThat(adapter.snapshot().minIdle()).isEqualTo(4);
        adapter.resize(1);
        adapter.restore();
        assertThat(adapter.snapshot()).satisfies(now -> {
            assertThat(now.max()).isEqualTo(5);
            assertThat(now.minIdle()).isEqualTo(4);
        });
    }

    @Test
    void withoutMetricsOnlyTheTotalIsReported() throws Exception {
        AgroalDataSource raw =
                agroal(database.dataSource(), 5, Duration.ofSeconds(1), more -> more.metricsEnabled(false));
        FlexPoolDataSource pool = build(wrap(raw));
        assertThat(adapter(raw).capabilities())
                .containsExactlyInAnyOrder(
                        Capability.LIVE_RESIZE, Capability.WAKE, Capability.PENDING_COUNT, Capability.EVICT);
        try (Crowd crowd = new Crowd()) {
            crowd.ask(3, pool).join();
            assertThat(pool.state().pool())
                    .isEqualTo(new PoolSnapshot(5, 0, PoolSnapshot.UNKNOWN, PoolSnapshot.UNKNOWN, 3, 0));
        }
    }

    /** Its idle series was missing for good: which figures are shown was decided while the metrics were off. */
    @Test
    void switchedOnLaterItsMetricsAreShown() throws Exception {
        AgroalDataSource raw =
                agroal(database.dataSource(), 5, Duration.ofSeconds(1), more -> more.metricsEnabled(false));
        FlexPoolDataSource pool = build(wrap(raw));
        assertThat(pool.supports(PoolMetric.IDLE)).isTrue();
        assertThat(PoolReading.of(pool).gauge(PoolMetric.IDLE)).isNaN();
        raw.getConfiguration().setMetricsEnabled(true);
        pool.getConnection().close();
        assertThat(Crowd.eventually(
                        Duration.ofSeconds(5), () -> PoolReading.of(pool).gauge(PoolMetric.IDLE) == 1))
                .as("%s", pool.state().pool())
                .isTrue();
    }

    /** As on the module path, where the fields of Agroal's own may not be read. */
    @Test
    void withoutItsFieldsThePoolReportsByItsMetrics() throws Exception {
        AgroalDataSource raw = agroal(database.dataSource(), 2, Duration.ofSeconds(2), more -> {});
        PoolAdapter adapter = new AgroalAdapter(raw, null);
        FlexPoolDataSource pool = build(wrap(raw).adapter(adapter));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(2, pool).join();
            assertThat(adapter.snapshot()).isEqualTo(new PoolSnapshot(2, 0, 2, 0, 2, 0));
            crowd.ask(1, pool).join();
            assertThat(pool.statistics()
                            .total()
                            .acquisition(AcquisitionOutcome.TIMEOUT)
                            .count())
                    .isOne();
        }
        assertThat(adapter.isClosed()).isFalse();
        adapter.close();
        assertThat(adapter.isClosed()).isTrue();
    }

    /** Agroal's own close drops the closes that wait for its one thread: such connections stayed open for good. */
    @Test
    void aCloseClosesWhatThePoolHasRemovedBefore() throws Exception {
        AgroalDataSource raw = agroal(database.dataSource(), 2, Duration.ofSeconds(30), more -> {});
        AgroalAdapter adapter = new AgroalAdapter(raw);
        Thread closer = new Thread(adapter::close);
        raw.setPoolInterceptors(List.of(new AgroalPoolInterceptor() {
            @Override
            public void onConnectionDestroy(Connection connection) {
                // Until the close waits for this thread, or has not waited for it.
                while (!Set.of(Thread.State.TIMED_WAITING, Thread.State.TERMINATED)
                        .contains(closer.getState())) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
        }));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(2, raw).join();
        }
        raw.flush(FlushMode.ALL);
        assertThat(Crowd.eventually(
                        Duration.ofMinutes(3), () -> adapter.snapshot().total() == 0))
                .as("removed")
                .isTrue();
        assertThat(database.open()).as("not closed yet").isEqualTo(2);
        closer.start();
        closer.join();
        assertThat(Crowd.eventually(Duration.ofMinutes(3), () -> database.open() == 0))
                .as("%d open", database.open())
                .isTrue();
    }

    /** If the idle one is taken first: a trim once waited for its return, without a pool timeout for ever. */
    @Test
    void aTrimDoesNotWaitForATakenConnection() throws Exception {
        AgroalDataSource raw = agroal(database.dataSource(), 2, Duration.ZERO, more -> {});
        build(wrap(raw));
        PoolAdapter adapter = new AgroalAdapter(oneTooManyFree(raw), null);
        try (Crowd crowd = new Crowd()) {
            crowd.ask(2, raw).join();
            adapter.resize(1);
            Thread helper = new Thread(() -> adapter.trim(1));
            helper.setDaemon(true);
            helper.start();
            assertThat(Crowd.eventually(Duration.ofSeconds(10), () -> !helper.isAlive()))
                    .as("ended")
                    .isTrue();
            assertThat(database.open()).as("both are leased").isEqualTo(2);
        }
        // Agroal's close interrupts its thread, and a connection that this thread is closing at that moment can stay
        // open.
        assertThat(Crowd.eventually(Duration.ofMinutes(3), () -> database.open() < 2))
                .as("the surplus is closed")
                .isTrue();
        assertThat(adapter.snapshot().minIdle()).as("as it was").isZero();
    }

    /** Reports one more idle connection than there is, like a reading just before one is taken. */
    private static AgroalDataSource oneTooManyFree(AgroalDataSource pool) {
        AgroalDataSourceMetrics late = passing(
                AgroalDataSourceMetrics.class,
                pool.getMetrics(),
                "availableCount",
                () -> 1 + pool.getMetrics().availableCount());
        return passing(AgroalDataSource.class, pool, "getMetrics", () -> late);
    }

    private static <T> T passing(Class<T> type, T to, String name, Supplier<Object> otherwise) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, args) -> method.getName().equals(name) ? otherwise.get() : method.invoke(to, args)));
    }

    /** A rule of the pool, refused at once by the same plain exception as a timeout. */
    @Test
    void aForbiddenSecondConnectionIsNoTimeout() throws Exception {
        AgroalDataSource raw = agroal(
                database.dataSource(),
                2,
                Duration.ofSeconds(30),
                more -> more.connectionPoolConfiguration().multipleAcquisition(MultipleAcquisitionAction.STRICT));
        FlexPoolDataSource pool = build(wrap(raw));
        try (Connection one = pool.getConnection()) {
            assertThat(one).isNotNull();
            assertThatThrownBy(pool::getConnection).isExactlyInstanceOf(SQLException.class);
        }
        assertThat(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.ERROR)
                        .count())
                .isOne();
    }
}
