// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.read.ListAppender;
import com.alibaba.druid.pool.DruidDataSource;
import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.zaxxer.hikari.HikariDataSource;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.configuration.supplier.AgroalDataSourceConfigurationSupplier;
import io.agroal.api.security.NamePrincipal;
import io.agroal.api.security.SimplePassword;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.adapter.tck.database.TcpProxy;
import io.flexpool.event.PoolEvent;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.session.SessionStates;
import io.flexpool.session.SessionStates.LeftState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import oracle.ucp.jdbc.PoolDataSource;
import oracle.ucp.jdbc.PoolDataSourceFactory;
import org.apache.commons.dbcp2.BasicDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;
import org.vibur.dbcp.ViburDBCPDataSource;

/**
 * What the next borrower of a pool of one connection inherits on a real PostgreSQL: nine kinds of session state, with each pool, and
 * with each value of {@code session-state}. The row of another tenant is read through row level security.
 */
@Timeout(300)
class SessionStateOnPoolsTest {
    private static final Set<String> ALL = Set.of(
            "role",
            "search-path",
            "variable",
            "advisory-lock",
            "temp-table",
            "listen",
            "timeout",
            "prepared",
            "time-zone");

    static PostgresServer server;

    /** A pool of one connection. */
    enum Pool {
        HIKARICP {
            @Override
            DataSource make(String url, String password, String initSql) {
                HikariDataSource pool = new HikariDataSource();
                pool.setJdbcUrl(url);
                pool.setUsername("app");
                pool.setPassword(password);
                pool.setMaximumPoolSize(1);
                pool.setConnectionInitSql(initSql);
                return pool;
            }
        },
        DBCP2 {
            @Override
            DataSource make(String url, String password, String initSql) {
                BasicDataSource pool = new BasicDataSource();
                pool.setUrl(url);
                pool.setUsername("app");
                pool.setPassword(password);
                pool.setMaxTotal(1);
                pool.setConnectionInitSqls(List.of(initSql));
                return pool;
            }
        },
        TOMCAT {
            @Override
            DataSource make(String url, String password, String initSql) {
                org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource();
                pool.setDriverClassName(driver(url));
                pool.setUrl(url);
                pool.setUsername("app");
                pool.setPassword(password);
                pool.setMaxActive(1);
                pool.setInitialSize(1);
                pool.setMinIdle(1);
                pool.setMaxIdle(1);
                pool.setInitSQL(initSql);
                return pool;
            }
        },
        DRUID {
            @Override
            DataSource make(String url, String password, String initSql) {
                DruidDataSource pool = new DruidDataSource();
                pool.setUrl(url);
                pool.setUsername("app");
                pool.setPassword(password);
                pool.setMaxActive(1);
                pool.setConnectionInitSqls(List.of(initSql));
                return pool;
            }
        },
        C3P0 {
            @Override
            DataSource make(String url, String password, String initSql) {
                ComboPooledDataSource pool = new ComboPooledDataSource();
                pool.setJdbcUrl(url);
                pool.setUser("app");
                pool.setPassword(password);
                pool.setInitialPoolSize(1);
                pool.setMinPoolSize(1);
                pool.setMaxPoolSize(1);
                return pool;
            }

            @Override
            boolean hasInitSql() {
                return false;
            }
        },
        AGROAL {
            @Override
            DataSource make(String url, String password, String initSql) {
                try {
                    return AgroalDataSource.from(new AgroalDataSourceConfigurationSupplier()
                            .connectionPoolConfiguration(pool -> pool.maxSize(1)
                                    .acquisitionTimeout(Duration.ofSeconds(30))
                                    .connectionFactoryConfiguration(factory -> factory.jdbcUrl(url)
                                            .principal(new NamePrincipal("app"))
                                            .credential(new SimplePassword(password))
                                            .initialSql(initSql))));
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }
        },
        VIBUR {
            @Override
            DataSource make(String url, String password, String initSql) {
                ViburDBCPDataSource pool = new ViburDBCPDataSource();
                pool.setJdbcUrl(url);
                pool.setUsername("app");
                pool.setPassword(password);
                pool.setPoolInitialSize(1);
                pool.setPoolMaxSize(1);
                pool.setInitSQL(initSql);
                pool.start();
                return pool;
            }
        },
        UCP {
            @Override
            DataSource make(String url, String password, String initSql) {
                try {
                    PoolDataSource pool = PoolDataSourceFactory.getPoolDataSource();
                    pool.setConnectionFactoryClassName(driver(url));
                    pool.setURL(url);
                    pool.setUser("app");
                    pool.setPassword(password);
                    pool.setInitialPoolSize(1);
                    pool.setMinPoolSize(1);
                    pool.setMaxPoolSize(1);
                    pool.setConnectionWaitDuration(Duration.ofSeconds(30));
                    return pool;
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            boolean hasInitSql() {
                return false;
            }
        };

        /** For a user {@code app}. */
        abstract DataSource make(String url, String password, String initSql);

        DataSource make(String initSql) {
            return make(server.jdbcUrl(), server.password(), initSql);
        }

        private static String driver(String url) {
            try {
                return DriverManager.getDriver(url).getClass().getName();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        boolean hasInitSql() {
            return true;
        }

        /** The properties, of those that these tests change, that it restores by itself. */
        Set<String> restores() {
            return switch (this) {
                case HIKARICP -> Set.of("network-timeout");
                case DRUID, C3P0 -> Set.of("holdability");
                case AGROAL -> Set.of("holdability", "network-timeout");
                default -> Set.of();
            };
        }
    }

    /** A server with the user of the pools, who may take the role of a tenant. */
    static PostgresServer started() throws SQLException {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        PostgresServer started = PostgresServer.start();
        try (Connection connection = started.superuser().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create role app login password '" + started.password() + "'");
            statement.execute("create role tenant_role");
            statement.execute("grant tenant_role to app");
        }
        return started;
    }

    @BeforeAll
    static void start() throws SQLException {
        server = started();
        try (Connection connection = server.superuser().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create schema acme; grant all on schema acme, public to app, tenant_role");
            statement.execute("create table public.invoice(tenant text, amount int)");
            statement.execute("insert into public.invoice values ('acme', 1), ('acme', 2), ('globex', 3)");
            statement.execute("alter table public.invoice enable row level security");
            statement.execute("grant all on public.invoice to app, tenant_role");
            statement.execute("create policy p on public.invoice using (tenant = current_setting('app.tenant', true))");
        }
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Pool.class)
    void withoutTheGuardTheNextBorrowerInheritsAll(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "off")) {
            dirty(wrapped);
            assertThat(inherited(wrapped)).isEqualTo(ALL);
            assertThat(rowsOfTheOtherTenant(wrapped)).isEqualTo(2);
            assertThat(wrapped.view(SessionStates.class)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Pool.class)
    void aReportNamesAllWithStatementAndCallSite(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "report")) {
            dirty(wrapped);
            SessionStates states = wrapped.view(SessionStates.class).orElseThrow();
            assertThat(inherited(wrapped)).isEqualTo(ALL);
            assertThat(states.leases()).isEqualTo(1);
            assertThat(states.left())
                    .hasSize(9)
                    .allSatisfy(left -> assertThat(left.callSite()).contains("SessionStateOnPoolsTest.dirty"));
            assertThat(states.kinds().keySet())
                    .containsExactlyInAnyOrder(
                            "role",
                            "search-path",
                            "setting",
                            "advisory-lock",
                            "temp-table",
                            "listen",
                            "timeout",
                            "prepared",
                            "time-zone");
            assertThat(states.left()).extracting(LeftState::statement).contains("select set_config(?,?,false)");
            assertThat(wrapped.report()).contains("session state: 1 lease left session state", "set role tenant_role");
        }
    }

    @ParameterizedTest
    @EnumSource(Pool.class)
    void aResetLeavesNothing(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "reset")) {
            int before = backend(wrapped);
            dirty(wrapped);
            assertThat(inherited(wrapped)).isEmpty();
            assertThat(rowsOfTheOtherTenant(wrapped)).isZero();
            assertThat(backend(wrapped)).as("the same session").isEqualTo(before);
            SessionStates states = wrapped.view(SessionStates.class).orElseThrow();
            assertThat(states.resets()).isEqualTo(1);
            assertThat(states.discards()).isZero();
            assertThat(one(wrapped, "show work_mem"))
                    .as("the pool's own statement")
                    .isEqualTo(workMem(pool));
        }
    }

