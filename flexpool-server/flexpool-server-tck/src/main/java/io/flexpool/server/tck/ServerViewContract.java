// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.flexpool.adapter.tck.TcpProxy;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSession.Wait;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerViewProvider;
import java.lang.reflect.Proxy;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What a {@link ServerViewProvider} says, on a real server without other users. A subclass names the server and the
 * product's words. Each test makes its own table and closes its sessions.
 */
@Timeout(120)
public abstract class ServerViewContract {
    /** How many sessions the user of {@link #connectLimited()} may have. */
    protected static final int NARROW_LIMIT = 7;

    /** Long enough for any machine; where it matters that a look ends early, the server or the network hangs without end. */
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private static final Duration PATIENCE = Duration.ofSeconds(30);
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
     * Connects as the user of the pools, who may see all that an application's user can be granted to see.
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
     * Connects as a user who may have {@value #NARROW_LIMIT} sessions.
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

    /** {@return under which name the sessions of {@link #connect} are counted} */
    protected abstract String countedAs();

    /** {@return how many sessions the server has for the user of {@link #connect}} */
    protected abstract int usable();

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

    private String update(int row) {
        return "update " + table + " set v = v + 1 where id = " + row;
    }

    /**
     * Looks again and again, as the server's figures may be a moment old.
     *
     * @param own what looks
     * @param until what is awaited
     * @param asked sessions asked for
     * @return the first snapshot for which it is true
     */
    protected final ServerSnapshot awaitLook(TestSession own, Predicate<ServerSnapshot> until, TestSession... asked) {
        return await().atMost(PATIENCE).until(() -> look(own, asked), until);
    }

    private ServerSnapshot look(TestSession own, TestSession... asked) throws SQLException {
        return provider().look(own.connection(), ids(asked), DEADLINE);
    }

    private static Set<Long> ids(TestSession... sessions) {
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

    private static Predicate<ServerSnapshot> has(TestSession session, State state) {
        return snapshot -> find(snapshot, session).map(ServerSession::state).equals(Optional.of(state));
    }

    @Test
    final void theSessionIdIsWhatTheServerSays() throws Exception {
        TestSession session = session();
        assertThat(provider().supports(session.connection())).isTrue();
        assertThat(provider().session(session.connection())).hasValue(session.id());
    }

    @Test
    final void theSessionIdOfAPoolsConnectionIsThatOfTheDrivers() throws Exception {
        TestSession session = session();
        Connection wrapped = wrap(session.connection());
        assertThat(provider().supports(wrapped)).isTrue();
        assertThat(provider().session(wrapped)).hasValue(session.id());
    }

    /** Fails by the time limit of this class if the driver's lock is needed. */
    @Test
    final void theSessionIdDoesNotWaitForARunningStatement() throws Exception {
        TestSession session = session().start(sleep());
        awaitLook(session(), has(session, State.RUNNING), session);
        assertThat(provider().session(session.connection())).hasValue(session.id());
    }

    @Test
    final void anotherDriversConnectionIsNotSupported() throws Exception {
        Connection foreign = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> method.getName().equals("isWrapperFor") ? false : null);
        assertThat(provider().supports(foreign)).isFalse();
        assertThat(provider().session(foreign)).isEmpty();
    }

    @Test
    final void aLookShowsWhatSessionsDo() throws Exception {
        String rows = table();
        TestSession running = session().start(sleep());
        TestSession idle = session();
        TestSession inTransaction = session().begin().run("update " + rows + " set v = 1 where id = 1");
        ServerSnapshot seen = awaitLook(
                session(),
                has(running, State.RUNNING).and(has(inTransaction, State.IDLE_IN_TRANSACTION)),
                running,
                idle,
                inTransaction);
        assertThat(the(seen, running).waitsFor()).isEqualTo(Wait.OTHER);
        assertThat(the(seen, running).waitEvent()).isNotBlank();
        assertThat(the(seen, idle).state()).isEqualTo(State.IDLE);
        assertThat(the(seen, idle).inTransaction()).isNull();
        assertThat(the(seen, inTransaction).inTransaction()).isNotNull();
        assertThat(seen.sessions()).hasSize(3).allSatisfy(one -> {
            assertThat(one.asked()).isTrue();
            assertThat(one.inState()).isGreaterThanOrEqualTo(Duration.ZERO);
            assertThat(one.connected() != null).isEqualTo(knowsAgeOfSessions());
            assertThat(one.blockedBy()).isEmpty();
            assertThat(one.schemaChange()).isFalse();
            assertThat(one.address()).isEqualTo("127.0.0.1");
            assertThat(one.user()).isNotBlank();
            assertThat(one.database()).isNotBlank();
        });
        assertThat(the(seen, running).statement()).isEqualTo(sleep());
        assertThat(seen.unknownSessions()).isEmpty();
        assertThat(seen.notVisible()).isEmpty();
        assertThat(seen.product()).isNotBlank();
    }

    @Test
    final void whatKeepsAProcessorBusyWaitsForNothing() throws Exception {
        TestSession busy = session().start(work());
        ServerSnapshot seen = awaitLook(session(), has(busy, State.RUNNING), busy);
        assertThat(the(seen, busy).waitsFor()).isIn(Wait.NONE, Wait.IO);
        assertThat(the(seen, busy).blockedBy()).isEmpty();
    }

    @Test
    final void aSessionThatWaitsForARowIsBlockedByItsHolder() throws Exception {
        table();
        TestSession holder = session().begin().run(update(1));
        TestSession waiter = session().start(update(1));
        ServerSnapshot seen = awaitLook(session(), locked(waiter), waiter);
        assertThat(the(seen, waiter).blockedBy()).containsExactly(holder.id());
        assertThat(the(seen, waiter).state()).isEqualTo(State.RUNNING);
        assertThat(the(seen, waiter).waitEvent()).isNotBlank();
        assertThat(the(seen, waiter).schemaChange()).isFalse();
        ServerSession blocker = the(seen, holder);
        assertThat(blocker.asked()).isFalse();
        assertThat(blocker.state()).isEqualTo(State.IDLE_IN_TRANSACTION);
        assertThat(blocker.waitsFor()).isNotEqualTo(Wait.LOCK);
        assertThat(blocker.inTransaction()).isNotNull();
        assertThat(blocker.blockedBy()).isEmpty();
        assertThat(blocker.schemaChange()).isFalse();
    }

    @Test
    final void aChainIsFollowedToItsHead() throws Exception {
        table();
        TestSession head = session().begin().run(update(1));
        TestSession middle = session().begin().run(update(2)).start(update(1));
        TestSession last = session().start(update(2));
        TestSession bystander = session().begin().run(update(3));
        ServerSnapshot seen = awaitLook(session(), locked(middle, last), last);
        assertThat(the(seen, last).blockedBy()).containsExactly(middle.id());
        assertThat(the(seen, middle).blockedBy()).containsExactly(head.id());
        assertThat(the(seen, head).blockedBy()).isEmpty();
        assertThat(find(seen, bystander)).isEmpty();
        assertThat(seen.sessions()).extracting(ServerSession::id).containsExactly(last.id(), middle.id(), head.id());
    }

    /** Beyond them a session is named, but not described, so it cannot be taken for the head of the chain. */
    @Test
    final void aChainIsFollowedOverFiveSessions() throws Exception {
        session().run("create table " + table + " (id int primary key, v int)");
        List<TestSession> chain = new ArrayList<>();
        for (int row = 0; row < ServerSnapshot.DEEPEST_CHAIN + 3; row++) {
            session().run("insert into " + table + " values (" + row + ", 0)");
            chain.add(session().begin().run(update(row)));
            if (row > 0) {
                chain.get(row).start(update(row - 1));
            }
        }
        TestSession last = chain.get(chain.size() - 1);
        ServerSnapshot seen = awaitLook(
                session(),
                snapshot -> snapshot.sessions().size() > ServerSnapshot.DEEPEST_CHAIN
                        && snapshot.sessions().stream().allMatch(one -> one.waitsFor() == Wait.LOCK),
                last);
        assertThat(seen.sessions()).hasSize(ServerSnapshot.DEEPEST_CHAIN + 1);
        assertThat(seen.sessions())
                .allSatisfy(one -> assertThat(one.blockedBy()).hasSize(1));
        assertThat(find(seen, chain.get(0))).isEmpty();
    }

    @Test
    final void aChangeOfTheSchemaBlocksWhatComesAfterIt() throws Exception {
        String rows = table();
        TestSession reader = session().begin().run("select count(*) from " + rows);
        TestSession change = session().start("alter table " + rows + " add column more int");
        awaitLook(session(), locked(change), change);
        TestSession queued = session().start("select count(*) from " + rows);
        ServerSnapshot seen = awaitLook(session(), locked(change, queued), queued);
        assertThat(the(seen, queued).blockedBy()).containsExactly(change.id());
        assertThat(the(seen, queued).schemaChange()).isFalse();
        assertThat(the(seen, change).schemaChange()).isTrue();
        assertThat(the(seen, change).blockedBy()).containsExactly(reader.id());
        assertThat(the(seen, reader).schemaChange()).isFalse();
        assertThat(the(seen, reader).state()).isEqualTo(State.IDLE_IN_TRANSACTION);
    }

    @Test
    final void anAdvisoryLockIsALockAndNoChangeOfTheSchema() throws Exception {
        TestSession holder = session().run(advisoryLock());
        TestSession waiter = session().start(advisoryLock());
        ServerSnapshot seen = awaitLook(session(), locked(waiter), waiter);
        assertThat(the(seen, waiter).blockedBy()).containsExactly(holder.id());
        assertThat(the(seen, holder).state()).isEqualTo(State.IDLE);
        assertThat(seen.sessions()).noneMatch(ServerSession::schemaChange);
    }

    @Test
    final void aUserWithoutRightsGetsNothingWrong() throws Exception {
        table();
        TestSession holder = session().begin().run(update(1));
        TestSession waiter = session().start(update(1));
        awaitLook(session(), locked(waiter), waiter);
        ServerSnapshot seen = look(session(connectWithoutRights()), holder, waiter);
        assertThat(seen.notVisible()).isNotEmpty();
        assertThat(seen.unknownSessions()).isSubsetOf(ids(holder, waiter));
        for (TestSession asked : List.of(holder, waiter)) {
            assertThat(seen.unknownSessions().contains(asked.id()))
                    .isNotEqualTo(find(seen, asked).isPresent());
        }
        assertThat(seen.sessions()).allSatisfy(one -> {
            assertThat(one.state()).isEqualTo(State.UNKNOWN);
            assertThat(one.statement()).isNull();
            assertThat(one.inState()).isNull();
            assertThat(one.blockedBy()).isSubsetOf(holder.id());
            // Locks are visible where states are not, or neither is.
            assertThat(one.waitsFor() == Wait.LOCK).isEqualTo(!one.blockedBy().isEmpty());
            assertThat(one.schemaChange()).isFalse();
        });
        assertThat(seen.usable()).isEqualTo(usable());
        assertThat(seen.used()).isGreaterThanOrEqualTo(3);
    }

    @Test
    final void aUserWithoutRightsSeesItsOwnSessions() throws Exception {
        table();
        TestSession holder = session(connectWithoutRights()).begin().run(update(1));
        TestSession waiter = session(connectWithoutRights()).start(update(1));
        TestSession own = session(connectWithoutRights());
        ServerSnapshot seen = awaitLook(own, has(waiter, State.RUNNING), holder, waiter);
        assertThat(seen.unknownSessions()).isEmpty();
        assertThat(the(seen, holder).state()).isIn(State.IDLE, State.IDLE_IN_TRANSACTION);
        assertThat(the(seen, holder).blockedBy()).isEmpty();
        assertThat(the(seen, waiter).waitsFor()).isIn(Wait.LOCK, Wait.OTHER);
        assertThat(the(seen, waiter).blockedBy()).isSubsetOf(holder.id());
    }

    @Test
    final void idsThatTheServerDoesNotHaveAreUnknown() throws Exception {
        TestSession known = session();
        long never = Integer.MAX_VALUE - 1L;
        long large = Integer.MAX_VALUE + 1L;
        ServerSnapshot seen = provider().look(session().connection(), Set.of(known.id(), never, large), DEADLINE);
        assertThat(seen.unknownSessions()).containsExactly(never, large);
        assertThat(seen.sessions()).extracting(ServerSession::id).containsExactly(known.id());
    }

    @Test
    final void aSessionThatHasEndedIsUnknown() throws Exception {
        TestSession gone = session();
        gone.close();
        TestSession own = session();
        ServerSnapshot seen = awaitLook(own, snapshot -> find(snapshot, gone).isEmpty(), gone);
        assertThat(seen.unknownSessions()).containsExactly(gone.id());
    }

    /** Fails by the time limit of this class if nothing ends the look. */
    @Test
    final void aServerThatDoesNotAnswerEndsTheLookAndNothingIsLeft() throws Exception {
        try (TcpProxy network = TcpProxy.to(port())) {
            TestSession own = session(connect(network.port()));
            TestSession leased = session();
            look(own, leased);
            network.blackhole();
            Set<Long> asked = ids(leased);
            assertThatThrownBy(() -> provider().look(own.connection(), asked, Duration.ofMillis(200)))
                    .isInstanceOf(SQLException.class);
            assertThat(own.connection().isClosed()).isTrue();
            network.pass();
            awaitLook(session(), snapshot -> snapshot.unknownSessions().contains(own.id()), own, leased);
        }
    }

    @Test
    final void aLookLeavesItsConnectionAsItWas() throws Exception {
        TestSession own = session();
        own.connection().setNetworkTimeout(Runnable::run, 54_321);
        List<String> before = new ArrayList<>();
        List<String> after = new ArrayList<>();
        for (String setting : settings()) {
            before.add(own.answer(setting));
        }
        look(own, own);
        look(own, own);
        for (String setting : settings()) {
            after.add(own.answer(setting));
        }
        assertThat(after).isEqualTo(before).isNotEmpty();
        assertThat(own.connection().getAutoCommit()).isTrue();
        assertThat(own.connection().getNetworkTimeout()).isEqualTo(54_321);
        ServerSnapshot seen = awaitLook(session(), has(own, State.IDLE), own);
        assertThat(the(seen, own).inTransaction()).isNull();
    }

    @Test
    final void sessionsAreCountedByApplication() throws Exception {
        TestSession own = session();
        awaitLook(
                own,
                snapshot ->
                        snapshot.used() == 1 && snapshot.sessionsByApplication().getOrDefault(countedAs(), 0) == 1,
                own);
        TestSession one = session();
        TestSession two = session();
        ServerSnapshot seen = awaitLook(own, snapshot -> snapshot.used() == 3, one, two);
        assertThat(seen.sessionsByApplication()).containsEntry(countedAs(), 3);
        assertThat(seen.usable()).isEqualTo(usable());
        assertThat(seen.limit()).isNull();
    }

    @Test
    final void aNarrowerLimitIsNamed() throws Exception {
        TestSession own = session(connectLimited());
        TestSession other = session(connectLimited());
        ServerSnapshot seen = awaitLook(
                own, snapshot -> snapshot.limit() != null && snapshot.limit().used() == 2, other);
        assertThat(seen.limit())
                .isEqualTo(new ServerSnapshot.Limit(
                        ServerSnapshot.Limit.Kind.ROLE,
                        String.valueOf(the(seen, other).user()),
                        NARROW_LIMIT,
                        2));
    }

    /** As a pool's: it delegates what it knows, and unwraps. */
    private static Connection wrap(Connection physical) {
        return (Connection) Proxy.newProxyInstance(
                ServerViewContract.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isWrapperFor" -> physical.isWrapperFor((Class<?>) arguments[0]);
                    case "unwrap" -> physical.unwrap((Class<?>) arguments[0]);
                    default -> throw new AssertionError(method + " is a round trip, or may wait");
                });
    }
}
