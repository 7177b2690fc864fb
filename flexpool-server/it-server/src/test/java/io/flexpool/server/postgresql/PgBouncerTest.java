// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PgBouncer;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.server.SessionBudget;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.LoggerFactory;

/**
 * What flexpool sees through a real PgBouncer. It needs the program: docs/dev has the command. {@code ServerViewTest}
 * of core stages the same with a server of its own.
 */
@Tag("scenario")
@Timeout(300)
class PgBouncerTest {
    private static final String OFF =
            "reports lack the server's sessions: sessions are hidden (usual behind PgBouncer)";
    private static final int SESSIONS = 3;

    private static PostgresServer server;

    @TempDir
    private Path folder;

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeAll
    static void start() {
        assumeTrue(
                PgBouncer.program().isPresent(),
                "no pgbouncer on the PATH, and none named by -Dpgbouncer=/path/to/pgbouncer");
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void listenNoMore() {
        logger.detachAppender(log);
    }

    private PgBouncer bouncer(String mode) throws Exception {
        String statistics = "stats_users = " + server.user();
        return new PgBouncer(PgBouncer.program().orElseThrow(), mode, SESSIONS, server, folder, statistics);
    }

    private static Map<String, String> console(PgBouncer bouncer, String password) {
        PGSimpleDataSource source = bouncer.dataSource();
        String url = "jdbc:postgresql://127.0.0.1:" + source.getPortNumbers()[0] + "/pgbouncer?user=" + server.user()
                + "&password=" + password;
        return Map.of("flexpool.server-view.pgbouncer", url);
    }

    private static FlexPoolDataSource pool(PgBouncer bouncer, int connections) {
        return pool(bouncer, connections, Map.of());
    }

    private static FlexPoolDataSource pool(PgBouncer bouncer, int connections, Map<String, String> keys) {
        HikariDataSource hikari = new HikariDataSource();
        hikari.setDataSource(bouncer.dataSource());
        hikari.setMaximumPoolSize(connections);
        hikari.setConnectionTimeout(1_000);
        return FlexPool.wrap(hikari).name("shop").properties(keys).build();
    }

    /** Without the console the failure looks like a server that cannot be reached. */
    @ParameterizedTest
    @ValueSource(strings = {"transaction", "session"})
    void theClientsThatWaitInsideAreAReasonOfAFailure(String mode) throws Exception {
        try (PgBouncer bouncer = bouncer(mode);
                FlexPoolDataSource pool = pool(bouncer, 2, console(bouncer, server.password()))) {
            List<Connection> greedy = new ArrayList<>();
            for (int at = 0; at < SESSIONS; at++) {
                Connection each = bouncer.dataSource().getConnection();
                greedy.add(each);
                each.setAutoCommit(false);
                try (Statement statement = each.createStatement()) {
                    statement.execute("select 1");
                }
            }
            await().atMost(Duration.ofMinutes(3)).pollDelay(Duration.ZERO).untilAsserted(() -> {
                assertThat(catchThrowable(() -> {
                            try (Connection waits = pool.getConnection();
                                    Statement statement = waits.createStatement()) {
                                statement.setQueryTimeout(1);
                                statement.execute("select 1");
                            }
                        }))
                        .isInstanceOf(SQLException.class);
                assertThat(lastEvidence(pool))
                        .containsPattern("\\d clients? waits? in PgBouncer for one of its 3 connections to database '"
                                + server.user() + "' as user '" + server.user() + "', the longest for \\d");
                assertThat(Objects.requireNonNull(pool.diagnosis().lastExplanation())
                                .action())
                        .as(lastEvidence(pool))
                        .endsWith("Shorten the transactions of PgBouncer's clients, or raise PgBouncer's pool_size if"
                                + " the database has capacity.");
            });
            assertThat(pool.report()).containsPattern("PgBouncer: \\d clients? waits? in PgBouncer");
            for (Connection each : greedy) {
                each.rollback();
                each.close();
            }
        }
    }

    @Test
    void aConsoleThatRefusesIsATroubleWithoutItsPassword() throws Exception {
        try (PgBouncer bouncer = bouncer("transaction");
                FlexPoolDataSource pool = pool(bouncer, 2, console(bouncer, "hunter2"))) {
            pool.getConnection().close();
            await().atMost(Duration.ofMinutes(3))
                    .until(() -> pool.report().contains("PgBouncer's console refused or could not be reached"));
            assertThat(pool.report()).doesNotContain("hunter2");
            assertThat(List.copyOf(log.list))
                    .noneMatch(each -> String.valueOf(each).contains("hunter2"));
        }
    }

    private Stream<String> saidToBeOff() {
        return List.copyOf(log.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains(OFF));
    }

    /** Else the pool would have one connection for good. */
    @ParameterizedTest
    @ValueSource(strings = {"session", "transaction"})
    void aFleetThatWouldReadItsNumberIsRefusedAtTheStart(String mode) throws Exception {
        try (PgBouncer bouncer = bouncer(mode);
                HikariDataSource hikari = new HikariDataSource()) {
            hikari.setDataSource(bouncer.dataSource());
            Map<String, String> fleet = Map.of(
                    "flexpool.fleet", "local",
                    "flexpool.fleet.name", "behind-pgbouncer",
                    "flexpool.fleet.max", "auto",
                    "flexpool.fleet.instances-max", "2");
            assertThat(catchThrowable(() ->
                            FlexPool.wrap(hikari).name("shop").properties(fleet).build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "flexpool.fleet.max = auto: must be from 2 to 100000 here, because the server")
                    .hasMessageContaining("(usual behind PgBouncer)");
        }
    }

    /** The server says how many sessions it has left, but not how many PgBouncer may open. */
    @Test
    void howManySessionsAreLeftIsUnknown() throws Exception {
        try (PgBouncer bouncer = bouncer("transaction")) {
            HikariDataSource hikari = new HikariDataSource();
            hikari.setDataSource(bouncer.dataSource());
            hikari.setMaximumPoolSize(2);
            Map<String, String> each = Map.of("flexpool.server-view", "always");
            try (FlexPoolDataSource pool =
                    FlexPool.wrap(hikari).name("shop").properties(each).build()) {
                pool.getConnection().close();
                await().atMost(Duration.ofMinutes(3))
                        .until(() -> pool.view(SessionBudget.class).isPresent());
                assertThat(pool.view(SessionBudget.class).orElseThrow().describe())
                        .startsWith("shop: the number of free sessions on the server is unknown: ")
                        .endsWith("(usual behind PgBouncer)");
                await().atMost(Duration.ofMinutes(3)).until(() -> bouncer.clients() == 2);
            }
        }
    }

    /** What the driver says is PgBouncer's own number, positive or negative, and no session of the server's. */
    @ParameterizedTest
    @ValueSource(strings = {"transaction", "session"})
    void theNumbersAreNotTheServers(String mode) throws Exception {
        try (PgBouncer bouncer = bouncer(mode);
                Connection connection = bouncer.dataSource().getConnection()) {
            PostgresServerViewProvider provider = new PostgresServerViewProvider();
            OptionalLong session = provider.session(connection);
            assertThat(session).isPresent();
            Set<Long> asked = Set.of(session.getAsLong());
            assertThat(provider.look(connection, asked, Duration.ofSeconds(30)).unknownSessions())
                    .containsExactlyElementsOf(asked);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"transaction", "session"})
    void itIsSaidOnceAndNothingIsLookedAtAgain(String mode) throws Exception {
        try (PgBouncer bouncer = bouncer(mode);
                FlexPoolDataSource pool = pool(bouncer, 2);
                Connection first = pool.getConnection();
                Connection second = pool.getConnection()) {
            first.setAutoCommit(false);
            try (Statement statement = first.createStatement()) {
                statement.execute("select 1");
            }
            await().atMost(Duration.ofMinutes(3)).pollDelay(Duration.ZERO).until(() -> {
                assertThat(catchThrowable(pool::getConnection)).isInstanceOf(SQLException.class);
                return saidToBeOff().findAny().isPresent();
            });
            assertThat(second.isValid(5)).isTrue();
            // flexpool's own connection is closed: what is left are the pool's.
            await().atMost(Duration.ofMinutes(3)).until(() -> bouncer.clients() == 2);
            long number = lastNumber(pool);
            await().atMost(Duration.ofMinutes(3)).pollDelay(Duration.ZERO).until(() -> {
                assertThat(catchThrowable(pool::getConnection)).isInstanceOf(SQLException.class);
                return lastNumber(pool) >= number + 2;
            });
            assertThat(saidToBeOff()).hasSize(1);
            assertThat(lastEvidence(pool))
                    .doesNotContain("the activity of the server is unknown")
                    .doesNotContain("in the server");
            assertThat(pool.openLeases())
                    .hasSize(2)
                    .allSatisfy(lease -> assertThat(lease.inServer()).isNull());
        }
    }

    private static long lastNumber(FlexPoolDataSource pool) {
        Explanation last = pool.diagnosis().lastExplanation();
        return last == null ? 0 : last.number();
    }

    private static String lastEvidence(FlexPoolDataSource pool) {
        return String.join(
                "; ", Objects.requireNonNull(pool.diagnosis().lastExplanation()).evidence());
    }

    /** The look waits in PgBouncer's queue as any other client does, and is given up: no request waits for it longer. */
    @ParameterizedTest
    @ValueSource(strings = {"transaction", "session"})
    void withoutAFreeSessionTheLookIsGivenUp(String mode) throws Exception {
        try (PgBouncer bouncer = bouncer(mode);
                FlexPoolDataSource pool = pool(bouncer, SESSIONS)) {
            List<Connection> held = List.of(pool.getConnection(), pool.getConnection(), pool.getConnection());
            for (Connection each : held) {
                each.setAutoCommit(false);
                try (Statement statement = each.createStatement()) {
                    statement.execute("select 1");
                }
            }
            await().atMost(Duration.ofMinutes(3)).pollDelay(Duration.ZERO).until(() -> {
                assertThat(catchThrowable(pool::getConnection)).isInstanceOf(SQLException.class);
                return lastNumber(pool) >= 2;
            });
            assertThat(lastEvidence(pool)).contains("the activity of the server is unknown: it ");
            assertThat(saidToBeOff()).isEmpty();
            for (Connection each : held) {
                each.rollback();
                each.close();
            }
        }
    }

    /** The same pool without PgBouncer: what the tests above do not see is there. */
    @Test
    void withoutPgBouncerTheSessionsAreSeen() throws Exception {
        HikariDataSource hikari = new HikariDataSource();
        hikari.setDataSource(server.dataSource());
        hikari.setMaximumPoolSize(1);
        hikari.setConnectionTimeout(300);
        try (FlexPoolDataSource pool = FlexPool.wrap(hikari).name("shop").build();
                Connection leased = pool.getConnection()) {
            leased.setAutoCommit(false);
            try (Statement statement = leased.createStatement()) {
                statement.execute("select 1");
            }
            await().atMost(Duration.ofMinutes(3)).pollDelay(Duration.ZERO).untilAsserted(() -> {
                assertThat(catchThrowable(pool::getConnection)).isInstanceOf(SQLException.class);
                assertThat(pool.openLeases())
                        .extracting(OpenLease::inServer)
                        .singleElement()
                        .satisfies(
                                session -> assertThat(session.fields()).containsEntry("state", "idle-in-transaction"));
            });
            assertThat(saidToBeOff()).isEmpty();
        }
    }
}
