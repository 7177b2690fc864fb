// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PgBouncer;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.session.SessionStates;
import io.flexpool.session.SessionStates.LeftState;
import io.flexpool.session.SessionStates.PoolerFit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Staged applications that run on a real PostgreSQL, where flexpool answers whether they fit a pooler in transaction mode, and then
 * behind a real PgBouncer in that mode, which shows it. PgBouncer gives each transaction the next of three sessions. An application is
 * broken there if it fails, if a result is not the one that it must be, or if another client sees its state. That needs the program:
 * docs/dev has the command.
 */
@Timeout(300)
class PoolerFitTest {
    private static final int SESSIONS = 3;
    private static final int RUNS = 12;

    private static PostgresServer server;

    @TempDir
    private Path folder;

    /** What an application does with each lease; throws if a result is wrong. */
    enum Application {
        STATEMENTS {
            @Override
            void run(Connection connection) throws SQLException {
                execute(connection, "insert into account(amount) values (1)");
                execute(connection, "update account set amount = amount + 1 where amount = 1");
                must(connection, "select count(*) > 0 from account where amount = 2", "t");
                execute(connection, "delete from account");
            }
        },
        TRANSACTION_WITH_SAVEPOINT {
            @Override
            void run(Connection connection) throws SQLException {
                connection.setAutoCommit(false);
                execute(connection, "insert into account(amount) values (7)");
                Savepoint before = connection.setSavepoint();
                execute(connection, "delete from account");
                connection.rollback(before);
                must(connection, "select count(*) from account where amount = 7", "1");
                connection.rollback();
            }
        },
        TENANT_BY_SET_LOCAL {
            @Override
            void run(Connection connection) throws SQLException {
                connection.setAutoCommit(false);
                for (String tenant : List.of("acme", "globex")) {
                    execute(connection, "set local app.tenant = '" + tenant + "'");
                    must(connection, "select string_agg(distinct tenant, '') from invoice", tenant);
                    connection.commit();
                }
            }
        },
        TENANT_BY_SET_CONFIG {
            @Override
            void run(Connection connection) throws SQLException {
                connection.setAutoCommit(false);
                must(connection, "select set_config('app.tenant', 'acme', true)", "acme");
                must(connection, "select count(*) from invoice", "2");
                connection.commit();
            }
        },
        ADVISORY_LOCK_OF_TRANSACTION {
            @Override
            void run(Connection connection) throws SQLException {
                connection.setAutoCommit(false);
                execute(connection, "select pg_advisory_xact_lock(4711)");
                must(connection, "select count(*) from pg_locks where locktype = 'advisory'", "1");
                connection.commit();
            }
        },
        TEMPORARY_TABLE_OF_TRANSACTION {
            @Override
            void run(Connection connection) throws SQLException {
                connection.setAutoCommit(false);
                execute(connection, "create temp table basket on commit drop as select 1 as x");
                must(connection, "select count(*) from basket", "1");
                connection.commit();
            }
        },
        FETCH_SIZE {
            @Override
            void run(Connection connection) throws SQLException {
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement()) {
                    statement.setFetchSize(10);
                    int rows = 0;
                    try (ResultSet all = statement.executeQuery("select generate_series(1, 100)")) {
                        while (all.next()) {
                            rows++;
                        }
                    }
                    must(rows == 100, "rows: " + rows);
                }
                connection.commit();
            }
        },
        TIME_ZONE {
            @Override
            void run(Connection connection) throws SQLException {
                execute(connection, "set time zone 'Asia/Tokyo'");
                for (int each = 0; each < SESSIONS; each++) {
                    must(connection, "show timezone", "Asia/Tokyo");
                }
            }
        },
        APPLICATION_NAME {
            @Override
            void run(Connection connection) throws SQLException {
                connection.setClientInfo("ApplicationName", "orders");
                for (int each = 0; each < SESSIONS; each++) {
                    must(connection, "show application_name", "orders");
                }
            }
        },
        SET_AND_RESET_IN_ONE_TRANSACTION {
            @Override
            void run(Connection connection) throws SQLException {
                connection.setAutoCommit(false);
                execute(connection, "set work_mem = '8MB'");
                must(connection, "show work_mem", "8MB");
                execute(connection, "reset work_mem");
                connection.commit();
            }
        },
        TENANT_BY_SET {
            @Override
            void run(Connection connection) throws SQLException {
                execute(connection, "set app.tenant = 'acme'");
                must(connection, "select count(*) from invoice", "2");
                execute(connection, "reset app.tenant");
            }
        },
        ROLE_FOR_A_LEASE {
            @Override
            void run(Connection connection) throws SQLException {
                execute(connection, "set role tenant_role");
                must(connection, "select current_user", "tenant_role");
                execute(connection, "reset role");
            }
        },
        SCHEMA_BY_JDBC {
            @Override
            void run(Connection connection) throws SQLException {
                connection.setSchema("acme");
                must(connection, "select count(*) from item", "1");
            }
        },
        ADVISORY_LOCK_OF_SESSION {
            @Override
            void run(Connection connection) throws SQLException {
                must(connection, "select pg_try_advisory_lock(4711)", "t");
                execute(connection, "update account set amount = 3");
                must(connection, "select pg_advisory_unlock(4711)", "t");
            }
        },
        TEMPORARY_TABLE_OVER_TRANSACTIONS {
            @Override
            void run(Connection connection) throws SQLException {
                execute(connection, "create temp table basket(x int)");
                execute(connection, "insert into basket values (1)");
                must(connection, "select count(*) from basket", "1");
                execute(connection, "drop table basket");
            }
        },
        PREPARED_BY_SQL {
            @Override
            void run(Connection connection) throws SQLException {
                execute(connection, "prepare total as select count(*) from account");
                execute(connection, "execute total");
                execute(connection, "deallocate total");
            }
        },
        LISTEN {
            @Override
            void run(Connection connection) throws SQLException {
                execute(connection, "listen orders");
                try (Connection other = server.dataSource().getConnection()) {
                    execute(other, "notify orders");
                }
                must(connection, "select 1", "1");
                must(connection.unwrap(PGConnection.class).getNotifications(200).length > 0, "no notification");
                execute(connection, "unlisten orders");
            }
        },
        HOLD_CURSOR {
            @Override
            void run(Connection connection) throws SQLException {
                connection.setAutoCommit(false);
                execute(connection, "declare names cursor with hold for select tenant from invoice");
                connection.commit();
                execute(connection, "fetch 1 from names");
                connection.commit();
                execute(connection, "close names");
                connection.commit();
            }
        },
        INIT_SQL {
            @Override
            void configure(HikariDataSource pool) {
                pool.setConnectionInitSql("set search_path to acme, public");
            }

            @Override
            void run(Connection connection) throws SQLException {
                must(connection, "select count(*) from item", "1");
            }
        },
        LAST_VALUE {
            @Override
            void run(Connection connection) throws SQLException {
                execute(connection, "insert into account(amount) values (5)");
                execute(connection, "select currval('account_id_seq')");
                execute(connection, "delete from account");
            }
        },
        PREPARED_BY_THE_DRIVER {
            @Override
            int prepareThreshold() {
                return 2;
            }

            @Override
            void run(Connection connection) throws SQLException {
                // In auto-commit mode this driver executes a statement again that the server does not know.
                connection.setAutoCommit(false);
                try (PreparedStatement statement = connection.prepareStatement("select ?::int")) {
                    for (int each = 1; each < 8; each++) {
                        statement.setInt(1, each);
                        statement.executeQuery().close();
                        connection.commit();
                    }
                }
            }
        },
        /** The driver sets it for the session. */
        ISOLATION_BY_JDBC {
            @Override
            void run(Connection connection) throws SQLException {
                connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                connection.setAutoCommit(false);
                must(connection, "show transaction_isolation", "serializable");
                connection.commit();
            }
        };

