// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSnapshot;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Which session belongs to which lease where a pooler hides the ids. What PgBouncer does is recorded from a real one, 1.18: the ids
 * that the driver has are random; the server reports an application name that a statement sets, PgBouncer passes it on to the
 * driver and gives it to each session that works for that client; a session keeps it while no client uses it, and under a
 * client without a name. {@code PgBouncerSituationsTest} has the real program.
 */
@Timeout(300)
class PoolerTest extends ServerViewCase {
    private static final String NAME = "shop #0a1b2c3d";

    private static ServerSession.Builder session(long id, @Nullable String name, State state) {
        return ServerSession.of(id).asked(true).state(state, SECOND).client(name, "10.0.0.9");
    }

    private static ServerSnapshot says(ServerSession.Builder... sessions) {
        return ServerSnapshot.of("Fake")
                .sessions(Arrays.stream(sessions)
                        .map(ServerSession.Builder::build)
                        .toList())
                .slots(5, 97)
                .build();
    }

    @BeforeEach
    void oneIsNamed() {
        leased.set(0, lease(1, NAME, true));
        FakeServer.hides(names -> says(session(77, NAME, State.IDLE_IN_TRANSACTION)));
    }

    private Held lease(long number, @Nullable String name, @Nullable Boolean inTransaction) {
        // More than 0, as half of PgBouncer's numbers are.
        return new Held(
                number, FakeServer.connection(1_427_311_876L + number, name, inTransaction), part.ticker.nanos(), true);
    }

    @Test
    void theSessionIsFoundByTheNameOfTheConnection() throws Exception {
        ServerQueryResult look = found(failed());
        assertThat(look.missing()).isNull();
        assertThat(look.byLease()).containsOnlyKeys(1L);
        assertThat(Objects.requireNonNull(look.byLease().get(1L)).id()).isEqualTo(77);
        assertThat(shown(1)).isNotNull();
        verify(own, never()).close();
        later();
        assertThat(FakeServer.LOOKS).as("by id, once").hasSize(1);
        assertThat(FakeServer.LOOKS_BY_NAME).containsExactly(Set.of(NAME), Set.of(NAME));
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(line -> line.contains("by application name"))
                .containsExactly(
                        "part: sessions are found by application name: the server has no sessions with the ids of"
                                + " this pool's connections (usual behind PgBouncer)");
    }

    /** The pooler may have opened it during the lease. */
    @Test
    void itMayBeYoungerThanTheLease() {
        part.ticker.advance(Duration.ofMinutes(5));
        FakeServer.hides(
                names -> says(session(77, NAME, State.IDLE_IN_TRANSACTION).connected(SECOND)));
        assertThat(found(failed()).byLease()).containsOnlyKeys(1L);
    }

    /** A client without a name works under the name that it finds. */
    @Test
    void notWhereTheDriverKnowsOfNoTransaction() {
        leased.set(0, lease(1, NAME, false));
        assertThat(found(failed()).byLease()).isEmpty();
    }

    /** The session rests with the name that it had, while the connection works on another. */
    @Test
    void notAnIdleOneWhileTheDriverHasATransaction() {
        FakeServer.hides(names -> says(session(77, NAME, State.IDLE)));
        assertThat(found(failed()).byLease()).isEmpty();
        leased.set(0, lease(1, NAME, false));
        assertThat(found(later()).byLease()).containsOnlyKeys(1L);
    }

    /** While a statement runs the driver knows what held before. */
    @Test
    void oneThatRunsBelongsToTheConnectionWhateverTheDriverKnows() {
        FakeServer.hides(names -> says(session(77, NAME, State.RUNNING)));
        leased.set(0, lease(1, NAME, false));
        assertThat(found(failed()).byLease()).containsOnlyKeys(1L);
    }

    @Test
    void aNameOfTwoConnectionsIsNotAskedFor() {
        leased.add(lease(2, NAME, true));
        leased.add(lease(3, "shop #44444444", true));
        failed();
        assertThat(FakeServer.LOOKS_BY_NAME).containsExactly(Set.of("shop #44444444"));
    }

    @Test
    void withoutNamesTheViewIsOffAndTheLogNamesWhatIsMissing() throws Exception {
        leased.set(0, lease(1, null, true));
        assertThat(failed()).isNull();
        assertThat(later()).isNull();
        verify(own).close();
        assertThat(FakeServer.LOOKS_BY_NAME).isEmpty();
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .filteredOn(line -> line.contains("reports lack the server's sessions"))
                .containsExactly(
                        "part: reports lack the server's sessions: sessions are hidden (usual behind PgBouncer), and the connections"
                                + " have no application names of their own");
    }

    @Test
    void withoutALeaseItIsNotKnownYetWhetherTheyHaveNames() {
        FakeServer.hides(names -> {
            leased.clear();
            return says();
        });
        failed();
        assertThat(found(later()).missing()).contains("no connection to it is leased");
        leased.add(lease(3, NAME, true));
        assertThat(found(later()).missing()).isNull();
    }

    /** How many sessions the pooler may open is not among the server's figures. */
    @Test
    void howManyAreLeftIsUnknownForGood() {
        view.eachMinute();
        assertThat(view.unseen()).endsWith("(usual behind PgBouncer)");
        assertThat(FakeServer.deadline)
                .as("of a look that decides about the start")
                .isEqualTo(SECOND);
        assertThat(view.last()).isNotNull();
        assertThat(view.last().missing()).endsWith("(usual behind PgBouncer)");
        assertThat(found(later()).byLease()).containsOnlyKeys(1L);
        assertThat(view.last().left()).isEqualTo(ServerSnapshot.UNKNOWN);
        assertThat(FakeServer.deadline).as("of a look for a failure").isLessThan(SECOND);
        int looks = FakeServer.LOOKS_BY_NAME.size();
        part.ticker.advance(Duration.ofMinutes(10));
        view.tick(part.ticker.nanos(), false, false);
        assertThat(FakeServer.LOOKS_BY_NAME).hasSize(looks);
        assertThat(view.unseen()).endsWith("(usual behind PgBouncer)");
        assertThat(connects).as("one for the start, one for the failure").hasValue(2);
    }

    /** All sessions of the pooler are in use: flexpool's connection waits there as any client does. */
    @Test
    void aLookThatFailsMayBeThePoolers() {
        failed();
        FakeServer.hides(names -> {
            throw new SQLException("read timed out", "08006");
        });
        assertThat(found(later()).missing())
                .isEqualTo(
                        "it refused or could not be reached in time (SQLException, SQLState 08006), or the pooler has no"
                                + " session left");
    }
}
