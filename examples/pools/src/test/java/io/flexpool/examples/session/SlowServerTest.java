// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.PoolScope;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.adapter.tck.database.TcpProxy;
import io.flexpool.examples.session.SessionStateOnPoolsTest.Pool;
import io.flexpool.pool.Ticker;
import io.flexpool.session.SessionStates;
import io.flexpool.session.SessionStates.LeftState;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** A real PostgreSQL whose responses are slow or missing while flexpool queries it at the end of leases. */
@SuppressWarnings("try") // scopes are opened alone
@Timeout(300)
class SlowServerTest {
    /** In each direction, so a response takes twice as long, more than the former limit of 500 ms. */
    private static final Duration DELAY = Duration.ofMillis(350);

    private static final String FAILING = "set work_mem to '1xx'";

    private static PostgresServer server;

    private final AtomicLong ahead = new AtomicLong();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private TcpProxy proxy;

    @BeforeAll
    static void start() throws SQLException {
        server = SessionStateOnPoolsTest.started();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void open() {
        proxy = TcpProxy.to(server.port());
        log.start();
        logger().addAppender(log);
    }

    @AfterEach
    void close() {
        logger().detachAppender(log);
        proxy.close();
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("io.flexpool");
    }

    private FlexPoolBuilder wrap(Pool pool, String action) {
        return wrap(pool, action, "");
    }

    private FlexPoolBuilder wrap(Pool pool, String action, String options) {
        String url = server.jdbcUrl().replace(":" + server.port() + "/", ":" + proxy.port() + "/") + options;
        return FlexPool.wrap(pool.make(url, server.password(), "select 1"))
                .name(pool.name())
                .set("session-state", action)
                .framework(settings -> settings.ticker(new Ticker() {
                    @Override
                    public long nanos() {
                        return System.nanoTime() + ahead.get();
                    }
                }));
    }

    private static SessionStates states(FlexPoolDataSource pool) {
        return pool.view(SessionStates.class).orElseThrow();
    }

    private static int backend(FlexPoolDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return backend(connection);
        }
    }

