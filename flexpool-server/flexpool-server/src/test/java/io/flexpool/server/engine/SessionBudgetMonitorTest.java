// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.timeout;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerSnapshot.Application;
import io.flexpool.server.SessionBudget;
import io.flexpool.server.SessionBudget.Fit;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a server has left, asked each minute. Nothing is leased, and no request fails, unless a test says so. */
@Timeout(300)
class SessionBudgetMonitorTest extends ServerViewCase {
    private final FakePart each = new FakePart();
    private final ServerView eachMinute = view(each, true);

    /** What a query logs after its end is a line of its own test. */
    @AfterEach
    void endOfQueries() {
        awaitFreeThreads();
        eachMinute.close();
    }

    private static void says(int used, int sessions) {
        FakeServer.answers((connection, asked) -> FakeServer.of()
                .slots(used, 97)
                .application(new Application("shop", sessions, 3))
                .build());
    }

    /** The tick, which begins a query if one is due: two threads make queries, and none of them may be about to end another one. */
    private void tick(Duration later) {
        awaitFreeThreads();
        each.ticker.advance(later);
        eachMinute.budget().mayOpen(25);
        eachMinute.tick(each.ticker.nanos(), false, false);
    }

    private SessionBudget looked(Duration later) throws Exception {
        tick(later);
        eachMinute.settle();
        return Objects.requireNonNull(eachMinute.budget().budget());
    }

