// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.flexpool.internal.pool.ServiceOnClassPath;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSession.Wait;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerViewProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A server that does what no real one can be made to do: it hangs, throws, gives a number again. What it says is the
 * test's, for all pools of the JVM, for the service loader makes the provider.
 */
public final class FakeServer implements ServerViewProvider {
    /** flexpool's own session. */
    public static final long OWN = 99;

    /** What the looks were asked for. */
    public static final List<Set<Long>> LOOKS = new CopyOnWriteArrayList<>();

    /** What a look gives. */
    public interface Answer {
        ServerSnapshot look(Connection own, Set<Long> sessions) throws SQLException;
    }

    private static volatile Answer answer =
            (own, sessions) -> ServerSnapshot.of("Fake").build();

    /** For the service loader. */
    public FakeServer() {}

    /** A connection whose session has a number, and behind a pooler a name. */
    public interface Session extends Connection {
        long id();

        @Nullable
        String name();

        @Nullable
        Boolean inTransaction();
    }

    /** What the looks by name were asked for. */
    public static final List<Set<String>> LOOKS_BY_NAME = new CopyOnWriteArrayList<>();

    /** How long the last look could take. */
    static volatile Duration deadline = Duration.ZERO;

    /** What a look by name gives. */
    public interface NamedAnswer {
        ServerSnapshot look(Set<String> names) throws SQLException;
    }

    private static volatile NamedAnswer named =
            names -> ServerSnapshot.of("Fake").build();

    /** From now on a pooler hides the ids, and sessions have names. */
    public static void hides(NamedAnswer given) {
        LOOKS_BY_NAME.clear();
        named = given;
        answers((own, asked) -> of().unknownSessions(asked).build());
    }

    /** A connection behind a pooler. */
    public static Connection connection(long session, @Nullable String name, @Nullable Boolean inTransaction) {
        Session made = (Session) connection(session);
        when(made.name()).thenReturn(name);
        when(made.inTransaction()).thenReturn(inTransaction);
        return made;
    }

    /** From now on, and nothing has been looked at. */
    public static void answers(Answer given) {
        LOOKS.clear();
        answer = given;
    }

    /** From now on it says this of its sessions; of flexpool's own, that it runs. */
    public static void says(ServerSession... sessions) {
        answers((own, asked) -> of(sessions).build());
    }

    /** What it says of these sessions and of flexpool's own. */
    public static ServerSnapshot.Builder of(ServerSession... sessions) {
        List<ServerSession> all = new ArrayList<>(List.of(sessions));
        all.add(ServerSession.of(OWN).asked(true).state(State.RUNNING, null).build());
        return ServerSnapshot.of("Fake").sessions(all).slots(61, 97);
    }

    /** A session that waits for a lock of others, for two seconds. */
    public static ServerSession waits(long id, boolean ours, Long... blockedBy) {
        return ServerSession.of(id)
                .asked(ours)
                .state(State.RUNNING, Duration.ofSeconds(2))
                .waitsFor(Wait.LOCK, "Lock: transactionid")
                .blockedBy(List.of(blockedBy))
                .build();
    }

    /** A session that is idle in its transaction, for three seconds. */
    public static ServerSession idleInTransaction(long id, boolean ours) {
        return ServerSession.of(id)
                .asked(ours)
                .state(State.IDLE_IN_TRANSACTION, Duration.ofSeconds(3))
                .waitsFor(Wait.CLIENT, "Client: ClientRead")
                .inTransaction(Duration.ofSeconds(4))
                .build();
    }

    /** What a request that fails is given, but not late: of a view whose time stands still. */
    public static @Nullable ServerQueryResult failed(ServerView view) {
        view.failed(true);
        try {
            view.settle();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return view.failed(true);
    }

    /** A connection whose session has a number. */
    public static Connection connection(long session) {
        Session made = mock(Session.class);
        when(made.id()).thenReturn(session);
        // A mock answers false for a Boolean.
        when(made.inTransaction()).thenReturn(null);
        try {
            when(made.getAutoCommit()).thenReturn(true);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return made;
    }

    /** Runs something while this provider is on the class path. */
    public static <T> T onClassPath(Callable<T> work) throws Exception {
        return ServiceOnClassPath.during(ServerViewProvider.class, FakeServer.class, work);
    }

    @Override
    public String product() {
        return "Fake";
    }

    private static Session of(Connection connection) throws SQLException {
        return connection instanceof Session session ? session : connection.unwrap(Session.class);
    }

    @Override
    public boolean supports(Connection connection) {
        try {
            return of(connection) != null;
        } catch (SQLException another) {
            return false;
        }
    }

    @Override
    public OptionalLong session(Connection connection) throws SQLException {
        return OptionalLong.of(of(connection).id());
    }

    @Override
    public Optional<String> name(Connection connection) throws SQLException {
        return Optional.ofNullable(of(connection).name());
    }

    @Override
    public Optional<Boolean> inTransaction(Connection connection) throws SQLException {
        return Optional.ofNullable(of(connection).inTransaction());
    }

    @Override
    public ServerSnapshot lookByName(Connection own, Set<String> names, Duration most) throws SQLException {
        deadline = most;
        LOOKS_BY_NAME.add(Set.copyOf(names));
        return named.look(names);
    }

    @Override
    public ServerSnapshot look(Connection own, Set<Long> sessions, Duration most) throws SQLException {
        deadline = most;
        LOOKS.add(Set.copyOf(sessions));
        return answer.look(own, sessions);
    }
}
