// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.OwnerToken;
import io.flexpool.PoolScope;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/** Leaking tests, run by JUnit itself on an H2 pool, and JUnit's results. */
class LeakCheckTest {
    private static final String PARALLEL = "junit.jupiter.execution.parallel.";

    private static final List<Connection> LEFT = new CopyOnWriteArrayList<>();

    private static @Nullable FlexPoolDataSource orders;

    @BeforeEach
    void open() {
        orders = wrap("orders");
    }

    @AfterEach
    void close() throws SQLException {
        giveBack();
        orders().close();
    }

    private static void giveBack() throws SQLException {
        for (Connection left : LEFT) {
            left.close();
        }
        LEFT.clear();
    }

    private static FlexPoolDataSource wrap(String name) {
        JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:" + name, "", "");
        return FlexPool.wrap(pool).name(name).build();
    }

    private static FlexPoolDataSource orders() {
        return Objects.requireNonNull(orders);
    }

    private static void leak() throws SQLException {
        LEFT.add(orders().getConnection());
    }

    private static void elsewhere(Work work) throws InterruptedException {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (Exception thrown) {
                        throw new AssertionError(thrown);
                    }
                },
                "a worker");
        thread.start();
        thread.join();
    }

    private interface Work {
        void run() throws Exception;
    }

    private static EngineExecutionResults run(Class<?>... classes) {
        return kit(classes).execute();
    }

    private static EngineTestKit.Builder kit(Class<?>... classes) {
        return EngineTestKit.engine("junit-jupiter")
                .configurationParameter(LeakCheck.GRACE_PARAMETER, "PT0.04S")
                .selectors(Arrays.stream(classes).map(one -> selectClass(one)).toArray(ClassSelector[]::new));
    }

    private static EngineTestKit.Builder beside(Class<?>... classes) {
        return kit(classes)
                .configurationParameter(PARALLEL + "enabled", "true")
                .configurationParameter(PARALLEL + "mode.default", "concurrent")
                .configurationParameter(PARALLEL + "config.strategy", "fixed")
                .configurationParameter(PARALLEL + "config.fixed.parallelism", "4");
    }

    private static List<String> failures(Events events) {
        return events.failed().stream().map(LeakCheckTest::message).toList();
    }

    private static String message(Event failed) {
        Throwable thrown = failed.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow();
        assertThat(thrown).isInstanceOf(AssertionError.class);
        return Objects.requireNonNull(thrown.getMessage());
    }

    private static List<String> names(Events events) {
        return events.stream()
                .map(event -> event.getTestDescriptor().getDisplayName())
                .toList();
    }

    private static void nest() throws SQLException {
        try (Connection one = orders().getConnection();
                Connection two = orders().getConnection()) {
            assertThat(one).isNotSameAs(two);
        }
    }

    @Nested
    class OneAfterAnother {
        @ExtendWith(LeakCheck.class)
        @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
        static class Leaking {
            @Test
            @Order(1)
            void leaks() throws SQLException {
                leak();
            }

            @Test
            @Order(2)
            void givesBack() throws SQLException {
                try (Connection connection = orders().getConnection()) {
                    connection.createStatement().execute("select 1");
                }
            }

            @Test
            @Order(3)
            void leaksOnAnotherThread() throws InterruptedException {
                elsewhere(LeakCheckTest::leak);
            }
        }

        @Test
        void aLeakFailsItsTestAndNotTheNext() {
            EngineExecutionResults results = run(Leaking.class);
            assertThat(names(results.testEvents().failed())).containsExactly("leaks()", "leaksOnAnotherThread()");
            assertThat(names(results.testEvents().succeeded())).containsExactly("givesBack()");
            List<String> said = failures(results.testEvents());
            assertThat(said.get(0))
                    .contains("Leaking.leaks: leaks() leaked 1 connection")
                    .containsPattern("orders: " + Thread.currentThread().getName()
                            + " at .*leak\\(LeakCheckTest\\.java:\\d+\\): held for \\d+ ms");
            assertThat(said.get(1)).contains("orders: a worker at ").contains("leak(LeakCheckTest.java:");
            // Already reported, and the class has nothing to add.
            assertThat(results.containerEvents().failed().count()).isZero();
        }

        @ExtendWith(LeakCheck.class)
        static class LeakingAndFailing {
            @Test
            void leaksAndFails() throws SQLException {
                leak();
                throw new IllegalStateException("the test's own");
            }
        }

        @Test
        void theTestsOwnFailureComesFirst() {
            Event failed = run(LeakingAndFailing.class).testEvents().failed().stream()
                    .findFirst()
                    .orElseThrow();
            Throwable thrown = failed.getRequiredPayload(TestExecutionResult.class)
                    .getThrowable()
                    .orElseThrow();
            assertThat(thrown).isInstanceOf(IllegalStateException.class);
            assertThat(thrown.getSuppressed())
                    .singleElement()
                    .satisfies(leak -> assertThat(leak).hasMessageContaining("leaked 1 connection"));
        }

        @ExtendWith(LeakCheck.class)
        static class AroundEachTest {
            private @Nullable Connection held;

            @BeforeEach
            void take() throws SQLException {
                held = orders().getConnection();
            }

            @AfterEach
            void giveBack() throws SQLException {
                Objects.requireNonNull(held).close();
            }

            @Test
            void uses() throws SQLException {
                assertThat(Objects.requireNonNull(held).isValid(1)).isTrue();
            }
        }

        @ExtendWith(LeakCheck.class)
        static class AroundAllTests {
            private static @Nullable Connection held;

            @BeforeAll
            static void take() throws SQLException {
                held = orders().getConnection();
            }

            @AfterAll
            static void giveBack() throws SQLException {
                Objects.requireNonNull(held).close();
            }

            @Test
            void uses() throws SQLException {
                assertThat(Objects.requireNonNull(held).isValid(1)).isTrue();
            }
        }

        @Test
        void leasesOfBeforeMethodsMayEndInAfterMethods() {
            EngineExecutionResults results = run(AroundEachTest.class, AroundAllTests.class);
            assertThat(results.testEvents().succeeded().count()).isEqualTo(2);
            assertThat(results.allEvents().failed().count()).isZero();
        }

        @ExtendWith(LeakCheck.class)
        static class LeakingBeforeAll {
            @BeforeAll
            static void take() throws SQLException {
                leak();
            }

            @Test
            void isInnocent() {
                assertThat(orders().state().leased()).isPositive();
            }
        }

        @Test
        void aLeakOfAClassFailsTheClass() {
            EngineExecutionResults results = run(LeakingBeforeAll.class);
            assertThat(names(results.testEvents().succeeded())).containsExactly("isInnocent()");
            assertThat(failures(results.containerEvents()))
                    .singleElement()
                    .asString()
                    .startsWith("LeakingBeforeAll leaked 1 connection");
        }

        @ExtendWith(LeakCheck.class)
        static class Around {
            @Nested
            class Within {
                @Test
                void leaks() throws SQLException {
                    leak();
                }
            }

            @ParameterizedTest
            @ValueSource(ints = {1, 2})
            void leaksTheSecondTime(int time) throws SQLException {
                if (time == 2) {
                    leak();
                }
            }
        }

        @Test
        void nestedAndParameterizedTestsAreChecked() {
            EngineExecutionResults results = run(Around.class);
            assertThat(failures(results.testEvents()))
                    .hasSize(2)
                    .anySatisfy(said -> assertThat(said).startsWith("Within.leaks: leaks() leaked 1"))
                    .anySatisfy(said -> assertThat(said).startsWith("Around.leaksTheSecondTime: [2] "));
            assertThat(results.containerEvents().failed().count()).isZero();
        }
    }

    @Nested
    class Permitted {
        @ExtendWith(LeakCheck.class)
        static class Allowed {
            @Test
            @LeakAllowed("the next test finds it")
            void mayLeak() throws SQLException {
                leak();
            }

            @Test
            @NestingAllowed("one reads while the other writes")
            void mayNest() throws SQLException {
                nest();
            }
        }

        @LeakAllowed("all of them do")
        static class AllowedForAll extends OneAfterAnother.Leaking {}

        @Test
        void permittedLeaksAreNotReported() {
            EngineExecutionResults results = run(Allowed.class, AllowedForAll.class);
            assertThat(results.testEvents().succeeded().count()).isEqualTo(5);
            assertThat(results.allEvents().failed().count()).isZero();
        }
    }

    @Nested
    class NestedAcquisitions {

        @ExtendWith(LeakCheck.class)
        @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
        static class Nesting {
            @Test
            @Order(1)
            void nests() throws SQLException {
                nest();
            }

            @Test
            @Order(2)
            void takesOneAfterTheOther() throws SQLException {
                orders().getConnection().close();
                orders().getConnection().close();
            }

            @Test
            @Order(3)
            void nestsOnAnotherThread() throws InterruptedException {
                elsewhere(LeakCheckTest::nest);
            }
        }

        @ExtendWith(LeakCheck.class)
        static class NestingOfATokenThatChangesThreads {
            @Test
            void nests() throws Exception {
                OwnerToken token = OwnerToken.create("checkout");
                PoolScope.Opened carried = token.makeCurrent();
                try (Connection one = orders().getConnection()) {
                    carried.close();
                    // The thread has none itself.
                    orders().getConnection().close();
                    elsewhere(() -> {
                        PoolScope.Opened there = token.makeCurrent();
                        orders().getConnection().close();
                        there.close();
                    });
                    assertThat(one).isNotNull();
                }
            }
        }

        @Test
        void aTokensNestingFailsATestOnWhateverThread() {
            assertThat(failures(run(NestingOfATokenThatChangesThreads.class).testEvents()))
                    .singleElement()
                    .asString()
                    .contains("once:\n  orders: checkout#", " on a worker requested a connection at ");
        }

        @Test
        void nestingFailsATestWithBothCallSites() {
            EngineExecutionResults results = run(Nesting.class);
            assertThat(names(results.testEvents().failed())).containsExactly("nests()", "nestsOnAnotherThread()");
            assertThat(failures(results.testEvents()).get(0))
                    .startsWith("Nesting.nests: nests() requested a connection while holding another one")
                    .containsPattern("(?s)orders: " + Thread.currentThread().getName()
                            + ".*LeakCheckTest\\.nest\\(LeakCheckTest\\.java:\\d+\\)"
                            + ".*LeakCheckTest\\.nest\\(LeakCheckTest\\.java:\\d+\\)");
            assertThat(failures(results.testEvents()).get(1)).contains("orders: a worker");
            assertThat(results.containerEvents().failed().count()).isZero();
        }
    }

    @Nested
    class SeveralLeases {
        private static Connection first() throws SQLException {
            return orders().getConnection();
        }

        private static Connection second() throws SQLException {
            return orders().getConnection();
        }

        @ExtendWith(LeakCheck.class)
        @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
        static class HoldingSeveral {
            @Test
            @Order(1)
            void leaks() throws SQLException {
                leak();
            }

            @Test
            @Order(2)
            void nestsOnTheSameThread() throws SQLException {
                try (Connection one = first();
                        Connection two = second()) {
                    assertThat(one).isNotSameAs(two);
                }
            }

            @Test
            @Order(3)
            @NestingAllowed("it is about the leaks")
            void leaksTwo() throws SQLException {
                Connection closed = orders().getConnection();
                LEFT.add(first());
                closed.close();
                LEFT.add(second());
            }

            @Test
            @Order(4)
            void nestsAfterALeakOfItsOwn() throws SQLException {
                Connection closed = second();
                LEFT.add(first());
                closed.close();
                try (Connection again = second();
                        Connection nested = second()) {
                    assertThat(again).isNotSameAs(nested);
                }
            }
        }

        /** Connections that a thread takes after a leak were once named instead of it. */
        @Test
        void theLeaseHeldLongestIsNamed() {
            List<String> said = failures(run(HoldingSeveral.class).testEvents());
            assertThat(said).hasSize(4);
            assertThat(said.get(1))
                    .containsPattern(
                            "at .*SeveralLeases\\.second\\(.* while holding one from .*SeveralLeases\\.first\\(")
                    .doesNotContain("LeakCheckTest.leak(");
            assertThat(said.get(2)).containsPattern("(?s)leaked 2 connections.*\\.first\\(.*\\.second\\(");
            assertThat(said.get(3))
                    .containsPattern("(?s)leaked 1 connection.* at .*SeveralLeases\\.first\\(")
                    .containsPattern("(?s)3 times:.*from .*second\\(.*from .*first\\(.*from .*first\\(");
        }
    }

    @Nested
    class CheckedPools {
        @ExtendWith(LeakCheck.class)
        static class WithoutAPool {
            @Test
            void passes() {
                assertThat(OpenPools.list()).isEmpty();
            }
        }

        static class WithoutAPoolAsAField {
            @RegisterExtension
            static final LeakCheck LEAKS = new LeakCheck().grace(Duration.ZERO);

            @Nested
            class Within {
                @Test
                void passes() {
                    assertThat(OpenPools.list()).isEmpty();
                }
            }
        }

        @ExtendWith(LeakCheck.class)
        static class WithoutAPoolAndFailing {
            @Test
            void fails() {
                throw new IllegalStateException("the application did not start");
            }
        }

        static class CheckedAutomatically {
            @Test
            void passes() {
                assertThat(OpenPools.list()).isEmpty();
            }
        }

        /** Such a test was green whatever leaked. */
        @Test
        void aDeclaredCheckThatWatchesNoPoolIsAnError() {
            orders().close();
            EngineExecutionResults results = run(WithoutAPool.class, WithoutAPoolAsAField.class);
            assertThat(results.testEvents().succeeded().count()).isEqualTo(2);
            assertThat(failures(results.containerEvents()))
                    .hasSize(2)
                    .allSatisfy(said -> assertThat(said)
                            .contains("flexpool watched no pool while its tests ran", LeakCheck.REQUIRE_POOL_PARAMETER))
                    .anySatisfy(said -> assertThat(said).startsWith("WithoutAPool: "))
                    .anySatisfy(said -> assertThat(said).startsWith("WithoutAPoolAsAField: "));
            assertThat(run(WithoutAPoolAndFailing.class)
                            .containerEvents()
                            .failed()
                            .count())
                    .as("what failed says enough")
                    .isZero();
        }

        /** It is remembered for its leak. */
        @Test
        void aPoolThatAnEarlierTestClosedIsNotWatched() {
            orders().close();
            assertThat(failures(run(WithPoolsOfItsOwn.class, WithoutAPool.class).containerEvents()))
                    .singleElement()
                    .asString()
                    .startsWith("WithoutAPool: ");
        }

        @Test
        void aCheckThatMayWatchNothingIsNone() {
            orders().close();
            assertThat(kit(WithoutAPool.class)
                            .configurationParameter(LeakCheck.REQUIRE_POOL_PARAMETER, "false")
                            .execute()
                            .allEvents()
                            .failed()
                            .count())
                    .isZero();
            assertThat(kit(CheckedAutomatically.class)
                            .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                            .execute()
                            .allEvents()
                            .failed()
                            .count())
                    .isZero();
        }

        @Test
        void aPoolThatATestMakesIsEnough() {
            orders().close();
            assertThat(run(ClosingAPoolOfItsOwn.class).allEvents().failed().count())
                    .isZero();
        }

        @ExtendWith(LeakCheck.class)
        static class ClosingAPoolOfItsOwn {
            @Test
            void usesAPoolOfItsOwn() throws SQLException {
                try (FlexPoolDataSource own = wrap("own")) {
                    own.getConnection().close();
                }
            }
        }

        @ExtendWith(LeakCheck.class)
        static class WithPoolsOfItsOwn {
            @Test
            void leaksOfAPoolThatItMakesAndCloses() throws SQLException {
                try (FlexPoolDataSource own = wrap("own")) {
                    LEFT.add(own.getConnection());
                }
            }
        }

        @Test
        void aPoolCreatedByATestIsChecked() {
            assertThat(failures(run(WithPoolsOfItsOwn.class).testEvents()))
                    .singleElement()
                    .asString()
                    .containsPattern("own: .* at .*leaksOfAPoolThatItMakesAndCloses\\(LeakCheckTest\\.java:\\d+\\)");
        }

        static class OfOnePool {
            @RegisterExtension
            final LeakCheck leaks = LeakCheck.of(proxy(orders())).grace(Duration.ZERO);

            @Test
            void leaksOfAnother() throws SQLException {
                FlexPoolDataSource other = wrap("other");
                LEFT.add(other.getConnection());
                try (Connection one = other.getConnection()) {
                    assertThat(one).isNotNull();
                }
            }

            @Test
            void leaksOfThis() throws SQLException {
                leak();
            }

            /** Wrappers that frameworks put around data sources. */
            private static DataSource proxy(DataSource behind) {
                return (DataSource) Proxy.newProxyInstance(
                        LeakCheckTest.class.getClassLoader(),
                        new Class<?>[] {DataSource.class},
                        (self, method, arguments) -> method.invoke(behind, arguments));
            }
        }

        @Test
        void onlyTheNamedPoolIsChecked() {
            EngineExecutionResults results = run(OfOnePool.class);
            assertThat(names(results.testEvents().succeeded())).containsExactly("leaksOfAnother()");
            assertThat(failures(results.testEvents()))
                    .singleElement()
                    .asString()
                    .startsWith("OfOnePool.leaksOfThis: leaksOfThis() leaked 1 connection, still open 0 ms after");
            OpenPools.list().stream()
                    .filter(pool -> pool.name().equals("other"))
                    .forEach(FlexPoolDataSource::close);
        }

        @Test
        void anUnsuitableDataSourceIsRefusedByName() {
            JdbcConnectionPool bare = JdbcConnectionPool.create("jdbc:h2:mem:bare", "", "");
            assertThatThrownBy(() -> LeakCheck.of(bare))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not wrapped by flexpool: ");
            FlexPoolDataSource off =
                    FlexPool.wrap(bare).name("off").set("enabled", false).build();
            assertThatThrownBy(() -> LeakCheck.of(off))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the pool is disabled: flexpool 'off' (JdbcConnectionPool)");
            assertThatThrownBy(LeakCheck::of)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no data source");
            assertThatThrownBy(() -> new LeakCheck().grace(Duration.ofMinutes(2)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("grace = PT2M: must be from PT0S to PT1M");
            bare.dispose();
        }

        static class WithoutTheExtension {
            @Test
            void leaks() throws SQLException {
                leak();
            }
        }

        @Test
        void automaticRegistrationChecksAllTests() throws SQLException {
            assertThat(run(WithoutTheExtension.class).testEvents().failed().count())
                    .isZero();
            giveBack();
            EngineExecutionResults results = kit(WithoutTheExtension.class, OneAfterAnother.Leaking.class)
                    .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                    .execute();
            // With the annotation too, each leak is still reported once.
            assertThat(failures(results.testEvents()))
                    .hasSize(3)
                    .allSatisfy(said -> assertThat(said).containsOnlyOnce("leaked"));
        }
    }

    @Nested
    class LateReturns {
        /** For how long the connection is kept, in milliseconds, unless it may return. */
        private static volatile long keptFor;

        private static volatile CountDownLatch mayReturn = new CountDownLatch(1);

        @ExtendWith(LeakCheck.class)
        static class ComingBackLate {
            @Test
            void returnsWhileTheCheckWaits() throws Exception {
                CountDownLatch taken = new CountDownLatch(1);
                CountDownLatch returned = mayReturn;
                Thread server = new Thread(() -> {
                    try (Connection connection = orders().getConnection()) {
                        taken.countDown();
                        returned.await(keptFor, TimeUnit.MILLISECONDS);
                        connection.isValid(1);
                    } catch (SQLException | InterruptedException thrown) {
                        throw new AssertionError(thrown);
                    }
                });
                server.start();
                taken.await();
            }
        }

        @Test
        void aConnectionReturnedInTimeIsNoLeak() {
            keptFor = 200;
            EngineExecutionResults patient = kit(ComingBackLate.class)
                    .configurationParameter(LeakCheck.GRACE_PARAMETER, "PT30S")
                    .execute();
            assertThat(patient.allEvents().failed().count()).isZero();
        }

        @Test
        void aConnectionReturnedLaterIsOne() {
            mayReturn = new CountDownLatch(1);
            keptFor = 60_000;
            try {
                assertThat(failures(run(ComingBackLate.class).testEvents()))
                        .singleElement()
                        .asString()
                        .contains("still open 40 ms after its end");
            } finally {
                mayReturn.countDown();
            }
        }

        @Test
        void anInvalidGracePeriodIsRefusedByName() {
            assertThat(refusal("soon"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("flexpool.leak-check.grace = soon: must be a duration like PT0.5S");
            assertThat(refusal("PT2M"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("flexpool.leak-check.grace = PT2M: must be from PT0S to PT1M");
        }

        private static Throwable refusal(String grace) {
            return kit(OneAfterAnother.AroundEachTest.class)
                    .configurationParameter(LeakCheck.GRACE_PARAMETER, grace)
                    .execute()
                    .testEvents()
                    .failed()
                    .stream()
                    .findFirst()
                    .orElseThrow()
                    .getRequiredPayload(TestExecutionResult.class)
                    .getThrowable()
                    .orElseThrow();
        }

        @Test
        void afterTheRunNothingIsObserved() {
            run(OneAfterAnother.AroundEachTest.class);
            // The tick stops capturing call sites beyond the samples, four times a second.
            Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> !captured());
        }

        private static boolean captured() throws SQLException {
            try (Connection connection = orders().getConnection()) {
                assertThat(connection).isNotNull();
                return orders().openLeases().get(0).callSite() != null;
            }
        }
    }

    @Nested
    class ParallelTests {
        /** Both are inside their test at once and know of each other. */
        private static final ConcurrentHashMap<String, CountDownLatch> STEPS = new ConcurrentHashMap<>();

        private static CountDownLatch step(String name) {
            return STEPS.computeIfAbsent(name, key -> new CountDownLatch(1));
        }

        private static void await(String name) throws InterruptedException {
            assertThat(step(name).await(5, TimeUnit.MINUTES)).as(name).isTrue();
        }

        @ExtendWith({AfterTheCheck.class, LeakCheck.class})
        static class Beside {
            @Test
            void holdsOneAndGivesItBack() throws Exception {
                try (Connection connection = orders().getConnection()) {
                    step("held").countDown();
                    await("leaked");
                    // The other test ends meanwhile, with this connection open.
                    await("end of leaksAnother");
                    assertThat(connection.isValid(1)).isTrue();
                }
            }

            @Test
            void leaksAnother() throws Exception {
                await("held");
                leak();
                step("leaked").countDown();
            }
        }

        /** Signals that a test has ended: registered before the check, so called after it. */
        public static final class AfterTheCheck implements AfterEachCallback {
            @Override
            public void afterEach(ExtensionContext context) {
                step("end of " + context.getRequiredTestMethod().getName()).countDown();
            }
        }

        @Test
        void ofParallelTestsTheOwnerOfTheThreadFails() {
            STEPS.clear();
            EngineExecutionResults results = beside(Beside.class).execute();
            assertThat(names(results.testEvents().succeeded())).containsExactly("holdsOneAndGivesItBack()");
            assertThat(failures(results.testEvents()))
                    .singleElement()
                    .asString()
                    .contains("leaksAnother() leaked 1 connection")
                    .contains("ran at the same time")
                    .contains("holdsOneAndGivesItBack");
            assertThat(results.containerEvents().failed().count()).isZero();
        }

        /** Which of the two started the thread is unknown. */
        @ExtendWith({AfterTheCheck.class, LeakCheck.class})
        static class BesideWithWorkers {
            @Test
            void waitsForTheOther() throws Exception {
                step("held").countDown();
                await("end of leaksOnAWorker");
                await("end of nestsOnAWorker");
            }

            @Test
            void leaksOnAWorker() throws Exception {
                await("held");
                elsewhere(LeakCheckTest::leak);
            }

            @Test
            void nestsOnAWorker() throws Exception {
                await("held");
                elsewhere(LeakCheckTest::nest);
            }
        }

        @ExtendWith({AfterTheCheck.class, LeakCheck.class})
        static class HoldingWhileAnotherEnds {
            @Test
            void nestsOnAWorker() throws Exception {
                elsewhere(() -> {
                    try (Connection one = orders().getConnection()) {
                        step("one is leased").countDown();
                        await("end of ends");
                        try (Connection two = orders().getConnection()) {
                            assertThat(two).isNotSameAs(one);
                        }
                    }
                });
            }

            @Test
            void ends() throws Exception {
                await("one is leased");
            }
        }

        /** A lease open when another test ended was once taken for a leak, and its thread's nesting was not reported. */
        @Test
        void nestingIsReportedWhileAnotherTestEnds() {
            STEPS.clear();
            EngineExecutionResults results =
                    beside(HoldingWhileAnotherEnds.class).execute();
            assertThat(failures(results.testEvents()))
                    .singleElement()
                    .asString()
                    .contains("nestsOnAWorker", "once:");
        }

        @Test
        void unknownOwnersAreReportedByTheLastParallelTest() {
            STEPS.clear();
            EngineExecutionResults results = beside(BesideWithWorkers.class).execute();
            assertThat(failures(results.testEvents()))
                    .singleElement()
                    .asString()
                    .contains("leaked 1 connection", "orders: a worker at ", "ran at the same time", "once:");
            assertThat(results.containerEvents().failed().count()).isZero();
        }
    }
}
