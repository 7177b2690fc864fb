// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.Eventually;
import io.flexpool.fleet.ConnectionBudget;
import io.flexpool.fleet.ConnectionBudgetProvider;
import io.flexpool.fleet.FleetMember;
import io.flexpool.fleet.FleetRules;
import io.flexpool.fleet.FleetStatus;
import io.flexpool.fleet.FleetStatus.Source;
import io.flexpool.fleet.Grant;
import io.flexpool.fleet.Renewal;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ServiceOnClassPath;
import io.flexpool.spi.SessionInsight.SessionsLeft;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A pool in a fleet whose store answers what the test says. */
class FleetStoreInPoolTest {
    private static final AtomicInteger RENEWALS = new AtomicInteger();
    private static volatile Callable<Grant> answer = () -> grant(5, 100, 0);
    private static volatile @Nullable FleetMember differs;
    private static volatile boolean calm;
    /** The store's refusal of its configuration; null without one. */
    private static volatile @Nullable String refusal;

    private static volatile long previous;
    private static final Set<String> NAMES = ConcurrentHashMap.newKeySet();
    private static volatile FleetRules asked = new FleetRules(2, 1, 0);

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    /** The store. */
    public static final class Provider implements ConnectionBudgetProvider {
        /** For the service loader. */
        public Provider() {}

        @Override
        public Set<String> stores() {
            return Set.of("redis");
        }

        @Override
        public ConnectionBudget open(Setup setup) {
            if (refusal != null) {
                throw new IllegalArgumentException(refusal);
            }
            return new ConnectionBudget() {
                @Override
                public Grant renew(Renewal renewal) throws Exception {
                    asked = renewal.rules();
                    NAMES.add(renewal.member());
                    Grant grant = answer.call();
                    RENEWALS.incrementAndGet();
                    return grant;
                }

                @Override
                public void leave(String member) {
                    // Nothing is kept.
                }

                @Override
                public void close() {
                    // Nothing is open.
                }
            };
        }
    }

    private static Grant grant(int granted, int cap, int ignored) {
        FleetMember hostile =
                new FleetMember("<img src=x>\n\u202e" + "x".repeat(200), 5, 5, 5, 0, 0, Duration.ZERO, false);
        return new Grant(
                granted, 2, 30, 7, calm, cap, Math.max(0, cap / 20), differs, previous, List.of(hostile), ignored);
    }

