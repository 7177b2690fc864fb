// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.PoolScope;
import io.flexpool.examples.session.SessionStateOnMariaDbTest.Driver;
import io.flexpool.examples.session.SessionStateOnPoolsTest.Pool;
import io.flexpool.session.SessionStates;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The budgets of leases as a real MariaDB keeps them, with both drivers. */
@SuppressWarnings("try") // scopes are opened alone
@Timeout(300)
class LeaseBudgetsOnMariaDbTest {
    private static final String TIMEOUTS = "select concat(@@idle_transaction_timeout, ' ', round(@@max_statement_time))";

    @TempDir
    static Path data;

    @BeforeAll
    static void start() throws Exception {
        SessionStateOnMariaDbTest.start(data);
        try (Connection connection = connect()) {
            SessionStateOnMariaDbTest.execute(connection, "insert into account values (1, 100)");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        SessionStateOnMariaDbTest.stop();
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(Driver.MARIADB.url(""), "app", SessionStateOnMariaDbTest.password());
    }

    private static FlexPoolBuilder wrap(Driver driver, String initSql) {
        DataSource pool = Pool.HIKARICP.make(driver.url(""), SessionStateOnMariaDbTest.password(), initSql);
        return FlexPool.wrap(pool)
                .set("lease.max", "10m")
                .set("lease.action", "cancel")
                .set("session-state", "reset");
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void theServerHasTheBudgetAlsoAfterAReset(Driver driver) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(driver, "select 1").build()) {
            assertThat(SessionStateOnMariaDbTest.one(wrapped, TIMEOUTS)).isEqualTo("603 603");
            SessionStates states = wrapped.view(SessionStates.class).orElseThrow();
            assertThat(states.leases()).as("it is not state that a lease has left").isZero();
            for (String statement : new String[] {"set @tenant = 'acme'", "set idle_transaction_timeout = 0"}) {
                try (Connection connection = wrapped.getConnection()) {
                    SessionStateOnMariaDbTest.execute(connection, statement);
                }
                assertThat(SessionStateOnMariaDbTest.one(wrapped, TIMEOUTS)).isEqualTo("603 603");
            }
            assertThat(states.resets()).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aShorterTimeoutOfThePoolStaysAndWithoutABudgetThereIsNone(Driver driver) throws SQLException {
        try (FlexPoolDataSource wrapped =
                wrap(driver, "set session idle_transaction_timeout = 7").build()) {
            assertThat(SessionStateOnMariaDbTest.one(wrapped, TIMEOUTS)).isEqualTo("7 603");
        }
        DataSource pool = Pool.HIKARICP.make(driver.url(""), SessionStateOnMariaDbTest.password(), "select 1");
        try (FlexPoolDataSource wrapped = FlexPool.wrap(pool).set("lease.max", "10m").build()) {
            assertThat(SessionStateOnMariaDbTest.one(wrapped, TIMEOUTS)).isEqualTo("0 0");
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void aClassHasItsOwnBudgetAndLeavesThatOfTheFirst(Driver driver) throws SQLException {
        Map<String, String> timeouts = Map.of("oltp", "603 603", "batch", "3603 900", "reports", "0 900");
        try (FlexPoolDataSource wrapped = wrap(driver, "set session max_statement_time = 900")
                .properties(Map.of(
                        "flexpool.classes", "oltp, batch, reports",
                        "flexpool.classes.batch.max", "1",
                        "flexpool.classes.reports.max", "1",
                        "flexpool.lease.max-by-class", "batch = 1h, reports = none"))
                .build()) {
            for (String requestClass : List.of("batch", "oltp", "reports", "oltp", "oltp", "reports", "batch", "oltp")) {
                try (PoolScope.Opened scope = PoolScope.of(requestClass).open();
                        Connection connection = wrapped.getConnection()) {
                    connection.setAutoCommit(false);
                    assertThat(SessionStateOnMariaDbTest.one(connection, TIMEOUTS))
                            .as(requestClass)
                            .isEqualTo(timeouts.get(requestClass));
                    SessionStateOnMariaDbTest.execute(connection, "set @tenant = 'acme'");
                }
            }
        }
    }

    // ---- a client that is frozen ----

    /** Holds a lock on the account in a lease with a budget of two seconds, until it is killed. */
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
            connection.createStatement().execute("update account set amount = 1 where id = 1");
            System.out.println("locked");
            System.in.read();
        }
    }

    private static Process holder(Driver driver, String action) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FrozenHolder.class.getName(),
                        driver.url(""),
                        SessionStateOnMariaDbTest.password(),
                        action)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Freezes a holder of the lock, and updates the row beside it. */
    private static Duration updatesBeside(Driver driver, String action, int patienceSeconds) throws Exception {
        Process holder = holder(driver, action);
        try (BufferedReader lines =
                        new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8));
                Connection beside = connect();
                Statement statement = beside.createStatement()) {
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
            statement.execute("set innodb_lock_wait_timeout = " + patienceSeconds);
            statement.execute("update account set amount = 2 where id = 1");
            return Duration.ofNanos(System.nanoTime() - since);
        } finally {
            holder.destroyForcibly().waitFor();
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void theLockOfAFrozenClientIsFreed(Driver driver) throws Exception {
        Duration waited = updatesBeside(driver, "cancel", 120);
        System.out.println(driver + ": the lock of a frozen client with a budget of 2 s was free after "
                + waited.toMillis() + " ms");
        try (Connection connection = connect()) {
            assertThat(SessionStateOnMariaDbTest.one(connection, "select amount from account"))
                    .isEqualTo("2");
        }
        assertThatThrownBy(() -> updatesBeside(driver, "warn", 15))
                .as("without it the lock stays")
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("Lock wait timeout exceeded");
    }
}
