// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.pool.HikariPool;
import com.zaxxer.hikari.pool.ProxyConnection;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.contract.PoolQuirk;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.pool.PoolMode;
import java.lang.reflect.Field;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class HikariAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(database);
        pool.setMaximumPoolSize(max);
        pool.setConnectionTimeout(timeout.toMillis());
        return pool;
    }

    @Override
    protected List<DataSource> takingBack(DataSource from, int max, Duration timeout) {
        HikariDataSource pool = (HikariDataSource) pool(from, max, timeout);
        pool.setLeakDetectionThreshold(2_000);
        return List.of(pool);
    }

    @Override
    protected void throwAway(DataSource pool, Connection lease) throws Exception {
        HikariDataSource hikari = pool.unwrap(HikariDataSource.class);
        hikari.evictConnection(lease.unwrap(ProxyConnection.class));
    }

    /** HikariCP's housekeeper opens the rest of the minimum 100 ms after the start, by an executor with one thread. */
    @Override
    protected boolean isOpening(FlexPoolDataSource pool) {
        try {
            HikariDataSource hikari = pool.unwrap(HikariDataSource.class);
            HikariPoolMXBean started = hikari.getHikariPoolMXBean();
            if (started == null || hikari.isClosed()) {
                return false;
            }
            ThreadPoolExecutor opening = executor("addConnectionExecutor", started);
            return executor("houseKeepingExecutorService", started).getCompletedTaskCount() == 0
                    || opening.getActiveCount() > 0
                    || !opening.getQueue().isEmpty();
        } catch (SQLException | ReflectiveOperationException otherVersion) {
            throw new IllegalStateException(otherVersion);
        }
    }

    private static ThreadPoolExecutor executor(String name, HikariPoolMXBean pool) throws ReflectiveOperationException {
        Field field = HikariPool.class.getDeclaredField(name);
        field.setAccessible(true);
        return (ThreadPoolExecutor) field.get(pool);
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLTransientConnectionException.class;
    }

    @Override
    protected List<DataSource> restoring(DataSource from, Duration timeout) {
        HikariDataSource inAPlace = (HikariDataSource) pool(from, 1, timeout);
        inAPlace.setSchema("public");
        inAPlace.setCatalog("configured");
        HikariDataSource manual = (HikariDataSource) pool(from, 1, timeout);
        manual.setAutoCommit(false);
        return List.of(pool(from, 1, timeout), inAPlace, manual);
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(
                Capability.LIVE_RESIZE,
                Capability.WAKE,
                Capability.EXACT_TRIM,
                Capability.PHYSICAL_FOLLOWS_LIMIT,
                Capability.PENDING_COUNT,
                Capability.PER_CALL_TIMEOUT,
                Capability.EVICT,
                Capability.EVICT_LEASED);
    }

    @Override
    protected Map<Class<?>, String> jars() {
        return Map.of(HikariDataSource.class, "HikariCP-");
    }

    @Override
    protected String maxSizeKey() {
        return "maximumPoolSize";
    }

    @Override
    protected boolean named(DataSource pool, String name) {
        ((HikariDataSource) pool).setPoolName(name);
        return true;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(
                PoolQuirk.TAKES_NOTHING_BACK,
                PoolQuirk.LEAVES_REQUESTS_WAITING,
                PoolQuirk.MAY_LEAVE_OPEN_WHAT_COMES_BACK_WHILE_IT_CLOSES);
    }

    @Override
    protected int minIdle(int max) {
        return max;
    }

    @Override
    protected Duration housekeeping() {
        // The module's POM sets com.zaxxer.hikari.housekeeping.periodMs to 1000; by default it is 30 s.
        return Duration.ofSeconds(4);
    }

    /** Requests at the gate enter the pool when it opens, leases survive when it closes, and no request is lost. */
    @Test
    void modesMayBeSwitchedUnderLoad() throws Exception {
        HikariDataSource hikari = (HikariDataSource) pool(database.dataSource(), 4, Duration.ofSeconds(20));
        FlexPoolDataSource pool = build(wrap(hikari).set("mode", PoolMode.ADAPT).set("ceiling", 8));
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong answered = new AtomicLong();
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        List<Thread> users = new ArrayList<>();
        for (int at = 0; at < 12; at++) {
            Thread user = new Thread(() -> use(pool, over, answered, failures));
            user.start();
            users.add(user);
        }
        PoolMode[] modes = {PoolMode.MONITOR, PoolMode.ADAPT, PoolMode.RECOMMEND, PoolMode.ADAPT};
        for (int at = 0; at < 60; at++) {
            assertThat(pool.mode(modes[at % modes.length])).isTrue();
            TimeUnit.MILLISECONDS.sleep(10);
        }
        pool.mode(PoolMode.MONITOR);
        over.set(true);
        for (Thread user : users) {
            user.join();
        }
        assertThat(failures).isEmpty();
        assertThat(answered).hasValueGreaterThan(60);
        assertThat(pool.state().leased()).isZero();
        assertThat(pool.state().bound()).isFalse();
        assertThat(hikari.getMaximumPoolSize()).as("the pool as it was").isEqualTo(4);
        assertThat(hikari.getMinimumIdle()).isEqualTo(4);
    }

    private static void use(
            FlexPoolDataSource pool, AtomicBoolean over, AtomicLong answered, List<Throwable> failures) {
        while (!over.get()) {
            try (Connection lease = pool.getConnection()) {
                assertThat(lease.isClosed()).isFalse();
                TimeUnit.MILLISECONDS.sleep(2);
                answered.incrementAndGet();
            } catch (Throwable thrown) {
                failures.add(thrown);
            }
        }
    }

    /** A slow connect inside the pool used to take the pool's own timeout, although the user had said 400 ms. */
    @Test
    void aShorterTimeoutAppliesInsideThePool() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(database.dataSource(), 2, Duration.ofMinutes(4)))
                .set("base", 2)
                .set("acquisition-timeout", Duration.ofMillis(400)));
        try (Connection one = pool.getConnection()) {
            assertThat(one).isNotNull();
            // Surplus connections of the pool are closed, and no new ones opened.
            database.fault(StubDatabase.Fault.HANGING);
            pool.unwrap(HikariDataSource.class).getHikariPoolMXBean().softEvictConnections();
            long before = System.nanoTime();
            assertThatThrownBy(pool::getConnection).isInstanceOf(SQLTransientConnectionException.class);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMinutes(3));
        }
    }

    /**
     * In an outage, a request that had 13 ms left once got its timeout 600 ms later, with a processor busy all the time:
     * see {@code WAITERS_MAY_SPIN}. Four that leave the queue from the last to the first, and one after them, make it so.
     */
    @Test
    void inAnOutageAShortTimeoutIsNotDelayed() throws Exception {
        HikariDataSource pool = (HikariDataSource) pool(database.dataSource(), 4, Duration.ofSeconds(30));
        try (pool) {
            pool.getConnection().close();
            database.stop();
            HikariPoolMXBean figures = pool.getHikariPoolMXBean();
            figures.softEvictConnections();
            assertThat(Crowd.eventually(Duration.ofSeconds(10), () -> figures.getTotalConnections() == 0))
                    .isTrue();
            HikariAdapter adapter = new HikariAdapter(pool);
            List<Thread> leavers = new ArrayList<>();
            for (int millis : new int[] {600, 500, 400, 200}) {
                leavers.add(waiting(adapter, millis, new AtomicLong()));
            }
            for (Thread leaver : leavers) {
                leaver.join();
            }
            waiting(adapter, 100, new AtomicLong()).join();
            AtomicLong patientTook = new AtomicLong();
            Thread patient = waiting(adapter, 180_000, patientTook);
            assertThatThrownBy(() -> adapter.connection(TimeUnit.MILLISECONDS.toNanos(50)))
                    .isInstanceOf(SQLTransientConnectionException.class);
            assertThat(patientTook).as("its timeout is that of the other").hasValue(0);
            patient.interrupt();
            patient.join();
        }
    }

    /** A thread that stands in the pool's queue, or in front of it, for some time. */
    private static Thread waiting(HikariAdapter adapter, int millis, AtomicLong took) throws InterruptedException {
        Thread thread = new Thread(() -> {
            long before = System.nanoTime();
            try {
                adapter.connection(TimeUnit.MILLISECONDS.toNanos(millis)).close();
            } catch (SQLException inVain) {
                took.set(System.nanoTime() - before);
            }
        });
        thread.start();
        Crowd.eventually(Duration.ofSeconds(1), () -> thread.getState() == Thread.State.TIMED_WAITING);
        return thread;
    }
}