    /** What the pool's own statements set holds again, because they are executed again. */
    @ParameterizedTest
    @EnumSource(Pool.class)
    void whatThePoolSetsHoldsAgainAfterAReset(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "reset")) {
            try (Connection connection = wrapped.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("set work_mem to '3MB'");
            }
            assertThat(one(wrapped, "show work_mem")).isEqualTo(workMem(pool));
            assertThat(wrapped.view(SessionStates.class).orElseThrow().resets()).isEqualTo(1);
        }
    }

    /** An empty variable is none, but the pool's own statement has set another one. */
    @ParameterizedTest
    @EnumSource(Pool.class)
    void whatThePoolSetsHoldsAgainAfterItWasTakenAway(Pool pool) throws SQLException {
        assumeTrue(pool.hasInitSql());
        try (FlexPoolDataSource wrapped = FlexPool.wrap(pool.make("set app.tenant to 'globex'"))
                .name(pool.name())
                .set("session-state", "reset")
                .build()) {
            for (String taken : List.of("set app.tenant = ''", "reset app.tenant", "reset all")) {
                try (Connection connection = wrapped.getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute(taken);
                }
                assertThat(one(wrapped, "select current_setting('app.tenant')"))
                        .as(taken)
                        .isEqualTo("globex");
            }
            assertThat(wrapped.view(SessionStates.class).orElseThrow().resets()).isEqualTo(3);
        }
    }

    /** An application with a schema for each tenant sets it in a transaction. A reset inside that transaction would end with it. */
    @ParameterizedTest
    @EnumSource(Pool.class)
    void theSchemaOfATransactionIsNotInherited(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "reset")) {
            String before = one(wrapped, "show search_path");
            try (Connection connection = wrapped.getConnection()) {
                connection.setAutoCommit(false);
                connection.setSchema("acme");
                connection.commit();
            }
            assertThat(one(wrapped, "show search_path"))
                    .as("its first schema alone would not do")
                    .isEqualTo(before);
            try (Connection connection = wrapped.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                connection.setSchema("acme");
                statement.execute("select set_config('app.tenant','acme',false)");
                connection.commit();
            }
            assertThat(one(wrapped, "show search_path")).as("with a variable").isEqualTo(before);
            assertThat(rowsOfTheOtherTenant(wrapped)).isZero();
            assertThat(wrapped.view(SessionStates.class).orElseThrow().resets()).isEqualTo(2);
        }
    }

    /** Some pools roll it back, some leave it open, and Agroal commits it. */
    @ParameterizedTest
    @EnumSource(Pool.class)
    void aTransactionThatTheApplicationLeftOpenDoesNotPassTheTenantOn(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "reset")) {
            int before = backend(wrapped);
            try (Connection connection = wrapped.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("select set_config('app.tenant','acme',false)");
            }
            assertThat(rowsOfTheOtherTenant(wrapped)).isZero();
            assertThat(backend(wrapped)).as("the same session").isEqualTo(before);
        }
    }

    /** DBCP 2 and Druid roll back no read-only connection. */
    @ParameterizedTest
    @EnumSource(Pool.class)
    void aReadOnlyTransactionThatIsLeftOpenDoesNotPassTheTenantOn(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "reset")) {
            try (Connection connection = wrapped.getConnection()) {
                connection.setReadOnly(true);
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement()) {
                    statement.execute("select set_config('app.tenant','acme',false)");
                }
            }
            assertThat(rowsOfTheOtherTenant(wrapped)).isZero();
        }
    }

    /** A reset within it would be undone by the next borrower's rollback. */
    @ParameterizedTest
    @EnumSource(Pool.class)
    void aTransactionThatSqlLeftOpenDoesNotBringTheTenantBack(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "reset")) {
            try (Connection connection = wrapped.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("select set_config('app.tenant','acme',false)");
                statement.execute("begin");
                statement.execute("reset app.tenant");
            }
            try (Connection connection = wrapped.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("rollback");
                assertThat(one(connection, "select count(*) from invoice")).isEqualTo("0");
            }
        }
    }

    /** PostgreSQL rolls back at the commit of a transaction in which a statement failed, and its driver says nothing. */
    @ParameterizedTest
    @EnumSource(Pool.class)
    void aCommitAfterAFailedStatementDoesNotBringTheTenantBack(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "reset")) {
            try (Connection connection = wrapped.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("select set_config('app.tenant','acme',false)");
                connection.commit();
                statement.execute("reset app.tenant");
                assertThatThrownBy(() -> statement.execute("select 1/0")).isInstanceOf(SQLException.class);
                connection.commit();
            }
            assertThat(rowsOfTheOtherTenant(wrapped)).isZero();
        }
    }

    private static String workMem(Pool pool) {
        return pool.hasInitSql() ? "2MB" : "4MB";
    }

    @ParameterizedTest
    @EnumSource(Pool.class)
    void aDiscardLeavesAnotherSession(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "discard")) {
            int before = backend(wrapped);
            dirty(wrapped);
            assertThat(inherited(wrapped)).isEmpty();
            assertThat(rowsOfTheOtherTenant(wrapped)).isZero();
            assertThat(backend(wrapped)).as("another session").isNotEqualTo(before);
            assertThat(wrapped.view(SessionStates.class).orElseThrow().discards())
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Pool.class)
    void whatIsRolledBackOrEndsWithTheTransactionIsNotReset(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "reset")) {
            try (Connection connection = wrapped.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("set local role tenant_role");
                statement.execute("select set_config('app.tenant', 'acme', true)");
                statement.execute("select pg_advisory_xact_lock(4)");
                connection.commit();
                statement.execute("set search_path to acme");
                statement.execute("listen orders");
                connection.rollback();
                connection.setAutoCommit(true);
            }
            SessionStates states = wrapped.view(SessionStates.class).orElseThrow();
            assertThat(states.leases()).isZero();
            try (Connection connection = wrapped.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("set search_path to acme");
                connection.commit();
                connection.setAutoCommit(true);
            }
            assertThat(states.resets()).isEqualTo(1);
            assertThat(inherited(wrapped)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(Pool.class)
    void whatJdbcHasChangedIsPutBack(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "reset")) {
            List<String> before = properties(wrapped);
            try (Connection connection = wrapped.getConnection()) {
                connection.setSchema("acme");
                connection.setClientInfo("ApplicationName", "left");
                connection.setNetworkTimeout(Runnable::run, 54_321);
                connection.setHoldability(ResultSet.CLOSE_CURSORS_AT_COMMIT);
                connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT);
            }
            // Also what the pool restores, which is not reported.
            assertThat(properties(wrapped)).isEqualTo(before);
            SessionStates states = wrapped.view(SessionStates.class).orElseThrow();
            Set<String> kinds = new TreeSet<>(Set.of("schema", "client-info", "network-timeout", "holdability"));
            kinds.removeAll(pool.restores());
            assertThat(states.kinds()).containsOnlyKeys(kinds);
            assertThat(states.left())
                    .extracting(LeftState::statement)
                    .contains("Connection.setSchema", "Connection.setClientInfo");
        }
    }

    /** As it is configured, HikariCP restores the schema, too. */
    @Test
    void whatHikariCpRestoresIsNotReported() throws SQLException {
        HikariDataSource hikari = (HikariDataSource) Pool.HIKARICP.make("set work_mem to '2MB'");
        hikari.setSchema("public");
        try (FlexPoolDataSource wrapped = FlexPool.wrap(hikari).name("orders").build()) {
            for (int lease = 0; lease < 2; lease++) {
                try (Connection connection = wrapped.getConnection()) {
                    assertThat(connection.getSchema()).isEqualTo("public");
                    assertThat(connection.getNetworkTimeout()).isZero();
                    connection.setSchema("acme");
                    connection.setNetworkTimeout(Runnable::run, 54_321);
                }
            }
            assertThat(wrapped.view(SessionStates.class).orElseThrow().leases()).isZero();
        }
    }

    /**
     * The server is behind a proxy that swallows everything from the return on: no answer comes, and no reset of TCP. HikariCP alone:
     * DBCP 2 opens another connection while it discards one, which takes as long as its driver waits for a connect.
     */
    @Test
    void aServerThatDoesNotAnswerTheResetDoesNotHoldTheReturnForEver() throws Exception {
        Pool pool = Pool.HIKARICP;
        try (TcpProxy proxy = TcpProxy.to(server.port())) {
            String url = server.jdbcUrl().replace(":" + server.port() + "/", ":" + proxy.port() + "/");
            assertThat(url).isNotEqualTo(server.jdbcUrl());
            try (FlexPoolDataSource wrapped = FlexPool.wrap(pool.make(url, server.password(), "set work_mem to '2MB'"))
                    .name(pool.name())
                    .set("session-state", "reset")
                    .build()) {
                Connection connection = wrapped.getConnection();
                int backend = Integer.parseInt(one(connection, "select pg_backend_pid()"));
                one(connection, "select set_config('app.tenant', 'acme', false)");
                proxy.blackhole();
                connection.close();
                SessionStates states = wrapped.view(SessionStates.class).orElseThrow();
                assertThat(states.discards()).isEqualTo(1);
                assertThat(states.resets()).isZero();
                assertThat(wrapped.state().leased()).isZero();
                proxy.pass();
                assertThat(backend(wrapped)).as("another session").isNotEqualTo(backend);
            }
        }
    }

    private static List<String> properties(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return List.of(
                    String.valueOf(connection.getSchema()),
                    String.valueOf(connection.getClientInfo("ApplicationName")),
                    String.valueOf(connection.getNetworkTimeout()),
                    String.valueOf(connection.getHoldability()));
        }
    }

    private static String ofThePage() throws IOException {
        return Files.readString(Path.of("..", "..", "docs", "how-to", "tenants-on-one-pool.md"))
                .lines()
                .filter(line -> line.startsWith("WARN io.flexpool - orders: "))
                .findFirst()
                .orElseThrow()
                .replaceFirst("WARN io.flexpool - orders: ", "HIKARICP: ");
    }

    private static String withoutCallSite(Object line) {
        return line.toString().replaceFirst("at \\S+\\);", "at *;");
    }

    /** The line of docs/how-to/tenants-on-one-pool.md, once for each call site. */
    @Test
    void theLogNamesStatementAndCallSiteOnce() throws SQLException, IOException {
        Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        List<PoolEvent> events;
        try (FlexPoolDataSource wrapped = wrap(Pool.HIKARICP, "report")) {
            for (int lease = 0; lease < 3; lease++) {
                try (Connection connection = wrapped.getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute("select set_config('app.tenant', 'acme', false)");
                }
            }
            events = wrapped.diagnosis().recentEvents().stream()
                    .map(PoolEvent.Recent::event)
                    .filter(PoolEvent.PartReported.class::isInstance)
                    .toList();
        } finally {
            logger.detachAppender(lines);
        }
        assertThat(lines.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(line -> line.contains("session state"))
                .singleElement()
                .satisfies(line ->
                        assertThat(line).contains("SessionStateOnPoolsTest.theLogNamesStatementAndCallSiteOnce("))
                .extracting(SessionStateOnPoolsTest::withoutCallSite)
                .isEqualTo(withoutCallSite(ofThePage()));
        assertThat(events)
                .extracting(PoolEvent::describe)
                .containsExactly(lines.list.stream()
                        .map(ILoggingEvent::getFormattedMessage)
                        .filter(line -> line.contains("session state"))
                        .toArray(String[]::new));
        assertThat(((PoolEvent.PartReported) events.get(0)).facts())
                .containsEntry("kind", "setting")
                .containsEntry("name", "app.tenant")
                .containsEntry("statement", "select set_config(?, ?, false)");
    }

    /** Nor does it change what the application's close does. */
    @Test
    void aLogThatThrowsLeavesNoDirtyConnectionInThePool() throws SQLException {
        Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
        UnsynchronizedAppenderBase<ILoggingEvent> throwing = new UnsynchronizedAppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                if (event.getFormattedMessage().contains("session state")) {
                    throw new IllegalStateException("the disk is full");
                }
            }

            @Override
            public void doAppend(ILoggingEvent event) {
                append(event);
            }
        };
        throwing.start();
        logger.addAppender(throwing);
        try (FlexPoolDataSource wrapped = wrap(Pool.HIKARICP, "discard")) {
            int before = backend(wrapped);
            dirty(wrapped);
            assertThat(backend(wrapped)).isNotEqualTo(before);
            assertThat(wrapped.statistics().total().counter(PoolMetric.LISTENER_ERRORS))
                    .isPositive();
        } finally {
            logger.detachAppender(throwing);
        }
    }

    /** The connection that has the lock is idle in the pool; the next borrower of another one waits for it for ever. */
    @Test
    void anExplanationNamesWhoLeftTheLockThatBlocksTheNext() throws Exception {
        HikariDataSource two = (HikariDataSource) Pool.HIKARICP.make("set work_mem to '2MB'");
        two.setMaximumPoolSize(2);
        two.setConnectionTimeout(1_000);
        try (FlexPoolDataSource wrapped = FlexPool.wrap(two)
                .name("orders")
                .set("call-sites.sample-every", 1)
                .build()) {
            Connection other = wrapped.getConnection();
            try (Connection connection = wrapped.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("select pg_advisory_lock(815)");
            }
            Thread blocked = new Thread(() -> {
                try (Statement statement = other.createStatement()) {
                    statement.execute("select pg_advisory_lock(815)");
                } catch (SQLException cancelled) {
                    assertThat(cancelled.getSQLState()).isNotNull();
                }
            });
            blocked.start();
            try (Connection third = wrapped.getConnection()) {
                assertThatThrownBy(wrapped::getConnection).isInstanceOf(SQLException.class);
                assertThat(Objects.requireNonNull(wrapped.diagnosis().lastExplanation())
                                .text())
                        .contains("an earlier lease has left a lock on its connection: advisory-lock 815 by"
                                + " \"select pg_advisory_lock(?)\" at SessionStateOnPoolsTest.anExplanationNames");
                assertThat(third.isClosed()).isFalse();
            }
            other.abort(Runnable::run);
            blocked.join();
        }
    }

    /** What is put back by the application is not left. */
    @ParameterizedTest
    @EnumSource(Pool.class)
    void whatTheApplicationPutsBackIsNotReported(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "report")) {
            try (Connection connection = wrapped.getConnection();
                    Statement statement = connection.createStatement()) {
                String schema = connection.getSchema();
                connection.setSchema("acme");
                connection.setSchema(schema);
                statement.execute("set role tenant_role");
                statement.execute("select pg_advisory_lock(8)");
                statement.execute("select pg_advisory_unlock(8)");
                statement.execute("reset role");
                statement.execute("prepare q as select 1");
                statement.execute("deallocate q");
            }
            assertThat(wrapped.view(SessionStates.class).orElseThrow().left()).isEmpty();
            assertThat(wrapped.report()).doesNotContain("session state:");
        }
    }

    @ParameterizedTest
    @EnumSource(Pool.class)
    void whatIsAllowedStays(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = FlexPool.wrap(pool.make("set work_mem to '2MB'"))
                .name(pool.name())
                .set("session-state", "reset")
                .set("session-state.allow", "time-zone")
                .build()) {
            dirty(wrapped);
            assertThat(inherited(wrapped)).containsExactly("time-zone");
        }
    }

    /** The savepoint is older than the first statement that is followed. */
    @ParameterizedTest
    @EnumSource(Pool.class)
    void aRollbackToASavepointTakesBackWhatWasSetSince(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "reset")) {
            try (Connection connection = wrapped.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                Savepoint before = connection.setSavepoint();
                statement.execute("set search_path to acme, public");
                connection.rollback(before);
                statement.execute("set role tenant_role");
                Savepoint second = connection.setSavepoint("second");
                statement.execute("listen orders");
                connection.rollback(second);
                connection.commit();
                connection.setAutoCommit(true);
            }
            assertThat(wrapped.view(SessionStates.class).orElseThrow().kinds()).containsOnlyKeys("role");
            assertThat(inherited(wrapped)).isEmpty();
        }
    }

    /** A statement that is judged when it is prepared, and whose execution sets the state. */
    @ParameterizedTest
    @EnumSource(Pool.class)
    void aPreparedStatementIsFollowedToo(Pool pool) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, "reset")) {
            for (int lease = 0; lease < 2; lease++) {
                try (Connection connection = wrapped.getConnection();
                        PreparedStatement statement =
                                connection.prepareStatement("select set_config('app.tenant', ?, false)")) {
                    statement.setString(1, "acme");
                    statement.execute();
                }
                assertThat(rowsOfTheOtherTenant(wrapped)).isZero();
            }
            try (Connection connection = wrapped.getConnection();
                    PreparedStatement notExecuted = connection.prepareStatement("set role tenant_role")) {
                assertThat(notExecuted).isNotNull();
            }
            assertThat(wrapped.view(SessionStates.class).orElseThrow().leases()).isEqualTo(2);
        }
    }

    private static FlexPoolDataSource wrap(Pool pool, String action) {
        return FlexPool.wrap(pool.make("set work_mem to '2MB'"))
                .name(pool.name())
                .set("session-state", action)
                .set("call-sites.sample-every", 1)
                .build();
    }

    private static void dirty(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("set search_path to acme, public");
            statement.execute("select set_config('app.tenant','acme',false)");
            statement.execute("select pg_advisory_lock(4711)");
            statement.execute("create temp table basket(x int)");
            statement.execute("listen orders");
            statement.execute("set statement_timeout to 12345");
            statement.execute("prepare q as select 1");
            statement.execute("set time zone 'Asia/Tokyo'");
            statement.execute("set role tenant_role");
        }
    }

    private static Set<String> inherited(DataSource pool) throws SQLException {
        Map<String, String> dirty = new LinkedHashMap<>();
        dirty.put("role", "select current_user = 'tenant_role'");
        dirty.put("search-path", "select current_setting('search_path') = 'acme, public'");
        dirty.put("variable", "select coalesce(current_setting('app.tenant', true), '') = 'acme'");
        dirty.put(
                "advisory-lock",
                "select count(*) > 0 from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()");
        dirty.put(
                "temp-table",
                "select count(*) > 0 from pg_class where relname = 'basket' and relpersistence = 't'"
                        + " and pg_table_is_visible(oid)");
        dirty.put("listen", "select count(*) > 0 from pg_listening_channels()");
        dirty.put("timeout", "select current_setting('statement_timeout') = '12345ms'");
        dirty.put("prepared", "select count(*) > 0 from pg_prepared_statements where name = 'q'");
        dirty.put("time-zone", "select current_setting('timezone') = 'Asia/Tokyo'");
        Set<String> inherited = new TreeSet<>();
        try (Connection connection = pool.getConnection()) {
            List<String> kinds = new ArrayList<>(dirty.keySet());
            for (String kind : kinds) {
                if (one(connection, dirty.get(kind)).equals("t")) {
                    inherited.add(kind);
                }
            }
        }
        return inherited;
    }

    private static int rowsOfTheOtherTenant(DataSource pool) throws SQLException {
        return Integer.parseInt(one(pool, "select count(*) from public.invoice where tenant = 'acme'"));
    }

    private static int backend(DataSource pool) throws SQLException {
        return Integer.parseInt(one(pool, "select pg_backend_pid()"));
    }

    private static String one(DataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return one(connection, sql);
        }
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }
}
