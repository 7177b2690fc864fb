// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.atomikos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.atomikos.datasource.pool.ConnectionPool;
import com.atomikos.jdbc.AtomikosNonXADataSourceBean;
import com.atomikos.jdbc.internal.AtomikosSQLException;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.contract.PoolQuirk;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class AtomikosAdapterTest extends PoolAdapterContract {
    @Override
    protected DataSource pool(DataSource unused, int max, Duration timeout) {
        AtomikosNonXADataSourceBean pool = asItComes(database, max, timeout);
        // Else it forgets one of several who ask at once; see the adapter.
        pool.setConcurrentConnectionValidation(false);
        return pool;
    }

    private static AtomikosNonXADataSourceBean asItComes(StubDatabase database, int max, Duration timeout) {
        AtomikosNonXADataSourceBean pool = new AtomikosNonXADataSourceBean();
        pool.setUniqueResourceName(UUID.randomUUID().toString());
        pool.setDriverClassName("io.flexpool.adapter.tck.database.StubDriver");
        pool.setUrl(database.url());
        pool.setUser("app");
        pool.setPassword("secret");
        pool.setMinPoolSize(0);
        pool.setMaxPoolSize(max);
        // 0 would mean not to wait.
        pool.setBorrowConnectionTimeout((int) Math.max(1, timeout.toSeconds()));
        pool.setLocalTransactionMode(true);
        return pool;
    }

    /** Only 5.0 takes back. */
    @Override
    protected List<DataSource> takingBack(DataSource from, int max, Duration timeout) {
        AtomikosNonXADataSourceBean pool = (AtomikosNonXADataSourceBean) pool(from, max, timeout);
        if (is5()) {
            try {
                pool.getClass().getMethod("setReapTimeout", int.class).invoke(pool, 1);
            } catch (ReflectiveOperationException notThisVersion) {
                throw new IllegalStateException(notThisVersion);
            }
        }
        pool.setMaintenanceInterval(1);
        return List.of(pool);
    }

    private static boolean is5() {
        return System.getProperty("expected.pool.version").startsWith("5.");
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return AtomikosSQLException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(Capability.LIVE_RESIZE, Capability.TRANSACTIONS);
    }

    @Override
    protected Map<Class<?>, String> jars() {
        return Map.of(
                AtomikosNonXADataSourceBean.class, "transactions-jdbc-", ConnectionPool.class, "transactions-jta-");
    }

    @Override
    protected String maxSizeKey() {
        return "maxPoolSize";
    }

    /** Its shortest is not to wait at all. */
    @Override
    protected boolean canWaitForEver() {
        return false;
    }

    /** The next request opens it again. */
    @Override
    protected boolean staysClosed() {
        return false;
    }

    @Override
    protected List<DataSource> restoring(DataSource from, Duration timeout) {
        AtomikosNonXADataSourceBean committed = (AtomikosNonXADataSourceBean) pool(from, 1, timeout);
        committed.setDefaultIsolationLevel(Connection.TRANSACTION_READ_COMMITTED);
        return List.of(pool(from, 1, timeout), committed);
    }

    @Override
    protected boolean named(DataSource pool, String name) {
        ((AtomikosNonXADataSourceBean) pool).setUniqueResourceName(name);
        return true;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        Set<PoolQuirk> quirks = EnumSet.of(
                PoolQuirk.IGNORES_INTERRUPTS,
                PoolQuirk.RESETS_NOTHING,
                PoolQuirk.ITS_THREADS_STAY,
                PoolQuirk.ITS_TIMEOUTS_HAVE_NO_STATE,
                PoolQuirk.LEAVES_REQUESTS_WAITING,
                PoolQuirk.REQUIRES_A_NAME);
        if (!is5()) {
            quirks.add(PoolQuirk.HIDES_WHY_A_CONNECT_FAILED);
            quirks.add(PoolQuirk.TAKES_NOTHING_BACK);
        }
        return quirks;
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(2);
    }

    @Test
    void aLimitedPoolServesEveryRequest() throws Exception {
        database.connectTakes(Duration.ofMillis(2));
        for (int round = 0; round < 60; round++) {
            AtomikosNonXADataSourceBean raw = asItComes(database, 6, Duration.ofSeconds(3));
            try (FlexPoolDataSource pool = FlexPool.wrap(raw)
                            .name("round" + round)
                            .set("base", 6)
                            .build();
                    Crowd crowd = new Crowd()) {
                crowd.ask(6, pool).join();
                assertThat(crowd.failures()).as("round %d", round).isEmpty();
            }
        }
    }

    @Test
    void whatIsSetForTheLimitIsPutBack() throws Exception {
        AtomikosNonXADataSourceBean raw = asItComes(database, 6, Duration.ofSeconds(1));
        raw.setMinPoolSize(3);
        FlexPoolDataSource pool = build(wrap(raw).set("base", 2));
        assertThat(raw.getConcurrentConnectionValidation()).isFalse();
        assertThat(raw.getMaxPoolSize()).isEqualTo(2);
        assertThat(raw.getMinPoolSize()).isEqualTo(2);
        start(pool);
        assertThat(database.open()).isEqualTo(2);
        assertThat(pool.mode(PoolMode.MONITOR)).isTrue();
        assertThat(raw.getMaxPoolSize()).isEqualTo(6);
        assertThat(raw.getMinPoolSize()).isEqualTo(3);
        AtomikosNonXADataSourceBean unused = asItComes(database, 6, Duration.ofSeconds(1));
        FlexPoolDataSource other = build(wrap(unused).set("base", 2));
        assertThat(other.mode(PoolMode.MONITOR)).isTrue();
        assertThat(unused.getConcurrentConnectionValidation()).isTrue();
    }

    private static void start(FlexPoolDataSource pool) throws SQLException {
        pool.getConnection().close();
    }

    /** The pool's own figures would wait as long as the connect does. */
    @Test
    void theFiguresCanBeReadWhileThePoolConnects() throws Exception {
        AtomikosNonXADataSourceBean raw = asItComes(database, 2, Duration.ofSeconds(60));
        FlexPoolDataSource pool = build(wrap(raw));
        PoolAdapter adapter = adapter(raw);
        // In this order: who was hung waits for the one that comes back.
        try (Crowd crowd = new Crowd();
                Connection out = pool.getConnection()) {
            database.fault(StubDatabase.Fault.HANGING);
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> database.connectAttempts() == 2))
                    .isTrue();
            PoolSnapshot seen = CompletableFuture.supplyAsync(adapter::snapshot).get(3, TimeUnit.MINUTES);
            assertThat(seen.total()).isOne();
            assertThat(seen.active()).isOne();
            assertThat(out.isValid(1)).isTrue();
            database.fault(StubDatabase.Fault.NONE);
            database.release();
        }
    }

    /** Hence {@link PoolQuirk#ITS_TIMEOUTS_HAVE_NO_STATE}: the state is given to a constructor, and no subclass can be made. */
    @Test
    void itsExceptionTakesNoState() {
        assertThat(AtomikosSQLException.class.getDeclaredConstructors())
                .isNotEmpty()
                .allMatch(constructor -> Modifier.isPrivate(constructor.getModifiers()));
        assertThat(SQLException.class.getMethods()).extracting(Method::getName).doesNotContain("setSQLState");
    }

    /** 6.0 throws the same in both cases, 5.0 says what the driver said. */
    @Test
    void aFullPoolIsNoOutage() throws Exception {
        AtomikosNonXADataSourceBean raw = asItComes(database, 1, Duration.ofSeconds(1));
        PoolAdapter adapter = adapter(raw);
        build(wrap(raw));
        try (Connection out = raw.getConnection()) {
            Throwable full = catchThrowable(raw::getConnection);
            assertThat(out.isValid(1)).isTrue();
            assertThat(full).isExactlyInstanceOf(AtomikosSQLException.class).hasNoCause();
            assertThat(adapter.classify(full, adapter.snapshot(), Duration.ofNanos(1))
                            .kind())
                    .isEqualTo(Kind.EXHAUSTED);
        }
        database.stop();
        Throwable down = catchThrowable(raw::getConnection);
        assertThat(down).isExactlyInstanceOf(AtomikosSQLException.class);
        assertThat(down.getCause() == null).isEqualTo(!is5());
        AcquisitionFailure why = adapter.classify(down, adapter.snapshot(), Duration.ofNanos(1));
        assertThat(why.kind()).isEqualTo(Kind.CONNECT_FAILED);
        assertThat(why.sqlState()).isEqualTo(is5() ? "08001" : null);
    }

    /** The pool has given up the connect of such a thread, and it goes on until its timeout with its flag set. */
    @Test
    void anInterruptIsNoOutage() throws Exception {
        AtomikosNonXADataSourceBean raw = asItComes(database, 1, Duration.ofSeconds(1));
        PoolAdapter adapter = adapter(raw);
        build(wrap(raw));
        database.connectTakes(Duration.ofMillis(50));
        Thread.currentThread().interrupt();
        try {
            Throwable thrown = catchThrowable(raw::getConnection);
            assertThat(thrown).isExactlyInstanceOf(AtomikosSQLException.class);
            assertThat(adapter.classify(thrown, adapter.snapshot(), Duration.ofNanos(1))
                            .kind())
                    .isEqualTo(Kind.INTERRUPTED);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
            // Atomikos connects in the background, and a connection that opens during its close stays open.
            database.stop();
        }
    }

    @Test
    void eachKindOfFailureIsRecognised() throws Exception {
        AtomikosNonXADataSourceBean raw = asItComes(database, 2, Duration.ofSeconds(1));
        PoolAdapter adapter = adapter(raw);
        int unknown = PoolSnapshot.UNKNOWN;
        PoolSnapshot hidden = new PoolSnapshot(2, 0, unknown, unknown, unknown, unknown);
        SQLException interrupted = new SQLException("any", new InterruptedException());
        SQLException refused = new SQLException("any", "08001");
        SQLException explained = adapter.timeout("any", new SQLException("any", "42000"));
        assertThat(adapter.classify(interrupted, hidden, Duration.ofNanos(1)).kind())
                .isEqualTo(Kind.INTERRUPTED);
        assertThat(adapter.classify(refused, hidden, Duration.ofNanos(1)).kind())
                .isEqualTo(Kind.CONNECT_FAILED);
        assertThat(adapter.classify(explained, hidden, Duration.ofNanos(1)).kind())
                .isEqualTo(Kind.OTHER);
        assertThat(adapter.classify(adapter.timeout("any", null), hidden, Duration.ofNanos(1))
                        .kind())
                .as("of figures that cannot be read")
                .isEqualTo(Kind.EXHAUSTED);
        raw.setBorrowConnectionTimeout(-1);
        assertThat(adapter.acquisitionTimeout()).contains(Duration.ZERO);
        adapter.close();
        assertThat(adapter.classify(refused, hidden, Duration.ofNanos(1)).kind())
                .isEqualTo(Kind.CLOSED);
    }
}
