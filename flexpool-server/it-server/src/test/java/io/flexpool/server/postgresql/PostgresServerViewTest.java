// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.adapter.tck.database.TcpProxy;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerSnapshot.Limit;
import io.flexpool.server.ServerViewProvider;
import io.flexpool.server.tck.ServerViewContract;
import io.flexpool.server.tck.TestSession;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresServerViewTest extends ServerViewContract {
    private static final int MAX_CONNECTIONS = 60;
    private static final int RESERVED_FOR_SUPERUSERS = 3;
    private static final int RESERVED_FOR_OTHERS = 4;
    private static final String OUTSIDER = "outsider";
    private static final String LIMITED = "limited";

    private static PostgresServer server;

    @BeforeAll
    static void start() throws SQLException {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start(Map.of(
                "max_connections", String.valueOf(MAX_CONNECTIONS),
                "superuser_reserved_connections", String.valueOf(RESERVED_FOR_SUPERUSERS),
                "reserved_connections", String.valueOf(RESERVED_FOR_OTHERS),
                "max_prepared_transactions", "5",
                // A worker of autovacuum might stand in the way of a change of the schema, too.
                "autovacuum", "off"));
        superuser(
                "create role " + OUTSIDER + " login password '" + server.password() + "'",
                "create role " + LIMITED + " login password '" + server.password() + "' connection limit "
                        + NARROW_LIMIT,
                "alter default privileges for role " + server.user() + " in schema public grant all on tables to "
                        + OUTSIDER);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static void superuser(String... statements) throws SQLException {
        try (Connection connection = server.superuser().getConnection();
                var statement = connection.createStatement()) {
            for (String text : statements) {
                statement.execute(text);
            }
        }
    }

    private static Connection connect(String role, int port) throws SQLException {
        return source(role, port).getConnection();
    }

    private static PGSimpleDataSource source(String role, int port) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName(server.user());
        source.setUser(role);
        source.setPassword(server.password());
        source.setApplicationName("contract of " + role);
        return source;
    }

    @Override
    protected ServerViewProvider provider() {
        return new PostgresServerViewProvider();
    }

    @Override
    protected int port() {
        return server.port();
    }

    @Override
    protected Connection connect(int port) throws SQLException {
        return connect(server.user(), port);
    }

    @Override
    protected Connection connectWithoutRights() throws SQLException {
        return connect(OUTSIDER, port());
    }

    @Override
    protected Connection connectLimited() throws SQLException {
        return connect(LIMITED, port());
    }

    @Override
    protected String idQuery() {
        return "select pg_backend_pid()";
    }

    @Override
    protected String sleep() {
        return "select pg_sleep(600)";
    }

    @Override
    protected String work() {
        return "select count(*) from generate_series(1, 3000000000)";
    }

    @Override
    protected String advisoryLock() {
        return "select pg_advisory_lock(42)";
    }

    @Override
    protected String countedAs() {
        return "contract of " + server.user();
    }

    @Override
    protected int usable() {
        return MAX_CONNECTIONS - RESERVED_FOR_SUPERUSERS - RESERVED_FOR_OTHERS;
    }

    @Override
    protected int reserved() {
        return RESERVED_FOR_SUPERUSERS + RESERVED_FOR_OTHERS;
    }

    @Override
    protected List<String> settings() {
        return List.of(
                "show statement_timeout",
                "show lock_timeout",
                "show search_path",
                "show application_name",
                "show default_transaction_read_only",
                "show default_transaction_isolation");
    }

    @Override
    protected boolean knowsAgeOfSessions() {
        return true;
    }

    private ServerSnapshot look(TestSession own, TestSession asked) throws SQLException {
        return provider().look(own.connection(), Set.of(asked.id()), Duration.ofSeconds(30));
    }

    @Test
    void isFoundByTheServiceLoader() {
        assertThat(ServiceLoader.load(ServerViewProvider.class))
                .hasAtLeastOneElementOfType(PostgresServerViewProvider.class)
                .extracting(ServerViewProvider::product)
                .containsExactlyInAnyOrder("PostgreSQL", "MySQL or MariaDB");
    }

    /**
     * A schema that everybody may write to, in the search path. An operator there is taken where its types fit better than the
     * server's own, and any function if the path names the server's schema after it.
     */
    @ParameterizedTest
    @ValueSource(strings = {"public", "public, pg_catalog"})
    void nothingOfTheSearchPathIsCalled(String path) throws Exception {
        superuser(
                "create function public.caught(int4, numeric) returns numeric language plpgsql as"
                        + " 'begin raise exception ''caught''; end'",
                "create operator public.* (leftarg = int4, rightarg = numeric, function = public.caught)",
                "create function public.caught(int8, int8) returns int8 language plpgsql as"
                        + " 'begin raise exception ''caught''; end'",
                "create aggregate public.sum(int8) (sfunc = public.caught, stype = int8, initcond = 0)");
        try {
            TestSession own = session();
            own.run("set search_path = " + path);
            assertThat(look(own, own).used()).isPositive();
            assertThat(own.answer("show search_path")).isEqualTo(path);
        } finally {
            superuser(
                    "drop operator public.* (int4, numeric)",
                    "drop aggregate public.sum(int8)",
                    "drop function public.caught(int4, numeric)",
                    "drop function public.caught(int8, int8)");
        }
    }

    /** A connection whose driver gives this number for its session. */
    private static Connection numbered(int process) {
        return (Connection) Proxy.newProxyInstance(
                PostgresServerViewTest.class.getClassLoader(),
                new Class<?>[] {Connection.class, PGConnection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isWrapperFor" -> true;
                    case "unwrap" -> proxy;
                    case "getBackendPID" -> process;
                    default -> throw new AssertionError(method);
                });
    }

    /** PgBouncer's numbers are random; without one of flexpool's own session the proxy would not be noticed. */
    @Test
    void aProxysNegativeNumberIsOneThatTheServerDoesNotKnow() throws Exception {
        assertThat(provider().session(numbered(-4711))).hasValue(-4711);
        assertThat(provider().session(numbered(0))).isEmpty();
        TestSession own = session();
        assertThat(provider()
                        .look(own.connection(), Set.of(-4711L), Duration.ofSeconds(30))
                        .unknownSessions())
                .containsExactly(-4711L);
    }

    /** The catalog of roles is locked, which every look reads. */
    @Test
    void theServerItselfEndsALookThatTakesTooLong() throws Exception {
        TestSession own = session();
        look(own, own);
        TestSession catalog = session(server.superuser().getConnection());
        catalog.begin().run("lock table pg_catalog.pg_authid in access exclusive mode");
        Set<Long> asked = Set.of(own.id());
        assertThatThrownBy(() -> provider().look(own.connection(), asked, Duration.ofSeconds(2)))
                .isInstanceOfSatisfying(
                        SQLException.class,
                        thrown -> assertThat(thrown.getSQLState()).isEqualTo("57014"));
        catalog.connection().rollback();
        assertThat(own.answer("show statement_timeout")).isEqualTo("0");
        assertThat(look(own, own).unknownSessions()).isEmpty();
    }

    @Test
    void aChangeOfTheSchemaThatIsDoneAndNotCommittedBlocks() throws Exception {
        String table = table();
        TestSession change = session().begin().run("alter table " + table + " add column more int");
        TestSession queued = session().start("select count(*) from " + table);
        ServerSnapshot seen = awaitLook(session(), locked(queued), queued);
        assertThat(the(seen, queued).blockedBy()).containsExactly(change.id());
        assertThat(the(seen, change).schemaChange()).isTrue();
        assertThat(the(seen, change).state()).isEqualTo(State.IDLE_IN_TRANSACTION);
    }

    /** It has the strongest lock on both, and no other session wants it. */
    @Test
    void tablesThatTheHolderMadeAreNoChangeOfTheSchema() throws Exception {
        String table = table();
        TestSession holder = session()
                .begin()
                .run(
                        "create temporary table scratch (id int)",
                        "create table " + table + "_new (id int)",
                        "update " + table + " set v = 1 where id = 1");
        TestSession waiter = session().start("update " + table + " set v = 2 where id = 1");
        ServerSnapshot seen = awaitLook(session(), locked(waiter), waiter);
        assertThat(the(seen, waiter).blockedBy()).containsExactly(holder.id());
        assertThat(seen.sessions()).noneMatch(ServerSession::schemaChange);
    }

    @Test
    void anIndexThatIsBuiltBlocksWriters() throws Exception {
        String table = table();
        TestSession change = session().begin().run("create index on " + table + " (v)");
        TestSession writer = session().start("update " + table + " set v = 2 where id = 1");
        ServerSnapshot seen = awaitLook(session(), locked(writer), writer);
        assertThat(the(seen, change).schemaChange()).isTrue();
        assertThat(the(seen, writer).schemaChange()).isFalse();
    }

    @Test
    void aPreparedTransactionBlocksWithoutASession() throws Exception {
        String table = table();
        TestSession first = session();
        first.begin().run("update " + table + " set v = 1 where id = 1", "prepare transaction 'contract'");
        first.connection().rollback();
        first.connection().setAutoCommit(true);
        TestSession waiter = session().start("update " + table + " set v = 2 where id = 1");
        try {
            ServerSnapshot seen = awaitLook(session(), locked(waiter), waiter);
            assertThat(the(seen, waiter).blockedBy()).containsExactly(0L);
            assertThat(seen.sessions())
                    .filteredOn(one -> one.id() == 0)
                    .singleElement()
                    .satisfies(one -> assertThat(one.application()).isEqualTo("a prepared transaction"));
            assertThat(seen.notVisible())
                    .singleElement()
                    .satisfies(sentence -> assertThat(sentence).contains("pg_prepared_xacts"));
        } finally {
            first.run("rollback prepared 'contract'");
        }
    }

    @Test
    void aSessionWithoutTrackingIsSaidToBeUnknown() throws Exception {
        TestSession untracked = session(server.superuser().getConnection());
        untracked.run("set track_activities = off");
        ServerSnapshot seen = look(session(server.superuser().getConnection()), untracked);
        assertThat(the(seen, untracked).state()).isEqualTo(State.UNKNOWN);
        assertThat(seen.notVisible())
                .singleElement()
                .satisfies(sentence -> assertThat(sentence).contains("track_activities"));
    }

    @Test
    void aSuperuserMayUseAllSessions() throws Exception {
        TestSession superuser = session(server.superuser().getConnection());
        assertThat(look(superuser, superuser).usable()).isEqualTo(MAX_CONNECTIONS);
    }

    @Test
    void aRoleThatMayUseTheReserveHasMoreSessions() throws Exception {
        superuser("grant pg_use_reserved_connections to " + LIMITED);
        try {
            TestSession limited = session(connectLimited());
            assertThat(look(limited, limited).usable()).isEqualTo(MAX_CONNECTIONS - RESERVED_FOR_SUPERUSERS);
        } finally {
            superuser("revoke pg_use_reserved_connections from " + LIMITED);
        }
    }

    @Test
    void ofTwoLimitsTheOneWithFewerSessionsLeftIsNamed() throws Exception {
        TestSession one = session(connectLimited());
        awaitLook(one, snapshot -> snapshot.used() == 1, one);
        superuser("alter database " + server.user() + " connection limit 3");
        try {
            TestSession two = session(connectLimited());
            ServerSnapshot seen = awaitLook(
                    one,
                    snapshot -> snapshot.limit() != null && snapshot.limit().used() == 2,
                    two);
            assertThat(seen.limit()).isEqualTo(new Limit(Limit.Kind.DATABASE, server.user(), 3, 2));
            superuser("alter database " + server.user() + " connection limit 20");
            assertThat(look(one, two).limit()).isEqualTo(new Limit(Limit.Kind.ROLE, LIMITED, NARROW_LIMIT, 2));
            superuser("alter database " + server.user() + " connection limit " + MAX_CONNECTIONS);
            TestSession unlimited = session();
            assertThat(look(unlimited, two).limit()).isNull();
        } finally {
            superuser("alter database " + server.user() + " connection limit -1");
        }
    }

    @Test
    void hiddenSessionsAreCountedAndTheRightIsNamed() throws Exception {
        TestSession other = session();
        TestSession own = session(connectWithoutRights());
        ServerSnapshot seen = awaitLook(own, snapshot -> snapshot.used() == 2, other, own);
        assertThat(seen.notVisible())
                .containsExactly("the state of 1 session of another role: grant pg_read_all_stats to role " + OUTSIDER);
        assertThat(seen.sessionsByApplication())
                .containsOnly(Map.entry(countedAs(), 1), Map.entry("contract of " + OUTSIDER, 1));
    }

    /** Every server has some, and an explanation is no place to say so. */
    @Test
    void hiddenSessionsThatDoNotMatterAreNotMentioned() throws Exception {
        session();
        TestSession own = session(connectWithoutRights());
        ServerSnapshot seen = awaitLook(own, snapshot -> snapshot.used() == 2, own);
        assertThat(seen.notVisible()).isEmpty();
    }

    private static boolean looks() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("flexpool-server-view-shop"));
    }

    private static void untilNoneLooks() {
        await().atMost(Duration.ofMinutes(3)).until(() -> !looks());
    }

    /**
     * The network swallows what the server answers to the new connection. HikariCP gives a data source a login timeout, with
     * which the thread ends at once; with a URL it ends with the network connection.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConnectThatHangsDoesNotHoldThePoolsEnd(boolean byUrl) throws Exception {
        try (TcpProxy network = TcpProxy.to(port())) {
            HikariDataSource hikari = new HikariDataSource();
            if (byUrl) {
                hikari.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + network.port() + "/" + server.user());
                hikari.setUsername(server.user());
                hikari.setPassword(server.password());
            } else {
                hikari.setDataSource(source(server.user(), network.port()));
            }
            hikari.setMaximumPoolSize(1);
            hikari.setConnectionTimeout(300);
            try (FlexPoolDataSource pool = FlexPool.wrap(hikari).name("shop").build();
                    Connection leased = pool.getConnection()) {
                assertThat(leased.isClosed()).isFalse();
                network.blackhole();
                assertThatThrownBy(pool::getConnection)
                        .hasStackTraceContaining(
                                "the activity of the server is unknown: it did not answer within 200 ms");
                assertThat(looks()).isTrue();
            }
            if (!byUrl) {
                untilNoneLooks();
            }
        }
        untilNoneLooks();
    }
}
