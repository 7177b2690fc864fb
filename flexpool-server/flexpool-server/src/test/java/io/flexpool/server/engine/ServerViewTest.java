// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a look is taken, on what, and which session it finds for which lease. */
@Timeout(300)
class ServerViewTest extends ServerViewCase {
    @Nested
    class WhenALookIsTaken {
        @Test
        void notWhileNothingFails() {
            view.reading();
            view.tick(part.ticker.nanos(), true, false);
            assertThat(connects).hasValue(0);
            assertThat(FakeServer.LOOKS).isEmpty();
        }

        @Test
        void aFailureLooksForTheHeldConnectionsAndItsOwn() {
            ServerQueryResult look = found(failed());
            assertThat(FakeServer.LOOKS).containsExactly(Set.of(11L, FakeServer.OWN));
            assertThat(look.missing()).isNull();
            assertThat(Objects.requireNonNull(shown(1)).state()).isEqualTo(State.IDLE_IN_TRANSACTION);
        }

        @Test
        void oneASecondOnOneConnection() {
            ServerQueryResult first = found(failed());
            part.ticker.advance(Duration.ofMillis(999));
            assertThat(failed())
                    .as("also when it is older than a request would wait")
                    .isSameAs(first);
            part.ticker.advance(Duration.ofMillis(1));
            assertThat(failed()).isNotSameAs(first);
            assertThat(FakeServer.LOOKS).hasSize(2);
            assertThat(connects).hasValue(1);
        }

        @Test
        void aSecondAskerJoinsTheLookThatIsTaken() throws Exception {
            CountDownLatch begun = new CountDownLatch(1);
            FakeServer.answers((connection, sessions) -> {
                begun.countDown();
                awaitQuietly(hangs);
                return FakeServer.of(FakeServer.idleInTransaction(11, true)).build();
            });
            FutureTask<@Nullable ServerQueryResult> first = new FutureTask<>(() -> view.failed(true));
            FutureTask<@Nullable ServerQueryResult> second = new FutureTask<>(() -> view.failed(true));
            new Thread(first).start();
            begun.await();
            new Thread(second).start();
            hangs.countDown();
            // The time stands still, so neither is late by the view's clock.
            assertThat(FakeServer.LOOKS).hasSize(1);
            first.get();
            second.get();
            assertThat(FakeServer.LOOKS).hasSize(1);
        }

        @Test
        void readersLookForAMinuteAfterAFailure() {
            failed();
            part.ticker.advance(Duration.ofSeconds(59));
            view.reading();
            assertThat(FakeServer.LOOKS).hasSize(2);
            part.ticker.advance(SECOND);
            view.reading();
            assertThat(FakeServer.LOOKS).hasSize(2);
        }

        @Test
        void theTickLooksWhileRequestsWaitAfterAFailure() throws Exception {
            failed();
            part.ticker.advance(SECOND);
            view.tick(part.ticker.nanos(), false, false);
            assertThat(FakeServer.LOOKS).hasSize(1);
            view.tick(part.ticker.nanos(), true, false);
            view.settle();
            assertThat(FakeServer.LOOKS).hasSize(2);
        }

        /** The first look opens a connection, which on a busy machine took longer than the 200 ms that a failure waits. */
        @Test
        void requestsThatWaitForLongHaveTheConnectionOpenedBeforeOneFails() throws Exception {
            Duration quarter = part.acquisitionTimeout().dividedBy(4);
            view.tick(part.ticker.nanos(), true, true);
            part.ticker.advance(quarter.minusNanos(1));
            view.tick(part.ticker.nanos(), true, true);
            assertThat(connects).as("not yet").hasValue(0);
            part.ticker.advance(Duration.ofNanos(1));
            view.tick(part.ticker.nanos(), true, true);
            view.settle();
            assertThat(connects).hasValue(1);
            assertThat(FakeServer.LOOKS).hasSize(1);
            part.ticker.advance(SECOND);
            view.tick(part.ticker.nanos(), true, true);
            view.settle();
            assertThat(FakeServer.LOOKS).as("once a second").hasSize(2);
            assertThat(connects).hasValue(1);
        }

        @Test
        void aBurstThatEndsOpensNothing() {
            Duration quarter = part.acquisitionTimeout().dividedBy(4);
            for (int burst = 0; burst < 3; burst++) {
                view.tick(part.ticker.nanos(), true, true);
                part.ticker.advance(quarter.minusNanos(1));
                view.tick(part.ticker.nanos(), burst % 2 == 0, false);
                part.ticker.advance(quarter);
            }
            assertThat(connects).hasValue(0);
        }

        @Test
        void aFullServerIsNotAskedForOneMore() {
            ServerQueryResult look = found(view.failed(false));
            assertThat(connects).hasValue(0);
            assertThat(look.snapshot()).isNull();
            part.ticker.advance(SECOND);
            view.tick(part.ticker.nanos(), true, false);
            view.reading();
            assertThat(connects).hasValue(0);
        }

        /** It was not full when the request failed, but is when the connection is opened. */
        @Test
        void aServerThatRefusesTheConnectionIsNotAskedAgainByTheTick() throws Exception {
            part.fake.connect = () -> {
                connects.incrementAndGet();
                throw new SQLException("too many", "53300");
            };
            assertThat(found(failed()).missing()).contains("SQLState 53300");
            part.ticker.advance(SECOND);
            view.tick(part.ticker.nanos(), true, false);
            view.settle();
            assertThat(connects).hasValue(1);
        }

