// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSession.Wait;
import io.flexpool.server.ServerSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A look at a real PostgreSQL by application names, set as a real PgBouncer sets them. */
@Timeout(300)
class LookByNameTest extends PostgresStage {
    private static final String NAME = "shop #0a1b2c3d";

    private final PostgresServerViewProvider provider = new PostgresServerViewProvider();

    private Connection named(String name) throws SQLException {
        Connection connection = other();
        run(connection, "set application_name = '" + name + "'");
        return connection;
    }

    private static Connection inTransaction(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        run(connection, "select 1");
        return connection;
    }

    private ServerSnapshot look(Connection own) throws SQLException {
        return provider.lookByName(own, Set.of(NAME), Duration.ofSeconds(30));
    }

    private static long id(Connection connection) throws SQLException {
        return connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
    }

    private static List<Long> asked(ServerSnapshot seen) {
        return seen.sessions().stream()
                .filter(ServerSession::asked)
                .map(ServerSession::id)
                .toList();
    }

    /** A statement of the pool for new connections sets it, and no round trip is needed to know it. */
    @Test
    void theDriverKnowsTheName() throws Exception {
        Connection connection = other();
        assertThat(provider.name(connection)).isEmpty();
        run(connection, "select set_config('application_name', 'shop #' || substr(md5(random()::text), 1, 8), false)");
        assertThat(provider.name(connection).orElseThrow()).matches("shop #[0-9a-f]{8}");
        assertThat(provider.inTransaction(connection)).contains(false);
        assertThat(provider.inTransaction(inTransaction(connection))).contains(true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop #0a1b2c3d", "#0a1b2c3d4e", "app - 10.0.0.5:53412"})
    void aNameOfOneConnection(String name) throws Exception {
        assertThat(provider.name(named(name))).contains(name);
    }

    /** All connections of a pool have it, or those of all pods. */
    @ParameterizedTest
    @ValueSource(strings = {"", "shop", "PostgreSQL JDBC Driver", "shop #1", "shop-7d9c5b6f8d", "shop:8080"})
    void aNameOfSeveral(String name) throws Exception {
        assertThat(provider.name(named(name))).isEmpty();
    }

    @Test
    void theSessionThatWorksCountsAndNotOneThatRestsWithTheName() throws Exception {
        Connection works = inTransaction(named(NAME));
        named(NAME);
        named("shop #ffffffff");
        ServerSnapshot seen = look(other());
        assertThat(asked(seen)).containsExactly(id(works));
        assertThat(seen.sessions().get(0).state()).isEqualTo(State.IDLE_IN_TRANSACTION);
        assertThat(seen.sessions().get(0).application()).isEqualTo(NAME);
        assertThat(seen.unknownSessions()).isEmpty();
    }

    @Test
    void ofThoseThatRestTheLast() throws Exception {
        named(NAME);
        Connection last = named(NAME);
        assertThat(asked(look(other()))).containsExactly(id(last));
    }

    /** A client without a name works under the name that it finds: PgBouncer 1.18 does so. */
    @Test
    void noneIfTwoWork() throws Exception {
        inTransaction(named(NAME));
        inTransaction(named(NAME));
        assertThat(asked(look(other()))).isEmpty();
    }

    /** PgBouncer may lend a session with that name to the look. */
    @Test
    void notTheLooksOwn() throws Exception {
        assertThat(asked(look(named(NAME)))).isEmpty();
    }

    @Test
    void anotherRolesDoesNotCount() throws Exception {
        try (Connection stranger = server.dataSource().getConnection()) {
            run(stranger, "set application_name = '" + NAME + "'");
            assertThat(asked(look(other()))).isEmpty();
        }
    }

    @Test
    void whatItWaitsForAndBehindWhom() throws Exception {
        Connection blocks = inTransaction(other());
        run(blocks, UPDATE);
        Connection waits = named(NAME);
        start(1, () -> run(waits, UPDATE));
        awaitSessions("wait_event_type = 'Lock'", 1);
        ServerSnapshot seen = look(other());
        ServerSession session = seen.sessions().stream()
                .filter(ServerSession::asked)
                .findFirst()
                .orElseThrow();
        assertThat(session.id()).isEqualTo(id(waits));
        assertThat(session.waitsFor()).isEqualTo(Wait.LOCK);
        assertThat(session.blockedBy()).containsExactly(id(blocks));
        assertThat(seen.sessions()).extracting(ServerSession::id).contains(id(blocks));
    }
}