        abstract void run(Connection connection) throws SQLException;

        void configure(HikariDataSource pool) {}

        int prepareThreshold() {
            return 0;
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    private static void must(Connection connection, String sql, String expected) throws SQLException {
        String actual = one(connection, sql);
        must(actual.equals(expected), sql + " gave " + actual);
    }

    private static void must(boolean holds, String what) throws SQLException {
        if (!holds) {
            throw new SQLException("wrong: " + what);
        }
    }

    @BeforeAll
    static void start() throws SQLException {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start();
        try (Connection connection = server.superuser().getConnection()) {
            execute(connection, "create role tenant_role");
            execute(connection, "grant tenant_role to " + server.user());
            execute(connection, "grant create on database " + server.user() + " to " + server.user());
            execute(connection, "grant all on schema public to " + server.user() + ", tenant_role");
        }
        try (Connection connection = server.dataSource().getConnection()) {
            execute(connection, "create schema acme; create table acme.item as select 1 as id");
            execute(connection, "create table account(id serial, amount int)");
            execute(connection, "create table invoice(tenant text, amount int)");
            execute(connection, "insert into invoice values ('acme', 1), ('acme', 2), ('globex', 3)");
            execute(connection, "alter table invoice enable row level security, force row level security");
            execute(
                    connection,
                    "create policy p on invoice using (tenant = current_setting('app.tenant', true)"
                            + " or coalesce(current_setting('app.tenant', true), '') = '')");
        }
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static HikariDataSource pool(DataSource to, Application application) {
        ((PGSimpleDataSource) to).setPrepareThreshold(application.prepareThreshold());
        HikariDataSource pool = new HikariDataSource();
        pool.setDataSource(to);
        pool.setMaximumPoolSize(1);
        application.configure(pool);
        return pool;
    }

    private static PGSimpleDataSource direct() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(server.jdbcUrl());
        source.setUser(server.user());
        source.setPassword(server.password());
        return source;
    }

    /** What flexpool says, after the application has run without a pooler. */
    private record Answer(PoolerFit fit, boolean preparesInServer, List<LeftState> kept, String report) {
        /** For a pooler that does not know the statements that a driver prepares, such as PgBouncer 1.18. */
        boolean unfit() {
            return fit == PoolerFit.UNFIT || preparesInServer;
        }
    }

    private static Answer answer(Application application) throws SQLException {
        try (FlexPoolDataSource pool = FlexPool.wrap(pool(direct(), application))
                .name(application.name())
                .set("call-sites.sample-every", 1)
                .build()) {
            for (int run = 0; run < RUNS; run++) {
                try (Connection connection = pool.getConnection()) {
                    application.run(connection);
                }
            }
            SessionStates states = pool.view(SessionStates.class).orElseThrow();
            String report = pool.report();
            assertThat(report).contains("(" + RUNS + " leases checked)");
            return new Answer(
                    states.poolerFit(),
                    report.contains("the driver prepares statements in the server"),
                    states.keptBeyondTransactions(),
                    report);
        }
    }

    /** What is wrong behind a PgBouncer; null if nothing is. */
    private @Nullable String broken(Application application, Random random) throws Exception {
        Path own = Files.createDirectory(folder.resolve(application.name()));
        try (PgBouncer bouncer = new PgBouncer(
                        PgBouncer.program().orElseThrow(),
                        "transaction",
                        SESSIONS,
                        server,
                        own,
                        "server_round_robin = 1");
                Connection neighbour = openAllSessions(bouncer);
                HikariDataSource pool = pool(bouncer.dataSource(), application)) {
            String pristine = one(neighbour, SEEN);
            for (int run = 0; run < RUNS; run++) {
                try (Connection connection = pool.getConnection()) {
                    application.run(connection);
                }
                for (int each = random.nextInt(SESSIONS) + 1; each > 0; each--) {
                    String seen = one(neighbour, SEEN);
                    if (!seen.equals(pristine)) {
                        return "another client sees " + seen + " in place of " + pristine;
                    }
                }
            }
            return null;
        } catch (SQLException | RuntimeException failed) {
            return String.valueOf(failed.getMessage()).lines().findFirst().orElse("");
        } finally {
            try (Connection connection = server.dataSource().getConnection()) {
                execute(connection, "delete from account");
            }
        }
    }

    /** Lets PgBouncer open its sessions; a client's connection that is left of that. */
    private static Connection openAllSessions(PgBouncer bouncer) throws SQLException {
        List<Connection> all = new ArrayList<>();
        for (int each = 0; each < SESSIONS; each++) {
            Connection connection = bouncer.dataSource().getConnection();
            all.add(connection);
            connection.setAutoCommit(false);
            execute(connection, "select 1");
        }
        for (Connection connection : all) {
            connection.rollback();
        }
        for (Connection connection : all.subList(1, SESSIONS)) {
            connection.close();
        }
        all.get(0).setAutoCommit(true);
        return all.get(0);
    }

    /** The session as another client finds it. */
    private static final String SEEN = "select concat_ws(' ', current_user, current_setting('search_path'),"
            + " current_setting('work_mem'), current_setting('transaction_isolation'),"
            + " coalesce(current_setting('app.tenant', true), ''),"
            + " (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()),"
            + " (select count(*) from pg_prepared_statements where from_sql),"
            + " (select count(*) from pg_listening_channels()),"
            + " to_regclass('basket'))";

    @Test
    @Tag("scenario")
    void whatIsCalledUnfitBreaksBehindPgBouncer() throws Exception {
        assumeTrue(
                PgBouncer.program().isPresent(),
                "no pgbouncer on the PATH, and none named by -Dpgbouncer=/path/to/pgbouncer");
        long seed = Long.getLong("session.seed", System.nanoTime());
        Random random = new Random(seed);
        List<String> table = new ArrayList<>();
        int agree = 0;
        for (Application application : Application.values()) {
            Answer answer = answer(application);
            String broken = broken(application, random);
            boolean agrees = answer.unfit() == (broken != null);
            agree += agrees ? 1 : 0;
            table.add(application + ": " + (answer.unfit() ? "called unfit" : "called fit") + ", "
                    + (broken == null ? "works" : "broken: " + broken) + (agrees ? "" : "   <-- DISAGREE"));
            if (answer.fit() == PoolerFit.UNFIT && application != Application.INIT_SQL) {
                assertThat(answer.kept())
                        .isNotEmpty()
                        .allSatisfy(kept ->
                                assertThat(kept.callSite()).as(answer.report()).contains("PoolerFitTest"));
            }
        }
        String all = "seed " + seed + "\n" + String.join("\n", table) + "\n" + agree + " of " + table.size() + " agree";
        System.out.println(all);
        assertThat(table).hasSizeGreaterThanOrEqualTo(20);
        assertThat((double) agree / table.size()).as(all).isGreaterThanOrEqualTo(0.95);
    }

    // ---- without a pooler ----

    private static FlexPoolDataSource wrapped(Application application) {
        return FlexPool.wrap(pool(direct(), application))
                .name("orders")
                .set("call-sites.sample-every", 1)
                .build();
    }

    /** The next borrower inherits nothing, so that nothing else is reported. */
    @Test
    void aLeaseThatTakesItsStateBackIsUnfitAllTheSame() throws SQLException {
        try (FlexPoolDataSource pool = wrapped(Application.ROLE_FOR_A_LEASE)) {
            try (Connection connection = pool.getConnection()) {
                Application.ROLE_FOR_A_LEASE.run(connection);
            }
            SessionStates states = pool.view(SessionStates.class).orElseThrow();
            assertThat(states.left()).isEmpty();
            assertThat(states.poolerFit()).isEqualTo(PoolerFit.UNFIT);
            assertThat(pool.report())
                    .contains(
                            "pooler in transaction mode: this application cannot use it, because session state outlives its transaction (1 lease"
                                    + " checked)")
                    .containsPattern("1 x role by \"set role tenant_role\" at PoolerFitTest\\.execute\\(");
            assertThat(fields(pool)).asString().contains("fit=unfit", "leases=1", "kind=role");
        }
    }

    @Test
    void withinOneTransactionAnythingFits() throws SQLException {
        try (FlexPoolDataSource pool = wrapped(Application.STATEMENTS)) {
            assertThat(pool.report()).as("before the first lease").doesNotContain("pooler");
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                execute(connection, "insert into account(amount) values (5)");
                execute(connection, "select lastval()");
                execute(connection, "create temp table basket(x int)");
                execute(connection, "set role tenant_role");
                connection.rollback();
                execute(connection, "begin; set app.tenant = 'acme'; reset app.tenant; commit");
                execute(connection, "select nextval('account_id_seq'), lastval()");
                connection.commit();
            }
            SessionStates states = pool.view(SessionStates.class).orElseThrow();
            assertThat(states.keptBeyondTransactions()).isEmpty();
            assertThat(states.poolerFit()).isEqualTo(PoolerFit.FITS);
            assertThat(pool.report())
                    .contains("pooler in transaction mode: this application can use it (1 lease checked)")
                    .doesNotContain("prepares");
        }
    }