        @Test
        void aFullServerIsLookedAtOnTheConnectionThatIsOpen() {
            failed();
            part.ticker.advance(SECOND);
            assertThat(found(view.failed(false)).snapshot()).isNotNull();
            assertThat(connects).hasValue(1);
        }
    }

    @Nested
    class WhenNothingCanBeSeen {
        private void saysOnce(String why) {
            assertThat(failed()).isNull();
            assertThat(later()).isNull();
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .filteredOn(line -> line.contains("reports lack the server's sessions"))
                    .singleElement()
                    .asString()
                    .contains(why);
        }

        /** PgBouncer gives numbers of its own; also flexpool's connection gets one. */
        @Test
        void behindAProxyThatHidesTheSessions() throws Exception {
            FakeServer.answers((connection, sessions) ->
                    FakeServer.of().unknownSessions(Set.of(11L, FakeServer.OWN)).build());
            saysOnce("(usual behind PgBouncer)");
            verify(own).close();
            assertThat(FakeServer.LOOKS).hasSize(1);
            assertThat(shown(1)).isNull();
        }

        @Test
        void notBecauseTheLeasedOnesHaveEnded() {
            FakeServer.answers((connection, sessions) ->
                    FakeServer.of().unknownSessions(Set.of(11L)).build());
            assertThat(found(failed()).snapshot()).isNotNull();
        }

        @Test
        void ofAPoolThatGivesNoConnection() {
            part.fake.connect = () -> null;
            saysOnce("the pool does not show its connection settings");
        }

        @Test
        void ofADriverThatNoModuleKnows() throws Exception {
            Connection other = part.fake.connection();
            when(other.unwrap(any())).thenThrow(new SQLException("another driver"));
            leased.set(0, new Held(1, other, part.ticker.nanos(), true));
            saysOnce("no module on the class path supports its driver");
            assertThat(connects).hasValue(0);
        }

        @Test
        void withoutALeaseItIsNotKnownYet() {
            leased.clear();
            assertThat(found(failed()).missing()).contains("no connection to it is leased");
            leased.add(lease(1, 11));
            assertThat(found(later()).snapshot()).isNotNull();
        }
    }

    @Nested
    class WhoseSessionItIs {
        private ServerSession.Builder session(long id) {
            return ServerSession.of(id).asked(true).state(State.RUNNING, SECOND);
        }

        @Test
        void notOneThatIsYoungerThanTheLease() {
            part.ticker.advance(Duration.ofSeconds(60));
            FakeServer.says(session(11).connected(Duration.ofSeconds(59)).build());
            failed();
            assertThat(shown(1)).isNull();
            FakeServer.says(session(11).connected(Duration.ofSeconds(61)).build());
            later();
            assertThat(shown(1)).isNotNull();
        }

        @Test
        void notOneThatTwoLeasesClaim() {
            leased.add(lease(2, 11));
            leased.add(lease(3, 12));
            FakeServer.says(session(11).build(), session(12).build());
            failed();
            assertThat(shown(1)).isNull();
            assertThat(shown(2)).isNull();
            assertThat(shown(3)).isNotNull();
        }

        @Test
        void notOneOfAnotherUser() {
            FakeServer.answers((connection, sessions) -> FakeServer.of()
                    .sessions(List.of(
                            session(11).login("somebody", "db").build(),
                            session(FakeServer.OWN).login("app", "db").build()))
                    .build());
            failed();
            assertThat(shown(1)).isNull();
        }

        @Test
        void notOfALeaseThatHasEndedMeanwhile() {
            leased.set(0, new Held(1, FakeServer.connection(11), part.ticker.nanos(), false));
            failed();
            assertThat(shown(1)).isNull();
        }

        @Test
        void itsStatementIsShownOnlyWhereStatementsAre() {
            FakeServer.says(session(11).statement("select 1").build());
            failed();
            assertThat(Objects.requireNonNull(shown(1)).statement()).isNull();
            FakePart with = new FakePart();
            with.statements = true;
            ServerView shows = view(with);
            FakeServer.failed(shows);
            assertThat(Objects.requireNonNull(shows.session(1, with.ticker.nanos()))
                            .statement())
                    .isEqualTo("select 1");
            shows.close();
        }

        @Test
        void whatItSaidHoldsForTwoSeconds() {
            FakeServer.says(FakeServer.waits(11, true, 12L));
            failed();
            part.ticker.advance(Duration.ofMillis(1_999));
            assertThat(shown(1)).isNotNull();
            assertThat(view.lockedUp(part.ticker.nanos())).isTrue();
            part.ticker.advance(Duration.ofMillis(1));
            assertThat(shown(1)).isNull();
            assertThat(view.lockedUp(part.ticker.nanos())).isFalse();
        }

        @Test
        void itIsLockedUpIfHalfOfThemWait() {
            leased.add(lease(2, 12));
            leased.add(lease(3, 13));
            FakeServer.says(
                    FakeServer.waits(11, true, 12L),
                    FakeServer.idleInTransaction(12, true),
                    FakeServer.idleInTransaction(13, true));
            failed();
            assertThat(view.lockedUp(part.ticker.nanos())).isFalse();
            FakeServer.says(
                    FakeServer.waits(11, true, 12L),
                    FakeServer.idleInTransaction(12, true),
                    FakeServer.waits(13, true, 12L));
            later();
            assertThat(view.lockedUp(part.ticker.nanos())).isTrue();
        }
    }
}
