// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.tck;

import static org.awaitility.Awaitility.await;

import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.Wait;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerViewProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;

/**
 * The behaviour that every {@link ServerViewProvider} must have, on a real server without other users. A subclass names the server and the
 * product's words. Each test makes its own table and closes its sessions.
 */
@Timeout(300)
public abstract class ServerViewContract {
    /** How many sessions the user of {@link #connectLimited()} may have. */
    protected static final int NARROW_LIMIT = 7;

    /** Long enough for any machine; where it matters that a look ends early, the server or the network hangs without end. */
    static final Duration DEADLINE = Duration.ofSeconds(30);

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final AtomicInteger TABLES = new AtomicInteger();

    private final List<TestSession> sessions = new ArrayList<>();
    private final String table = "contract_" + TABLES.incrementAndGet();

    /** For subclasses. */
    protected ServerViewContract() {}

    /** {@return the provider under test} */
    protected abstract ServerViewProvider provider();

    /** {@return the port of 127.0.0.1 on which the server listens} */
    protected abstract int port();

    /**
     * Connects as the user of the pools, with all rights that an application's user can be granted.
     *
     * @param port the server's or a proxy's
     * @return a new connection, in autocommit mode, not pooled
     * @throws SQLException if that fails
     */
    protected abstract Connection connect(int port) throws SQLException;

    /**
     * Connects as another user, without any rights but to use the same tables.
     *
     * @return a new connection, in autocommit mode, not pooled
     * @throws SQLException if that fails
     */
    protected abstract Connection connectWithoutRights() throws SQLException;

    /**
     * Connects as a user that may have {@value #NARROW_LIMIT} sessions.
     *
     * @return a new connection, in autocommit mode, not pooled
     * @throws SQLException if that fails
     */
    protected abstract Connection connectLimited() throws SQLException;

    /** {@return the query for the id of the session that asks} */
    protected abstract String idQuery();

    /** {@return a statement that sleeps for ten minutes} */
    protected abstract String sleep();

    /** {@return a statement that keeps a processor of the server busy for minutes} */
    protected abstract String work();

    /** {@return a statement that takes, or waits for, a lock that is not of any table} */
    protected abstract String advisoryLock();

    /** {@return the name under which the provider counts the sessions of {@link #connect}} */
    protected abstract String countedAs();

    /** {@return how many sessions the server has for the user of {@link #connect}} */
    protected abstract int usable();

    /** {@return how many sessions the server keeps for others than the user of {@link #connect}} */
    protected abstract int reserved();

    /** {@return queries for settings of a session that a look might change, and must not} */
    protected abstract List<String> settings();

    /** {@return whether the product says when a session began} */
    protected abstract boolean knowsAgeOfSessions();

    /**
     * Aborts all sessions of the test.
     *
     * @throws SQLException if a connection cannot be aborted
     */
    @AfterEach
    protected final void closeSessions() throws SQLException {
        for (TestSession session : sessions) {
            session.close();
        }
    }

    /**
     * Opens a session that is closed after the test.
     *
     * @param connection of this server
     * @return the session
     * @throws SQLException if the server does not answer
     */
    protected final TestSession session(Connection connection) throws SQLException {
        TestSession session = new TestSession(connection, idQuery());
        sessions.add(session);
        return session;
    }

    /**
     * Opens a session of the pools' user that is closed after the test.
     *
     * @return the session
     * @throws SQLException if the server does not answer
     */
    protected final TestSession session() throws SQLException {
        return session(connect(port()));
    }

    /**
     * Makes a table with the rows 1 to 3.
     *
     * @return its name
     * @throws SQLException if that fails
     */
    protected final String table() throws SQLException {
        session()
                .run(
                        "create table " + table + " (id int primary key, v int)",
                        "insert into " + table + " values (1, 0), (2, 0), (3, 0)");
        return table;
    }

    /** {@return the name of the test's table, made or not} */
    final String tableName() {
        return table;
    }

    /**
     * Repeats the look until a condition holds, because the server's figures may be a moment old.
     *
     * @param own the session that looks
     * @param until the condition
     * @param asked sessions asked for
     * @return the first snapshot for which it is true
     */
    protected final ServerSnapshot awaitLook(TestSession own, Predicate<ServerSnapshot> until, TestSession... asked) {
        return await().atMost(PATIENCE).until(() -> look(own, asked), until);
    }

    final ServerSnapshot look(TestSession own, TestSession... asked) throws SQLException {
        return provider().look(own.connection(), ids(asked), DEADLINE);
    }

    static Set<Long> ids(TestSession... sessions) {
        return Arrays.stream(sessions).map(TestSession::id).collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * What a snapshot says of a session.
     *
     * @param snapshot any
     * @param session any
     * @return empty if it is not in it
     */
    protected static Optional<ServerSession> find(ServerSnapshot snapshot, TestSession session) {
        return snapshot.sessions().stream()
                .filter(one -> one.id() == session.id())
                .findFirst();
    }

    /**
     * What a snapshot says of a session that must be in it.
     *
     * @param snapshot any
     * @param session one of its sessions
     * @return the session
     */
    protected static ServerSession the(ServerSnapshot snapshot, TestSession session) {
        return find(snapshot, session).orElseThrow(() -> new AssertionError(session.id() + " is not in " + snapshot));
    }

    /**
     * Whether sessions wait for a lock, all of them.
     *
     * @param waiting those that shall wait
     * @return false for one that is not in the snapshot
     */
    protected static Predicate<ServerSnapshot> locked(TestSession... waiting) {
        return snapshot -> Stream.of(waiting)
                .allMatch(
                        one -> find(snapshot, one).map(ServerSession::waitsFor).equals(Optional.of(Wait.LOCK)));
    }

    /** Sessions and their ids. */
    @Nested
    class Sessions extends SessionContract {
        Sessions() {
            super(ServerViewContract.this);
        }
    }

    /** Sessions that wait for locks. */
    @Nested
    class Locks extends LockContract {
        Locks() {
            super(ServerViewContract.this);
        }
    }

    /** The look. */
    @Nested
    class Queries extends ServerQueryContract {
        Queries() {
            super(ServerViewContract.this);
        }
    }
}