    /** An advisory lock is one that no rollback takes back. */
    @Test
    void aLockOfATransactionThatIsRolledBackStays() throws SQLException {
        try (FlexPoolDataSource pool = wrapped(Application.STATEMENTS)) {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                execute(connection, "select pg_advisory_lock(1)");
                connection.rollback();
                execute(connection, "select pg_advisory_unlock(1)");
                connection.commit();
            }
            assertThat(pool.view(SessionStates.class).orElseThrow().keptBeyondTransactions())
                    .extracting(LeftState::kind)
                    .containsExactly("advisory-lock");
        }
    }

    @Test
    void aStatementThatCannotBeJudgedIsListedAndNeverFits() throws SQLException {
        try (FlexPoolDataSource pool = wrapped(Application.PREPARED_BY_THE_DRIVER)) {
            for (int lease = 0; lease < 2; lease++) {
                try (Connection connection = pool.getConnection()) {
                    execute(connection, "do $$ begin perform set_config('app.tenant', 'acme', false); end $$");
                }
            }
            SessionStates states = pool.view(SessionStates.class).orElseThrow();
            assertThat(states.poolerFit()).isEqualTo(PoolerFit.UNKNOWN);
            assertThat(states.unknown()).singleElement().satisfies(unknown -> {
                assertThat(unknown.statement()).isEqualTo("do ?");
                assertThat(unknown.leases()).isEqualTo(2);
                assertThat(unknown.callSite()).contains("PoolerFitTest.execute");
            });
            assertThat(pool.report())
                    .contains(
                            "pooler in transaction mode: unknown (2 leases checked); the effect of 1 statement is unknown; the"
                                    + " driver prepares statements in the server, which needs PgBouncer 1.21 or prepareThreshold = 0")
                    .contains("2 x unknown by \"do ?\" at PoolerFitTest.");
        }
    }

    /** The driver sets it for the session, though it is a property of transactions. */
    @Test
    void anIsolationThatJdbcSetsIsUnfit() throws SQLException {
        try (FlexPoolDataSource pool = FlexPool.wrap(pool(direct(), Application.ISOLATION_BY_JDBC))
                .set("call-sites.sample-every", 1)
                .build()) {
            try (Connection connection = pool.getConnection()) {
                Application.ISOLATION_BY_JDBC.run(connection);
            }
            SessionStates states = pool.view(SessionStates.class).orElseThrow();
            assertThat(states.poolerFit()).isEqualTo(PoolerFit.UNFIT);
            assertThat(states.leases()).as("the pool restores it").isZero();
            assertThat(states.keptBeyondTransactions()).singleElement().satisfies(kept -> {
                assertThat(kept.kind()).isEqualTo("transaction-isolation");
                assertThat(kept.statement()).isEqualTo("Connection.setTransactionIsolation");
                assertThat(kept.callSite()).contains("PoolerFitTest");
            });
        }
    }

    @Test
    void whatIsAllowedToStayIsUnfitToo() throws SQLException {
        try (FlexPoolDataSource pool = FlexPool.wrap(pool(direct(), Application.TENANT_BY_SET))
                .set("session-state.allow", "setting, time-zone")
                .build()) {
            try (Connection connection = pool.getConnection()) {
                execute(connection, "set app.tenant = 'acme'; set time zone 'UTC'");
            }
            SessionStates states = pool.view(SessionStates.class).orElseThrow();
            assertThat(states.leases()).isZero();
            assertThat(states.keptBeyondTransactions())
                    .extracting(LeftState::name)
                    .containsExactly("app.tenant");
        }
    }

    private static Map<?, ?> fields(FlexPoolDataSource pool) {
        return pool.parts().stream()
                .filter(part -> part.name().equals("session"))
                .map(part -> (Map<?, ?>) part.fields().get("session"))
                .map(session -> (Map<?, ?>) session.get("transactionPooler"))
                .findFirst()
                .orElseThrow();
    }
}