    @BeforeEach
    void begin() {
        RENEWALS.set(0);
        FakeSessions.answers(nanos -> new Left(nanos, 61, 97, 20, null));
        differs = null;
        calm = false;
        refusal = null;
        previous = 0;
        NAMES.clear();
        answer = () -> grant(5, 100, 0);
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void end() {
        logger.detachAppender(log);
    }

    private static SizedPool pool(Consumer<Map<String, String>> more) {
        return pool(new FakePool(), more);
    }

    private static SizedPool pool(FakePool fake, Consumer<Map<String, String>> more) {
        try {
            return ServiceOnClassPath.during(
                    ConnectionBudgetProvider.class,
                    Provider.class,
                    () -> new SizedPool(fake, said(said -> {
                        said.put("base", "6");
                        said.put("ceiling", "12");
                        said.put("fleet", "redis");
                        said.put("fleet.name", "orders-db");
                        said.put("fleet.max", "100");
                        said.put("fleet.instances-max", "4");
                        said.put("acquisition-timeout", "50ms");
                        more.accept(said);
                    })));
        } catch (RuntimeException refused) {
            throw refused;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, String> said(Consumer<Map<String, String>> more) {
        Map<String, String> said = new HashMap<>();
        more.accept(said);
        return said;
    }

    /** The refusal named neither the pool nor a cause. */
    @Test
    void aRefusalOfTheStoreNamesThePool() {
        refusal = "flexpool.fleet.uri: must be a URI";
        assertThatThrownBy(() -> pool(said -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(": flexpool.fleet.uri: must be a URI")
                .hasMessageStartingWith("sized: ")
                .hasNoCause();
    }

    private static FleetStatus status(SizedPool sized) {
        return sized.status();
    }

    private static void until(SizedPool sized, BooleanSupplier reached) {
        Eventually.eventually(() -> {
            sized.tick();
            return reached.getAsBoolean();
        });
    }

    private long lines(String part) {
        return List.copyOf(log.list).stream()
                .filter(line -> line.getFormattedMessage().contains(part))
                .count();
    }

    @Test
    void entriesThatMakeNoSenseAreReportedOnce() throws Exception {
        answer = () -> grant(5, 100, 3);
        try (SizedPool sized = pool(said -> {})) {
            until(sized, () -> RENEWALS.get() >= 4);
            until(sized, () -> status(sized).granted() == 5);
            assertThat(lines("fleet 'orders-db': removed 3 invalid entries")).isEqualTo(1);
        }
    }

    @Test
    void membersThatDisagreeAreAWarningThatNamesBothAndATrouble() throws Exception {
        differs = new FleetMember("reports@host", 1, 1, 1, 10, 1, Duration.ZERO, false);
        try (SizedPool sized = pool(said -> {})) {
            until(sized, () -> RENEWALS.get() >= 4);
            until(sized, () -> status(sized).trouble() != null);
            String words = "the members of the fleet have different settings: '"
                    + status(sized).member()
                    + "': fleet.max = 100, reserve = 5; 'reports@host': fleet.max = 10, reserve = 1; all members use the"
                    + " smallest fleet.max";
            assertThat(status(sized).trouble()).isEqualTo(words);
            assertThat(sized.pool.diagnosis().housekeeping().troubles()).containsExactly(words);
            assertThat(lines(words)).isEqualTo(1);
            differs = null;
            until(sized, () -> status(sized).trouble() == null);
            assertThat(sized.pool.diagnosis().housekeeping().troubles()).isEmpty();
        }
    }

    @Test
    void aStoreThatHasLostEntriesIsReportedOnceAndTheCalmOfTheStartIsNot() throws Exception {
        calm = true;
        try (SizedPool sized = pool(said -> {})) {
            until(sized, () -> RENEWALS.get() >= 3);
            calm = false;
            int before = RENEWALS.get();
            until(sized, () -> RENEWALS.get() >= before + 2);
            assertThat(lines("has lost entries")).isZero();
            calm = true;
            until(sized, () -> RENEWALS.get() >= before + 5);
            assertThat(lines("the store has lost entries, or another server has its address: no pool grows for 12 s"))
                    .isEqualTo(1);
        }
    }

    @Test
    void numbersThatAreReadMayDiffer() throws Exception {
        differs = new FleetMember("reports@host", 1, 1, 1, 10, 1, Duration.ZERO, false);
        try (SizedPool sized = reading(said -> {})) {
            until(sized, () -> RENEWALS.get() >= 4);
            assertThat(sized.pool.diagnosis().housekeeping().troubles()).isEmpty();
            assertThat(lines("different settings")).isZero();
        }
    }

    /** As of two processes that were restored from one checkpoint. */
    @Test
    void aMemberWithACopyTakesAnotherNameAndALineSaysSo() throws Exception {
        try (SizedPool sized = pool(said -> {})) {
            until(sized, () -> status(sized).granted() == 5);
            String before = status(sized).member();
            assertThat(NAMES).containsExactly(before);
            previous = 1L << 52;
            until(sized, () -> !status(sized).member().equals(before));
            previous = 0;
            until(sized, () -> NAMES.contains(status(sized).member()));
            assertThat(lines("another member has the name '" + before + "', probably a copy of this process"))
                    .isEqualTo(1);
        }
    }

    @Test
    void aStoreThatDoesNotAnswerTheFirstRenewalIsTheReason() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        answer = () -> {
            hangs.await();
            return grant(5, 100, 0);
        };
        try (SizedPool sized = pool(said -> {})) {
            until(sized, () -> status(sized).trouble() != null);
            assertThat(status(sized).describe())
                    .startsWith("may open 1 of 100 connections (the initial share)")
                    .endsWith("; the store does not answer in time");
            for (int tick = 0; tick < 40; tick++) {
                sized.tick();
            }
            assertThat(lines("fleet 'orders-db': the store does not answer in time"))
                    .isEqualTo(1);
            answer = () -> grant(5, 100, 0);
            hangs.countDown();
            until(sized, () -> status(sized).granted() == 5);
            assertThat(status(sized).trouble()).isNull();
            assertThat(lines("the store answers again")).isEqualTo(1);
        } finally {
            hangs.countDown();
        }
    }

    /** A paused process (SIGSTOP, a suspended virtual machine) logged that the store does not answer. */
    @Test
    void aPauseOfTheProcessIsNotAStoreThatDoesNotAnswer() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        try (SizedPool sized = pool(said -> {})) {
            until(sized, () -> status(sized).source() == Source.GRANT);
            answer = () -> {
                hangs.await();
                return grant(5, 100, 0);
            };
            // Long enough for a renewal to be sent.
            for (int tick = 0; tick < 12; tick++) {
                sized.tick();
            }
            sized.ticker.advance(Duration.ofSeconds(30));
            sized.tick();
            sized.tick();
            assertThat(status(sized).source()).isEqualTo(Source.SHARE);
            assertThat(lines("flexpool did not run for 30.2 s (was the process paused?): at most"))
                    .isEqualTo(1);
            assertThat(lines("the store does not answer")).isZero();
            assertThat(status(sized).trouble()).isNull();
            // The store does not answer after the pause either.
            until(sized, () -> status(sized).trouble() != null);
            assertThat(lines("the store does not answer in time")).isEqualTo(1);
        } finally {
            hangs.countDown();
        }
    }

    @Test
    void aNameFromTheStoreIsOneLineOfABoundedLength() throws Exception {
        try (SizedPool sized = pool(said -> {})) {
            until(sized, () -> !status(sized).shown().isEmpty());
            String name = status(sized).shown().get(0).name();
            assertThat(name).startsWith("<img src=x>  xxx").hasSize(Renewal.LONGEST_NAME + 1);
            assertThat(sized.pool.report().lines()).anyMatch(line -> line.contains(name));
        }
    }

    @Test
    void theFiguresAreThoseOfTheFleet() throws Exception {
        try (SizedPool sized = pool(said -> {})) {
            assertThat(sized.metric("fleet.granted")).isEqualTo(1);
            assertThat(sized.metric("fleet.members")).isZero();
            assertThat(sized.metric("fleet.free")).isNaN();
            until(sized, () -> status(sized).granted() == 5);
            assertThat(sized.metric("fleet.granted")).isEqualTo(5);
            assertThat(sized.metric("fleet.members")).isEqualTo(2);
            assertThat(sized.metric("fleet.free")).isEqualTo(7);
            assertThat(sized.metric("fleet.wanted")).isEqualTo(status(sized).wanted());
            assertThat(sized.metric("fleet.held")).isEqualTo(status(sized).held());
            answer = () -> {
                throw new SQLException("password 'secret' is wrong", "28P01");
            };
            until(sized, () -> status(sized).source() == Source.SHARE);
            // What was heard before is not shown as if it were so.
            assertThat(sized.metric("fleet.members")).isZero();
            assertThat(sized.metric("fleet.free")).isNaN();
            assertThat(sized.metric("fleet.granted")).isEqualTo(5);
            assertThat(sized.pool.report()).contains("SQLState 28P01").doesNotContain("secret");
        }
    }

    @Test
    void aPoolInNoFleetHasNoneOfThem() throws Exception {
        try (SizedPool sized = new SizedPool(new FakePool(), Map.of("base", "6"))) {
            assertThat(sized.pool.parts()).isEmpty();
            assertThat(sized.pool.view(FleetStatus.class)).isEmpty();
        }
    }

    /** For example the look of another part at the server, once a minute. */
    @Test
    void aConnectionPastThePoolFitsIntoWhatTheFleetGrants() throws Exception {
        answer = () -> grant(3, 100, 0);
        FakePool fake = new FakePool();
        AtomicInteger most = new AtomicInteger();
        fake.connect = () -> {
            most.accumulateAndGet(fake.total + 1, Math::max);
            return fake.connection();
        };
        try (SizedPool sized = FakeSessions.onClassPath(() -> pool(fake, said -> {}))) {
            until(sized, () -> {
                // A pool that is used to its limit.
                fake.total = sized.limit();
                return most.get() > 0 && status(sized).granted() == 3;
            });
            sized.ticker.advance(Duration.ofMinutes(1));
            until(sized, () -> {
                fake.total = sized.limit();
                return most.get() > 2;
            });
            assertThat(most).hasValue(3);
            until(sized, () -> sized.limit() == 3);
            assertThat(sized.resized).anyMatch(event -> event.to() == 2);
            assertThat(status(sized).granted()).isEqualTo(3);
        }
    }

    // ---- the number that is read ----

    private static SizedPool reading(Consumer<Map<String, String>> more) throws Exception {
        return FakeSessions.onClassPath(() -> pool(said -> {
            said.put("fleet.max", "auto");
            more.accept(said);
        }));
    }

    @Test
    void theNumberIsReadFromTheServer() throws Exception {
        FakeSessions.answers(nanos -> new Left(nanos, 60, 97, 20, null));
        answer = () -> grant(1, FleetRules.UNKNOWN, 0);
        try (SizedPool sized = reading(said -> {})) {
            until(sized, () -> RENEWALS.get() == 1);
            assertThat(asked).isEqualTo(new FleetRules(FleetRules.UNKNOWN, 4, 0));
            until(sized, () -> status(sized).source() == Source.GRANT);
            // Others have 40: nine tenths of 57.
            until(sized, () -> asked.known());
            assertThat(asked).isEqualTo(new FleetRules(51, 4, 2));
            answer = () -> grant(5, 51, 0);
            until(sized, () -> status(sized).cap() == 51);
            assertThat(status(sized).trouble()).isNull();
            assertThat(FakeSessions.together).isEqualTo(51);
            // Another member found less: its share holds when the store is away.
            answer = () -> grant(12, 22, 0);
            until(sized, () -> status(sized).granted() == 12);
            answer = () -> {
                throw new SQLException("away", "08006");
            };
            until(sized, () -> status(sized).source() == Source.SHARE);
            assertThat(status(sized).granted()).isEqualTo((22 - 1) / 4);
        }
    }

    @Test
    void aNumberThatCannotBeReadLeavesOneConnectionAndSaysWhy() throws Exception {
        FakeSessions.answers(nanos -> new Left(nanos, 60, 97, SessionsLeft.UNKNOWN, "it is behind PgBouncer"));
        answer = () -> grant(1, FleetRules.UNKNOWN, 0);
        try (SizedPool sized = reading(said -> {})) {
            until(
                    sized,
                    () -> status(sized).trouble() != null
                            && Objects.requireNonNull(status(sized).trouble()).contains("PgBouncer"));
            assertThat(asked.known()).isFalse();
            assertThat(sized.limit()).isEqualTo(1);
            assertThat(status(sized).describe())
                    .startsWith("may open 1 of an unknown number of connections (")
                    .contains("no growth before the server's free sessions are read");
        }
    }

    /** It could not be reached at the start, where this is refused. One connection for good would be a guess too. */
    @Test
    void behindAProxyThatIsSeenLateThePoolKeepsItsBase() throws Exception {
        String why = "the server has no sessions with the ids of this pool's connections (usual behind PgBouncer)";
        FakeSessions.answers(nanos -> new Left(nanos, 60, 97, SessionsLeft.UNKNOWN, "it could not be reached"));
        answer = () -> grant(1, FleetRules.UNKNOWN, 0);
        try (SizedPool sized = reading(said -> {})) {
            until(sized, () -> status(sized).trouble() != null);
            assertThat(sized.limit()).isEqualTo(1);
            FakeSessions.unseen = why;
            sized.ticker.advance(Duration.ofMinutes(1));
            until(sized, () -> sized.limit() == 6);
            assertThat(status(sized).trouble()).isEqualTo("the pool keeps its base of 6, because " + why);
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .filteredOn(line -> line.contains("keeps its base"))
                    .containsExactly("sized: fleet 'orders-db': the pool keeps its base of 6, because " + why
                            + ": set flexpool.fleet.max to a number");
            assertThat(sized.limit()).isEqualTo(6);
        }
    }

    /** Else the pool would have one connection for good. */
    @Test
    void behindAProxyThatHidesTheServerItIsRefusedAtTheStart() {
        FakeSessions.answers(nanos -> new Left(nanos, 60, 97, SessionsLeft.UNKNOWN, null));
        FakeSessions.unseen =
                "the server has no sessions with the ids of this pool's connections (usual behind PgBouncer)";
        assertThatThrownBy(() -> reading(said -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "sized: flexpool.fleet.max = auto: must be from 2 to 100000 here, because the server has no sessions"
                                + " with the ids of this pool's connections (usual behind PgBouncer)");
    }

    @Test
    void whereNothingCanReadItItIsRefusedByName() {
        assertThatThrownBy(() -> pool(said -> said.put("fleet.max", "auto")))
                .hasMessageContaining("fleet.max = auto: needs flexpool-server on the class path");
        assertThatThrownBy(() -> reading(said -> {
                    said.put("server-view", "off");
                }))
                .hasMessageContaining("fleet.max = auto: needs server-view = auto or always");
        for (String wrong : List.of("many", "1", "100001", "-5", "")) {
            assertThatThrownBy(() -> pool(said -> said.put("fleet.max", wrong)))
                    .hasMessageContaining("must be auto, or from 2 to 100000");
        }
    }
}