    private static int backend(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** A timeout that is shorter than flexpool's limit, in seconds: the tests need not wait so long. Druid reads milliseconds. */
    private static String shortTimeout(Pool pool) {
        return "?socketTimeout=" + (pool == Pool.DRUID ? 1_000 : 1);
    }

    private void fail(FlexPoolDataSource pool, Runnable beforeTheReturn) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute(FAILING)).isInstanceOf(SQLException.class);
            beforeTheReturn.run();
        }
    }

    private List<String> pauses() {
        return log.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains("did not respond to flexpool"))
                .toList();
    }

    private void advance(Duration time) {
        ahead.addAndGet(time.toNanos());
    }

    /** The query had 500 ms: then the driver closed the connection of a healthy server. */
    @ParameterizedTest
    @EnumSource(Pool.class)
    void aQueryOfASlowServerCostsNoConnection(Pool kind) throws SQLException {
        try (FlexPoolDataSource pool =
                wrap(kind, "report").set("session-state.server-check", true).build()) {
            int before = backend(pool);
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                if (kind != Pool.VIBUR) {
                    // Vibur itself closes a connection that has thrown.
                    assertThatThrownBy(() -> statement.execute(FAILING)).isInstanceOf(SQLException.class);
                }
                statement.execute("do $$ begin perform 1; end $$");
                proxy.delay(DELAY);
            }
            proxy.pass();
            assertThat(backend(pool)).as("the same session").isEqualTo(before);
            assertThat(states(pool).left()).isEmpty();
            assertThat(states(pool).unknownStatements())
                    .as("of the block alone")
                    .isEqualTo(1);
            assertThat(pauses()).isEmpty();
        }
    }

    /** The reset had 500 ms for all its round trips. */
    @ParameterizedTest
    @EnumSource(Pool.class)
    void aResetOfASlowServerCostsNoConnection(Pool kind) throws SQLException {
        try (FlexPoolDataSource pool = wrap(kind, "reset").build()) {
            int before;
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                before = backend(connection);
                connection.setSchema("pg_catalog");
                statement.execute("set role tenant_role");
                proxy.delay(DELAY);
            }
            proxy.pass();
            assertThat(backend(pool)).as("the same session").isEqualTo(before);
            assertThat(states(pool).resets()).isEqualTo(1);
            assertThat(states(pool).discards()).isZero();
        }
    }

    /** Agroal kept a connection that the driver had closed, and lent it. */
    @ParameterizedTest
    @EnumSource(Pool.class)
    void aConnectionThatATimeoutClosedIsGivenUp(Pool kind) throws SQLException, InterruptedException {
        for (String action : List.of("report", "reset")) {
            try (FlexPoolDataSource pool =
                    wrap(kind, action, shortTimeout(kind)).build()) {
                int before = backend(pool);
                try (Connection connection = pool.getConnection();
                        Statement statement = connection.createStatement()) {
                    if (action.equals("report")) {
                        assertThatThrownBy(() -> statement.execute(FAILING)).isInstanceOf(SQLException.class);
                    } else {
                        statement.execute("set role tenant_role");
                    }
                    proxy.blackhole();
                } finally {
                    proxy.pass();
                }
                assertThat(pool.state().leased()).isZero();
                for (int lease = 0; lease < 2; lease++) {
                    assertThat(backend(pool)).as("another session, which works").isNotEqualTo(before);
                }
                // c3p0 closes a connection on a thread of its own.
                while (pool.state().pool().total() > 1 || proxy.open() > 1) {
                    Thread.sleep(20);
                }
                assertThat(proxy.open()).as("physical connections").isEqualTo(1);
                assertThat(pauses())
                        .singleElement()
                        .asString()
                        .contains("within 1000 ms")
                        .endsWith(
                                action.equals("report")
                                        ? "not checked for 60 s."
                                        : "and the driver may have closed the connection.");
                assertThat(states(pool).discards()).isEqualTo(action.equals("reset") ? 1 : 0);
            } finally {
                log.list.clear();
            }
        }
    }

    /** Each lease would lose its connection again. */
    @Test
    void theQueriesPauseAndTheirLeasesAreUnknown() throws SQLException {
        try (FlexPoolDataSource pool =
                wrap(Pool.HIKARICP, "report", shortTimeout(Pool.HIKARICP)).build()) {
            for (int seconds : new int[] {60, 120, 240, 480, 960, 960}) {
                fail(pool, proxy::blackhole);
                proxy.pass();
                assertThat(pauses()).singleElement().asString().contains("for " + seconds + " s");
                assertThat(pool.report()).contains("Statements that may have failed are not checked for another");
                long unknown = states(pool).unknownStatements();
                int before = backend(pool);
                advance(Duration.ofSeconds(seconds - 30));
                fail(pool, proxy::blackhole);
                proxy.pass();
                assertThat(states(pool).unknownStatements()).isEqualTo(unknown + 1);
                assertThat(pauses()).as("no query, no further line").hasSize(1);
                assertThat(backend(pool)).as("no query, no lost connection").isEqualTo(before);
                advance(Duration.ofSeconds(31));
                log.list.clear();
            }
            assertThat(states(pool).left()).isEmpty();
            assertThat(states(pool).unknown()).extracting(LeftState::statement).containsExactly("set work_mem to ?");
            fail(pool, () -> {});
            long unknown = states(pool).unknownStatements();
            fail(pool, () -> {});
            assertThat(states(pool).unknownStatements()).as("queried again").isEqualTo(unknown);
            assertThat(pool.report()).doesNotContain("are not checked");
            fail(pool, proxy::blackhole);
            proxy.pass();
            assertThat(pauses()).singleElement().asString().contains("for 60 s");
        }
    }

    /** A lease that has really set state is unknown too, and with reset the state must not stay. */
    @Test
    void aResetNeedsTheAnswerAndKeepsQuerying() throws SQLException {
        try (FlexPoolDataSource pool =
                wrap(Pool.HIKARICP, "reset", shortTimeout(Pool.HIKARICP)).build()) {
            fail(pool, proxy::blackhole);
            proxy.pass();
            // It was "are not checked for 60 s", and the report repeated that until the next query.
            assertThat(pauses()).singleElement().asString().endsWith("and the driver may have closed the connection.");
            assertThat(pool.report()).doesNotContain("are not checked");
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("set role tenant_role");
                assertThatThrownBy(() -> statement.execute("select 1/0")).isInstanceOf(SQLException.class);
            }
            assertThat(states(pool).resets()).isEqualTo(1);
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select current_user")) {
                row.next();
                assertThat(row.getString(1)).isEqualTo("app");
            }
        }
    }

    /** The timeouts of another class were restored within 500 ms, or the connection was closed. */
    @ParameterizedTest
    @EnumSource(Pool.class)
    void theTimeoutsOfALeaseBudgetAreRestoredOnASlowServer(Pool kind) throws SQLException {
        try (FlexPoolDataSource pool = budgets(wrap(kind, "report"))) {
            int before = backend(pool);
            batch(pool, () -> proxy.delay(DELAY));
            proxy.pass();
            assertThat(backend(pool)).as("the same session").isEqualTo(before);
        }
    }

    /** Then the next lease sets them. */
    @Test
    void theTimeoutsOfALeaseBudgetAreNotRestoredDuringAPause() throws SQLException {
        try (FlexPoolDataSource pool = budgets(wrap(Pool.HIKARICP, "off", shortTimeout(Pool.HIKARICP)))) {
            int before = backend(pool);
            batch(pool, proxy::blackhole);
            proxy.pass();
            assertThat(pauses()).hasSize(1);
            int second = backend(pool);
            assertThat(second).isNotEqualTo(before);
            batch(pool, proxy::blackhole);
            proxy.pass();
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("show idle_in_transaction_session_timeout")) {
                row.next();
                assertThat(row.getString(1)).isEqualTo("603s");
                assertThat(backend(connection)).as("the same session").isEqualTo(second);
            }
        }
    }

    private static FlexPoolDataSource budgets(FlexPoolBuilder pool) {
        return pool.set("classes", "web, batch")
                .set("classes.batch.max", "1")
                .set("acquisition-timeout", "30s")
                .set("lease.max", "10m")
                .set("lease.max-by-class", "batch=1h")
                .set("lease.action", "cancel")
                .build();
    }

    private static void batch(FlexPoolDataSource pool, Runnable beforeTheReturn) throws SQLException {
        try (PoolScope.Opened scope = PoolScope.of("batch").open();
                Connection connection = pool.getConnection()) {
            assertThat(backend(connection)).isPositive();
            beforeTheReturn.run();
        }
    }
}
