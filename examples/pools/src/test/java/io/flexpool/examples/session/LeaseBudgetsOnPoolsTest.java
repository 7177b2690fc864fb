// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.PoolScope;
import io.flexpool.examples.session.SessionStateOnPoolsTest.Pool;
import io.flexpool.session.SessionAction;
import io.flexpool.session.SessionStates;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Leases that exceed their budget, with each pool on a real PostgreSQL: in the client, and in the server if the client is frozen. */
@SuppressWarnings("try") // scopes are opened alone
@Timeout(300)
class LeaseBudgetsOnPoolsTest {
    @BeforeAll
    static void start() throws SQLException {
        SessionStateOnPoolsTest.start();
        asSuperuser("create table public.account(id int primary key, amount int)");
        asSuperuser("grant all on public.account to app");
    }

    @AfterAll
    static void stop() {
        SessionStateOnPoolsTest.stop();
    }

    @BeforeEach
    void oneAccount() throws SQLException {
        asSuperuser("truncate public.account");
        asSuperuser("insert into public.account values (1, 100)");
    }

    private static void asSuperuser(String sql) throws SQLException {
        try (Connection connection = SessionStateOnPoolsTest.server.superuser().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String one(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return one(connection, sql);
        }
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        while (!condition.call()) {
            Thread.sleep(20);
        }
    }

    private static FlexPoolBuilder wrap(Pool pool, String max) {
        return FlexPool.wrap(pool.make("set work_mem to '2MB'"))
                .name(pool.name())
                .set("call-sites.sample-every", 1)
                .set("lease.max", max)
                .set("lease.action", "cancel");
    }

    private static long ended(FlexPoolDataSource pool) {
        return pool.parts().stream()
                .filter(part -> part.name().equals("lease"))
                .map(part -> (Map<?, ?>) part.fields().get("leaseBudgets"))
                .mapToLong(fields -> (Long) fields.get("ended"))
                .sum();
    }

    /** UCP never freed the place of a connection that could not close its running statement. */
    @ParameterizedTest
    @EnumSource(Pool.class)
    void atTheBudgetTheStatementIsCancelledAndTheConnectionIsGone(Pool pool) throws Exception {
        try (FlexPoolDataSource wrapped = wrap(pool, "1s").build()) {
            Connection connection = wrapped.getConnection();
            connection.setAutoCommit(false);
            String backend = one(connection, "select pg_backend_pid()");
            Statement statement = connection.createStatement();
            if (hasTransactionTimeout()) {
                // Else the server would end it 3 s later, whatever flexpool does.
                statement.execute("set transaction_timeout = 0");
            }
            statement.execute("update public.account set amount = 0 where id = 1");
            Throwable thrown = catchThrowable(() -> statement.execute("select pg_sleep(3600)"));
            assertThat(thrown).isInstanceOf(SQLException.class);
            String reason = "Connection is closed: flexpool ended its lease (flexpool.lease.max = PT1S)";
            assertThat(thrown.getSuppressed()).extracting(Throwable::getMessage).contains(reason);
            assertThatThrownBy(connection::commit)
                    .isInstanceOf(SQLNonTransientConnectionException.class)
                    .hasMessage(reason)
                    .extracting(late -> ((SQLException) late).getSQLState())
                    .isEqualTo("08003");
            assertThat(connection.isClosed()).isTrue();
            connection.close();
            // The server has rolled back, and the pool opens another connection in its place.
            await(() -> one(
                            SessionStateOnPoolsTest.server.superuser(),
                            "select count(*) from pg_stat_activity where pid = " + backend)
                    .equals("0"));
            assertThat(one(SessionStateOnPoolsTest.server.superuser(), "select amount from public.account"))
                    .isEqualTo("100");
            assertThat(one(wrapped, "select pg_backend_pid()")).isNotEqualTo(backend);
            await(() -> wrapped.state().leased() == 0);
            assertThat(wrapped.openLeases()).isEmpty();
            assertThat(wrapped.statistics().total().leases().count()).isEqualTo(2);
            await(() -> ended(wrapped) == 1);
            assertThat(wrapped.report()).contains("lease budgets: 1 lease exceeded the budget; flexpool ended 1");
        }
    }

    /** The driver shows whether a transaction is open: a lease that has committed is not in one. */
    @Test
    void aLeaseIdleInItsTransactionIsEndedAndOneThatHasCommittedIsNot() throws Exception {
        HikariDataSource two = (HikariDataSource) Pool.HIKARICP.make("set work_mem to '2MB'");
        two.setMaximumPoolSize(2);
        try (FlexPoolDataSource wrapped = FlexPool.wrap(two)
                .name("orders")
                .set("time-in-database", true)
                .set("lease.idle-in-transaction", "300ms")
                .set("lease.action", "cancel")
                .build()) {
            Connection committed = wrapped.getConnection();
            committed.setAutoCommit(false);
            one(committed, "select 1");
            committed.commit();
            Connection idle = wrapped.getConnection();
            idle.setAutoCommit(false);
            one(idle, "select 1");
            await(idle::isClosed);
            assertThatThrownBy(idle::createStatement)
                    .hasMessage("Connection is closed: flexpool ended its lease"
                            + " (flexpool.lease.idle-in-transaction = PT0.3S)");
            assertThat(committed.isClosed()).isFalse();
            assertThat(one(committed, "select 2")).isEqualTo("2");
            committed.close();
            await(() -> ended(wrapped) == 1);
        }
    }

    // ---- the server ----

    private static final String IDLE = "show idle_in_transaction_session_timeout";

    private static boolean hasTransactionTimeout() throws SQLException {
        return Integer.parseInt(one(SessionStateOnPoolsTest.server.superuser(), "show server_version_num")) >= 170_000;
    }

    @ParameterizedTest
    @EnumSource(Pool.class)
    void aResetLeavesTheBudgetOfTheServer(Pool pool) throws Exception {
        try (FlexPoolDataSource wrapped =
                wrap(pool, "10m").set("session-state", "reset").build()) {
            assertThat(one(wrapped, IDLE)).isEqualTo("603s");
            if (hasTransactionTimeout()) {
                assertThat(one(wrapped, "show transaction_timeout")).isEqualTo("603s");
            }
            SessionStates states = wrapped.view(SessionStates.class).orElseThrow();
            assertThat(states.leases())
                    .as("it is not state that a lease has left")
                    .isZero();
            try (Connection connection = wrapped.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("set idle_in_transaction_session_timeout = 0");
            }
            assertThat(states.resets()).isEqualTo(1);
            assertThat(one(wrapped, IDLE)).isEqualTo("603s");
            try (Connection connection = wrapped.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("reset all");
            }
            assertThat(one(wrapped, IDLE)).isEqualTo("603s");
        }
    }

    @Test
    void nothingIsSetWithoutABudgetOrForAWarning() throws Exception {
        try (FlexPoolDataSource wrapped =
                FlexPool.wrap(Pool.HIKARICP.make("set work_mem to '2MB'")).build()) {
            assertThat(one(wrapped, IDLE)).isEqualTo("0");
        }
        try (FlexPoolDataSource wrapped = FlexPool.wrap(Pool.HIKARICP.make("set work_mem to '2MB'"))
                .set("lease.max", "10m")
                .build()) {
            assertThat(one(wrapped, IDLE)).isEqualTo("0");
        }
    }

    @Test
    void aShorterTimeoutOfThePoolStays() throws Exception {
        try (FlexPoolDataSource wrapped = FlexPool.wrap(
                        Pool.HIKARICP.make("set idle_in_transaction_session_timeout to '7s'"))
                .set("lease.max", "10m")
                .set("lease.action", "cancel")
                .build()) {
            assertThat(one(wrapped, IDLE)).isEqualTo("7s");
        }
    }

    /** The symptom: after the loss of one connection no other one had a timeout. */
    @Test
    void aConnectionThatIsLostDoesNotDisableTheOthers() throws Exception {
        try (FlexPoolDataSource wrapped = wrap(Pool.HIKARICP, "10m").build()) {
            try (Connection first = wrapped.getConnection()) {
                asSuperuser("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app'");
                assertThatThrownBy(() -> one(first, "select 1")).isInstanceOf(SQLException.class);
            }
            assertThat(one(wrapped, IDLE)).isEqualTo("603s");
        }
    }

    /** Without auto-commit a rollback would undo it; it is set outside of the transaction, once for each connection. */
    @Test
    void itIsSetOnceForEachConnectionAndARollbackLeavesIt() throws Exception {
        AtomicInteger set = new AtomicInteger();
        HikariDataSource hikari = (HikariDataSource) Pool.HIKARICP.make("set work_mem to '2MB'");
        HikariDataSource counted = new HikariDataSource();
        counted.setMaximumPoolSize(1);
        counted.setAutoCommit(false);
        counted.setDataSource(counting(hikari, set));
        try (FlexPoolDataSource wrapped = FlexPool.wrap(counted)
                .set("lease.max", "10m")
                .set("lease.action", "cancel")
                .build()) {
            for (int lease = 0; lease < 50; lease++) {
                try (Connection connection = wrapped.getConnection()) {
                    assertThat(one(connection, IDLE)).isEqualTo("603s");
                    assertThat(connection.getAutoCommit()).isFalse();
                    connection.rollback();
                }
            }
            assertThat(set).hasValue(1);
        } finally {
            hikari.close();
        }
    }

    /** Of one connection, so that no class reserves one for the first. */
    private static FlexPoolBuilder withClasses(FlexPoolBuilder pool) {
        return pool.properties(Map.of(
                "flexpool.classes", "oltp, batch, reports",
                "flexpool.classes.batch.max", "1",
                "flexpool.classes.reports.max", "1",
                "flexpool.acquisition-timeout", "30s",
                "flexpool.lease.max-by-class", "batch = 1h, reports = none"));
    }

    @ParameterizedTest
    @EnumSource(Pool.class)
    void aClassHasItsOwnBudgetOfTheServer(Pool pool) throws Exception {
        try (FlexPoolDataSource wrapped = withClasses(wrap(pool, "10m")).build()) {
            for (String first : new String[] {"oltp", "batch", "reports"}) {
                for (String requestClass : new String[] {first, "batch", "oltp", "reports", "oltp"}) {
                    String expected =
                            requestClass.equals("oltp") ? "603s" : requestClass.equals("batch") ? "3603s" : "0";
                    try (PoolScope.Opened scope = PoolScope.of(requestClass).open();
                            Connection connection = wrapped.getConnection()) {
                        connection.setAutoCommit(false);
                        assertThat(one(connection, IDLE)).as(requestClass).isEqualTo(expected);
                        if (hasTransactionTimeout()) {
                            assertThat(one(connection, "show transaction_timeout"))
                                    .isEqualTo(expected);
                        }
                        if (first.equals("oltp") || !rollsBack(pool)) {
                            connection.rollback();
                        }
                    }
                }
            }
            assertThat(wrapped.view(SessionStates.class).orElseThrow().leases())
                    .as("it is not state that a lease has left")
                    .isZero();
        }
    }

    /** Whether it ends a transaction that a lease leaves open. In one that is open no timeout can be set. */
    private static boolean rollsBack(Pool pool) {
        return pool != Pool.TOMCAT && pool != Pool.VIBUR && pool != Pool.UCP;
    }

    /** After a lease of a class the timeouts of the first class are set again, even if the application or a reset changed them. The pool's own timeout stays. */
    @ParameterizedTest
    @EnumSource(SessionAction.class)
    void aLeaseOfAClassLeavesTheBudgetOfTheFirst(SessionAction action) throws Exception {
        HikariDataSource hikari =
                (HikariDataSource) Pool.HIKARICP.make("set idle_in_transaction_session_timeout to '20min'");
        try (FlexPoolDataSource wrapped = withClasses(FlexPool.wrap(hikari)
                        .set("session-state", action)
                        .set("lease.max", "10m")
                        .set("lease.action", "cancel"))
                .build()) {
            for (String statement :
                    new String[] {"select 1", "set idle_in_transaction_session_timeout = 1", "reset all"}) {
                try (PoolScope.Opened scope = PoolScope.of("batch").open();
                        Connection connection = wrapped.getConnection()) {
                    assertThat(one(connection, IDLE)).as(statement).isEqualTo("20min");
                    connection.createStatement().execute(statement);
                }
                assertThat(one(wrapped, IDLE)).as(statement).isEqualTo("603s");
            }
        }
    }

    /** Two statements for a lease of another class, and none for one of the first. */
    @Test
    void aLeaseOfTheFirstClassNeedsNoRoundTrip() throws Exception {
        AtomicInteger set = new AtomicInteger();
        HikariDataSource hikari = (HikariDataSource) Pool.HIKARICP.make("set work_mem to '2MB'");
        HikariDataSource counted = new HikariDataSource();
        counted.setMaximumPoolSize(1);
        counted.setDataSource(counting(hikari, set));
        try (FlexPoolDataSource wrapped = withClasses(
                        FlexPool.wrap(counted).set("lease.max", "10m").set("lease.action", "cancel"))
                .build()) {
            for (int round = 0; round < 10; round++) {
                for (int lease = 0; lease < 10; lease++) {
                    assertThat(one(wrapped, IDLE)).isEqualTo("603s");
                }
                assertThat(set).hasValue(1 + 2 * round);
                try (PoolScope.Opened scope = PoolScope.of("batch").open()) {
                    assertThat(one(wrapped, IDLE)).isEqualTo("3603s");
                }
                assertThat(set).hasValue(3 + 2 * round);
            }
        } finally {
            hikari.close();
        }
    }

    /** It runs, and is idle in its transaction, for longer than both the client and the server let the others. */
    @Test
    void longWorkInAClassOfItsOwnIsUntouched() throws Exception {
        HikariDataSource two = (HikariDataSource) Pool.HIKARICP.make("set work_mem to '2MB'");
        two.setMaximumPoolSize(2);
        try (FlexPoolDataSource wrapped = FlexPool.wrap(two)
                .set("time-in-database", true)
                .set("lease.max", "500ms")
                .set("lease.idle-in-transaction", "300ms")
                .set("lease.action", "cancel")
                .properties(Map.of(
                        "flexpool.classes", "oltp, batch",
                        "flexpool.lease.max-by-class", "batch = 1m",
                        "flexpool.lease.idle-in-transaction-by-class", "batch = 30s"))
                .build()) {
            FutureTask<String> batch = new FutureTask<>(() -> {
                try (PoolScope.Opened scope = PoolScope.of("batch").open();
                        Connection connection = wrapped.getConnection()) {
                    connection.setAutoCommit(false);
                    one(connection, "update public.account set amount = 7 where id = 1 returning amount");
                    one(connection, "select pg_sleep(4)");
                    // Idle in the transaction for longer than 300 ms and the 3 s of the server.
                    await(afterMillis(4_000)::get);
                    connection.commit();
                    return "committed";
                }
            });
            new Thread(batch).start();
            int others = 0;
            while (!batch.isDone()) {
                Connection other = wrapped.getConnection();
                other.setAutoCommit(false);
                one(other, "select 1");
                await(other::isClosed);
                others++;
            }
            assertThat(batch.get()).isEqualTo("committed");
            assertThat(one(SessionStateOnPoolsTest.server.superuser(), "select amount from public.account"))
                    .isEqualTo("7");
            assertThat(others).isPositive();
            int expected = others;
            await(() -> ended(wrapped) == expected);
            System.out.println("a lease of batch of 8 s was untouched; " + others + " leases beside it were ended");
        }
    }

    private static Supplier<Boolean> afterMillis(long millis) {
        long until = System.nanoTime() + millis * 1_000_000;
        return () -> System.nanoTime() - until > 0;
    }

    /** Counts the statements that set the timeouts. */
    private static DataSource counting(DataSource source, AtomicInteger set) {
        return proxy(DataSource.class, source, set);
    }

    private static <T> T proxy(Class<T> type, Object target, AtomicInteger set) {
        return type.cast(Proxy.newProxyInstance(
                LeaseBudgetsOnPoolsTest.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (arguments != null
                            && Arrays.stream(arguments)
                                    .anyMatch(each -> String.valueOf(each).contains("pg_settings"))) {
                        set.incrementAndGet();
                    }
                    try {
                        Object result = method.invoke(target, arguments);
                        if (result instanceof Connection connection && method.getReturnType() == Connection.class) {
                            return proxy(Connection.class, connection, set);
                        }
                        return result instanceof Statement statement && method.getReturnType() == Statement.class
                                ? proxy(Statement.class, statement, set)
                                : result;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                }));
    }

    // ---- a client that is frozen ----

    /** Holds a lock on the account in a lease with a budget of a second, until it is killed. */
    static final class FrozenHolder {
        public static void main(String[] arguments) throws Exception {
            HikariDataSource hikari = new HikariDataSource();
            hikari.setJdbcUrl(arguments[0]);
            hikari.setUsername("app");
            hikari.setPassword(arguments[1]);
            hikari.setMaximumPoolSize(1);
            FlexPoolDataSource pool = FlexPool.wrap(hikari)
                    .set("lease.max", Duration.ofMinutes(1))
                    .set("lease.idle-in-transaction", Duration.ofSeconds(2))
                    .set("time-in-database", true)
                    .set("lease.action", arguments[2])
                    .build();
            Connection connection = pool.getConnection();
            connection.setAutoCommit(false);
            connection.createStatement().execute("update public.account set amount = 1 where id = 1");
            System.out.println("locked");
            Thread.sleep(600_000);
        }
    }

    private static Process holder(String action) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FrozenHolder.class.getName(),
                        SessionStateOnPoolsTest.server.jdbcUrl(),
                        SessionStateOnPoolsTest.server.password(),
                        action)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Freezes a holder of the lock, and updates the row beside it; null if that had to wait for too long. */
    private static Duration updatesBeside(String action, String patience) throws Exception {
        Process holder = holder(action);
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
            String line = lines.readLine();
            while (line != null && !line.equals("locked")) {
                line = lines.readLine();
            }
            assertThat(line).isEqualTo("locked");
            assertThat(new ProcessBuilder("kill", "-STOP", Long.toString(holder.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            long since = System.nanoTime();
            asSuperuser("set lock_timeout = '" + patience + "'; update public.account set amount = 2 where id = 1");
            return Duration.ofNanos(System.nanoTime() - since);
        } finally {
            holder.destroyForcibly().waitFor();
        }
    }

    @Test
    void theLockOfAFrozenClientIsFreed() throws Exception {
        Duration waited = updatesBeside("cancel", "120s");
        System.out.println(
                "the lock of a frozen client with a budget of 2 s was free after " + waited.toMillis() + " ms");
        assertThat(one(SessionStateOnPoolsTest.server.superuser(), "select amount from public.account"))
                .isEqualTo("2");
    }

    @Tag("scenario")
    @Test
    void withoutItTheLockStays() {
        assertThatThrownBy(() -> updatesBeside("warn", "15s"))
                .isInstanceOf(SQLException.class)
                .extracting(thrown -> ((SQLException) thrown).getSQLState())
                .isEqualTo("55P03");
    }
}
