// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.tck;

import static io.flexpool.server.tck.ServerViewContract.find;
import static io.flexpool.server.tck.ServerViewContract.ids;
import static io.flexpool.server.tck.ServerViewContract.locked;
import static io.flexpool.server.tck.ServerViewContract.the;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.adapter.tck.database.TcpProxy;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSession.Wait;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerSnapshot.Application;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A look as a whole: its end, what it leaves behind, the server's figures, and what a user without rights sees. */
abstract class ServerQueryContract extends ServerViewPart {
    ServerQueryContract(ServerViewContract contract) {
        super(contract);
    }

    /** Fails by the time limit of this class if nothing ends the look. */
    @Test
    void aServerThatDoesNotAnswerEndsTheLookAndNothingIsLeft() throws Exception {
        try (TcpProxy network = TcpProxy.to(contract.port())) {
            TestSession own = session(contract.connect(network.port()));
            TestSession leased = session();
            look(own, leased);
            network.blackhole();
            Set<Long> asked = ids(leased);
            assertThatThrownBy(() -> contract.provider().look(own.connection(), asked, Duration.ofMillis(200)))
                    .isInstanceOf(SQLException.class);
            assertThat(own.connection().isClosed()).isTrue();
            network.pass();
            awaitLook(session(), snapshot -> snapshot.unknownSessions().contains(own.id()), own, leased);
        }
    }

    @Test
    void aLookLeavesItsConnectionAsItWas() throws Exception {
        TestSession own = session();
        own.connection().setNetworkTimeout(Runnable::run, 54_321);
        List<String> before = new ArrayList<>();
        List<String> after = new ArrayList<>();
        for (String setting : contract.settings()) {
            before.add(own.answer(setting));
        }
        look(own, own);
        look(own, own);
        for (String setting : contract.settings()) {
            after.add(own.answer(setting));
        }
        assertThat(after).isEqualTo(before).isNotEmpty();
        assertThat(own.connection().getAutoCommit()).isTrue();
        assertThat(own.connection().getNetworkTimeout()).isEqualTo(54_321);
        ServerSnapshot seen = awaitLook(session(), has(own, State.IDLE), own);
        assertThat(the(seen, own).inTransaction()).isNull();
    }

    @Test
    void sessionsAreCountedByApplication() throws Exception {
        TestSession own = session();
        awaitLook(
                own,
                snapshot -> snapshot.used() == 1
                        && snapshot.sessionsByApplication().getOrDefault(contract.countedAs(), 0) == 1,
                own);
        TestSession one = session();
        TestSession two = session();
        ServerSnapshot seen = awaitLook(own, snapshot -> snapshot.used() == 3, one, two);
        assertThat(seen.sessionsByApplication()).containsEntry(contract.countedAs(), 3);
        assertThat(seen.usable()).isEqualTo(contract.usable());
        assertThat(seen.reserved()).isEqualTo(contract.reserved());
        assertThat(seen.limit()).isNull();
        Application application = Objects.requireNonNull(seen.application());
        assertThat(contract.countedAs()).startsWith(application.name());
        assertThat(application).isEqualTo(new Application(application.name(), 3, 1));
    }

    @Test
    void aNarrowerLimitIsNamed() throws Exception {
        TestSession own = session(contract.connectLimited());
        TestSession other = session(contract.connectLimited());
        session();
        ServerSnapshot seen = awaitLook(
                own, snapshot -> snapshot.limit() != null && snapshot.limit().used() == 2, other);
        // Another user's are another application's.
        assertThat(Objects.requireNonNull(seen.application()).sessions()).isEqualTo(2);
        assertThat(seen.limit())
                .isEqualTo(new ServerSnapshot.Limit(
                        ServerSnapshot.Limit.Kind.ROLE,
                        String.valueOf(the(seen, other).user()),
                        ServerViewContract.NARROW_LIMIT,
                        2));
    }

    @Test
    void aUserWithoutRightsGetsNothingWrong() throws Exception {
        table();
        TestSession holder = session().begin().run(update(1));
        TestSession waiter = session().start(update(1));
        awaitLook(session(), locked(waiter), waiter);
        ServerSnapshot seen = look(session(contract.connectWithoutRights()), holder, waiter);
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
        assertThat(seen.usable()).isEqualTo(contract.usable());
        assertThat(seen.used()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void aUserWithoutRightsSeesItsOwnSessions() throws Exception {
        table();
        TestSession holder = session(contract.connectWithoutRights()).begin().run(update(1));
        TestSession waiter = session(contract.connectWithoutRights()).start(update(1));
        TestSession own = session(contract.connectWithoutRights());
        ServerSnapshot seen = awaitLook(own, has(waiter, State.RUNNING), holder, waiter);
        assertThat(seen.unknownSessions()).isEmpty();
        assertThat(the(seen, holder).state()).isIn(State.IDLE, State.IDLE_IN_TRANSACTION);
        assertThat(the(seen, holder).blockedBy()).isEmpty();
        assertThat(the(seen, waiter).waitsFor()).isIn(Wait.LOCK, Wait.OTHER);
        assertThat(the(seen, waiter).blockedBy()).isSubsetOf(holder.id());
    }
}
