// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.tck;

import static io.flexpool.server.tck.ServerViewContract.find;
import static io.flexpool.server.tck.ServerViewContract.the;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSession.Wait;
import io.flexpool.server.ServerSnapshot;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The id of a session, and what a look says of the sessions that it was asked for. */
abstract class SessionContract extends ServerViewPart {
    SessionContract(ServerViewContract contract) {
        super(contract);
    }

    @Test
    void theSessionIdIsWhatTheServerSays() throws Exception {
        TestSession session = session();
        assertThat(contract.provider().supports(session.connection())).isTrue();
        assertThat(contract.provider().session(session.connection())).hasValue(session.id());
    }

    @Test
    void theSessionIdOfAPoolsConnectionIsThatOfTheDrivers() throws Exception {
        TestSession session = session();
        Connection wrapped = wrap(session.connection());
        assertThat(contract.provider().supports(wrapped)).isTrue();
        assertThat(contract.provider().session(wrapped)).hasValue(session.id());
    }

    /** Fails by the time limit of this class if the driver's lock is needed. */
    @Test
    void theSessionIdDoesNotWaitForARunningStatement() throws Exception {
        TestSession session = session().start(contract.sleep());
        awaitLook(session(), has(session, State.RUNNING), session);
        assertThat(contract.provider().session(session.connection())).hasValue(session.id());
    }

    @Test
    void anotherDriversConnectionIsNotSupported() throws Exception {
        Connection foreign = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> method.getName().equals("isWrapperFor") ? false : null);
        assertThat(contract.provider().supports(foreign)).isFalse();
        assertThat(contract.provider().session(foreign)).isEmpty();
    }

    @Test
    void aLookShowsWhatSessionsDo() throws Exception {
        String rows = table();
        TestSession running = session().start(contract.sleep());
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
            assertThat(one.connected() != null).isEqualTo(contract.knowsAgeOfSessions());
            assertThat(one.blockedBy()).isEmpty();
            assertThat(one.schemaChange()).isFalse();
            assertThat(one.address()).isEqualTo("127.0.0.1");
            assertThat(one.user()).isNotBlank();
            assertThat(one.database()).isNotBlank();
        });
        assertThat(the(seen, running).statement()).isEqualTo(contract.sleep());
        assertThat(seen.unknownSessions()).isEmpty();
        assertThat(seen.notVisible()).isEmpty();
        assertThat(seen.product()).isNotBlank();
    }

    @Test
    void whatKeepsAProcessorBusyWaitsForNothing() throws Exception {
        TestSession busy = session().start(contract.work());
        ServerSnapshot seen = awaitLook(session(), has(busy, State.RUNNING), busy);
        assertThat(the(seen, busy).waitsFor()).isIn(Wait.NONE, Wait.IO);
        assertThat(the(seen, busy).blockedBy()).isEmpty();
    }

    @Test
    void idsThatTheServerDoesNotHaveAreUnknown() throws Exception {
        TestSession known = session();
        long never = Integer.MAX_VALUE - 1L;
        long large = Integer.MAX_VALUE + 1L;
        ServerSnapshot seen = contract.provider()
                .look(session().connection(), Set.of(known.id(), never, large), ServerViewContract.DEADLINE);
        assertThat(seen.unknownSessions()).containsExactly(never, large);
        assertThat(seen.sessions()).extracting(ServerSession::id).containsExactly(known.id());
    }

    @Test
    void aSessionThatHasEndedIsUnknown() throws Exception {
        TestSession gone = session();
        gone.close();
        TestSession own = session();
        ServerSnapshot seen = awaitLook(own, snapshot -> find(snapshot, gone).isEmpty(), gone);
        assertThat(seen.unknownSessions()).containsExactly(gone.id());
    }

    /** As a pool's: it delegates what it knows, and unwraps. */
    private static Connection wrap(Connection physical) {
        return (Connection) Proxy.newProxyInstance(
                SessionContract.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "isWrapperFor" -> physical.isWrapperFor((Class<?>) arguments[0]);
                    case "unwrap" -> physical.unwrap((Class<?>) arguments[0]);
                    default -> throw new AssertionError(method + " is a round trip, or may wait");
                });
    }
}