    private List<String> lines() {
        return List.copyOf(log.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Test
    void itLooksAtTheStartAndEachMinuteAndKeepsNoConnection() throws Exception {
        leased.clear();
        says(53, 41);
        SessionBudget first = looked(Duration.ZERO);
        assertThat(first.fit()).isEqualTo(Fit.FULL);
        assertThat(connects).hasValue(1);
        verify(own, timeout(10_000)).close();
        tick(Duration.ofMillis(59_999));
        eachMinute.settle();
        assertThat(FakeServer.LOOKS).hasSize(1);
        looked(Duration.ofMillis(1));
        assertThat(FakeServer.LOOKS).hasSize(2).allMatch(asked -> asked.equals(Set.of(FakeServer.OWN)));
        assertThat(connects).hasValue(2);
        verify(own, timeout(10_000).times(2)).close();
        assertThat(each.errors.get()).isZero();
    }

    @Test
    void theAnswerIsLoggedOnceAndAgainWhenItIsAnotherOne() throws Exception {
        leased.clear();
        says(53, 41);
        looked(Duration.ZERO);
        String line = "part: ceiling 25 x 3 instances = 75 connections: they fit, and one more instance does not fit;"
                + " sessions: 97 usable, 41 by 'shop' from 3 addresses, 12 by other clients";
        eventually(() -> lines().contains(line));
        // Other figures, the same answer.
        says(60, 47);
        looked(SECOND.multipliedBy(60));
        eventually(() -> eachMinute.budget().budget() != null
                && eachMinute.budget().budget().sessions() == 47);
        says(90, 40);
        looked(SECOND.multipliedBy(60));
        eventually(() -> lines().size() == 2);
        assertThat(lines().get(1)).contains("only 1 instance fits; ").endsWith(", 50 by other clients");
        assertThat(log.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.INFO, Level.WARN);
    }

    @Test
    void onlyAsTheLooksOfFailuresSayItUnlessAskedFor() throws Exception {
        says(53, 41);
        view.budget().mayOpen(25);
        for (int minutes = 0; minutes < 3; minutes++) {
            part.ticker.advance(SECOND.multipliedBy(60));
            view.tick(part.ticker.nanos(), false, false);
        }
        assertThatThrownBy(view::settle).as("no query began").isInstanceOf(NullPointerException.class);
        assertThat(connects).hasValue(0);
        assertThat(view.budget().budget()).isNull();
        assertThat(view.budget().eachMinute()).isFalse();
        failed();
        eventually(() -> view.budget().budget() != null);
        assertThat(Objects.requireNonNull(view.budget().budget()).sessions()).isEqualTo(41);
        part.ticker.advance(Duration.ofMillis(59_999));
        assertThat(view.budget().budget()).isNotNull();
        part.ticker.advance(Duration.ofMillis(1));
        assertThat(view.budget().budget()).as("what was so a minute ago").isNull();
    }

    @Test
    void whereAnotherPartNeedsItEachMinute() {
        view.eachMinute();
        assertThat(view.budget().eachMinute()).isTrue();
    }

    @Test
    void aRefusalIsUnknownAndNamesNoPassword() throws Exception {
        leased.clear();
        FakeServer.answers((connection, asked) -> {
            throw new SQLException("password 'secret' is wrong", "28P01");
        });
        SessionBudget budget = looked(Duration.ZERO);
        assertThat(budget.fit()).isEqualTo(Fit.UNKNOWN);
        assertThat(budget.describe())
                .isEqualTo(
                        "part: the number of free sessions on the server is unknown: it refused or could not be reached in"
                                + " time (SQLException, SQLState 28P01)");
        eventually(() -> lines().equals(List.of(budget.describe())));
    }

    /** Some pools show the way to their database only once they are used; then the answer must not wait for a minute. */
    @Test
    void aPoolThatIsNotUsedYetIsAskedAgainSoon() throws Exception {
        leased.clear();
        says(53, 41);
        AtomicInteger tries = new AtomicInteger();
        each.fake.connect = () -> tries.incrementAndGet() < 3 ? null : own;
        tick(Duration.ZERO);
        eachMinute.settle();
        for (int again = 0; again < 2; again++) {
            assertThat(eachMinute.budget().budget()).isNull();
            assertThat(log.list).isEmpty();
            tick(Duration.ofSeconds(5));
            eachMinute.settle();
        }
        assertThat(Objects.requireNonNull(eachMinute.budget().budget()).sessions())
                .isEqualTo(41);
        assertThat(tries).hasValue(3);
    }

    @Test
    void aPoolThatNeverShowsTheWayIsUnknownAfterAMinute() throws Exception {
        leased.clear();
        AtomicInteger tries = new AtomicInteger();
        each.fake.connect = () -> {
            tries.incrementAndGet();
            return null;
        };
        tick(Duration.ZERO);
        eachMinute.settle();
        for (int again = 0; again < 11; again++) {
            assertThat(eachMinute.budget().budget()).isNull();
            tick(Duration.ofSeconds(5));
            eachMinute.settle();
        }
        assertThat(tries).hasValue(12);
        assertThat(Objects.requireNonNull(eachMinute.budget().budget()).describe())
                .contains(
                        "unknown: flexpool cannot connect by itself, because the pool does not show its connection settings");
    }

    /** As behind PgBouncer, whose pools' sizes the server does not know. */
    @Test
    void behindAProxyItIsUnknown() throws Exception {
        leased.clear();
        FakeServer.answers((connection, asked) -> ServerSnapshot.of("Fake")
                .slots(53, 97)
                .application(new Application("shop", 41, 3))
                .unknownSessions(asked)
                .build());
        SessionBudget budget = looked(Duration.ZERO);
        assertThat(budget.fit()).isEqualTo(Fit.UNKNOWN);
        assertThat(budget.describe()).contains("(usual behind PgBouncer)");
    }

    @Test
    void aConnectThatHangsIsGivenUp() throws Exception {
        leased.clear();
        CountDownLatch interrupted = new CountDownLatch(1);
        each.fake.connect = () -> {
            try {
                hangs.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw new SQLException("interrupted", e);
            }
            return own;
        };
        tick(Duration.ZERO);
        // Until the helper thread is in the connect there is nothing to give up.
        eventually(() -> {
            each.ticker.advance(Duration.ofSeconds(5));
            eachMinute.tick(each.ticker.nanos(), false, false);
            return interrupted.getCount() == 0;
        });
        assertThat(eachMinute.trouble(each.ticker.nanos()) == null || connects.get() == 0)
                .isTrue();
        verify(own, never()).close();
    }

    /** The query that a failed request needs may be this one: it has the leases in it. */
    @Test
    void aConnectionThatAFailureNeedsIsKept() throws Exception {
        says(53, 41);
        eachMinute.failed(true);
        eachMinute.settle();
        looked(SECOND.multipliedBy(2));
        assertThat(FakeServer.LOOKS.get(FakeServer.LOOKS.size() - 1)).contains(11L);
        assertThat(connects).hasValue(1);
        verify(own, times(0)).close();
    }
}
