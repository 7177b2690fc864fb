// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import com.sun.net.httpserver.HttpServer;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.OwnerToken;
import io.flexpool.PoolScope;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

/** Tests that break the rules, run by JUnit itself on an H2 pool, and JUnit's results. */
class LeaseRulesTest {
    private static final AtomicLong NOW = new AtomicLong();

    private static @Nullable FlexPoolDataSource orders;

    @BeforeEach
    void open() {
        JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:rules", "", "");
        orders = FlexPool.wrap(pool)
                .name("orders")
                .framework(with -> with.ticker(NOW::get))
                .build();
    }

    @AfterEach
    void close() {
        orders().close();
    }

    private static FlexPoolDataSource orders() {
        return Objects.requireNonNull(orders);
    }

    private static void lease() throws SQLException {
        leaseFor(0);
    }

    /** By the pool's clock. */
    private static void leaseFor(long millis) throws SQLException {
        try (Connection connection = orders().getConnection()) {
            connection.createStatement().execute("select 1");
            NOW.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
        }
    }

    private static EngineTestKit.Builder kit(Class<?>... classes) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(Arrays.stream(classes).map(one -> selectClass(one)).toArray(ClassSelector[]::new));
    }

    private static EngineTestKit.Builder all(Class<?>... classes) {
        return kit(classes).configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true");
    }

    private static EngineExecutionResults run(Class<?>... classes) {
        return kit(classes).execute();
    }

    private static List<String> failures(Events events) {
        return events.failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class)
                        .getThrowable()
                        .orElseThrow())
                .map(thrown -> String.valueOf(thrown.getMessage()))
                .toList();
    }

    private static List<String> names(Events events) {
        return events.stream()
                .map(event -> event.getTestDescriptor().getDisplayName())
                .sorted()
                .toList();
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

    @Nested
    class Counts {
        @MaxLeases(2)
        static class OfAClass {
            @BeforeEach
            void takeOne() throws SQLException {
                lease();
            }

            @Test
            void takesTwo() throws SQLException {
                lease();
            }

            @Test
            void takesThree() throws Exception {
                lease();
                elsewhere(LeaseRulesTest::lease);
            }

            @Test
            @MaxLeases(3)
            void mayTakeThree() throws SQLException {
                lease();
                lease();
            }

            @Test
            @MaxLeases(0)
            void mayTakeNone() {
                assertThat(orders().state().leased()).isZero();
            }
        }

        @Test
        void moreLeasesThanAllowedFailTheirTest() {
            Events tests = run(OfAClass.class).testEvents();
            assertThat(names(tests.succeeded())).containsExactly("mayTakeThree()", "takesTwo()");
            assertThat(failures(tests))
                    .anySatisfy(said -> assertThat(said)
                            .startsWith(
                                    "OfAClass.takesThree: takesThree() took 3 leases, allowed at most 2 (@MaxLeases):")
                            .containsPattern(
                                    "\n  3 × orders at LeaseRulesTest\\.leaseFor\\(LeaseRulesTest\\.java:\\d+\\)"))
                    .anySatisfy(said -> assertThat(said)
                            .startsWith("OfAClass.mayTakeNone: mayTakeNone() took 1 lease, allowed at most 0"));
        }

        static class WithoutAnnotation {
            @Test
            void takesTwo() throws SQLException {
                lease();
                lease();
            }

            @Test
            @MaxLeases(2)
            void mayTakeTwo() throws SQLException {
                lease();
                lease();
            }
        }

        @Test
        void theParameterAppliesToAllTestsWithoutTheirOwn() {
            Events tests = all(WithoutAnnotation.class)
                    .configurationParameter(LeaseRules.MAX_PARAMETER, "1")
                    .execute()
                    .testEvents();
            assertThat(names(tests.succeeded())).containsExactly("mayTakeTwo()");
            assertThat(failures(tests))
                    .singleElement()
                    .asString()
                    .contains("took 2 leases, allowed at most 1 (flexpool.leases.max)");
            assertThat(all(WithoutAnnotation.class)
                            .execute()
                            .testEvents()
                            .failed()
                            .count())
                    .isZero();
        }

        static class WithoutARule {
            @Test
            void isNotInspected() throws SQLException {
                // The first one is captured anyway.
                orders().getConnection().close();
                try (Connection connection = orders().getConnection()) {
                    assertThat(connection).isNotNull();
                    assertThat(orders().openLeases().get(0).callSite()).isNull();
                }
            }
        }

        @Test
        void withoutARuleNoPoolIsInspected() {
            assertThat(kit(WithoutARule.class)
                            .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "true")
                            .configurationParameter("junit.jupiter.extensions.autodetection.exclude", "*LeakCheck")
                            .execute()
                            .allEvents()
                            .failed()
                            .stream()
                            .toList())
                    .isEmpty();
        }

        static class Negative {
            @Test
            @MaxLeases(-1)
            void isRefused() {
                assertThat(orders().closed()).isFalse();
            }
        }

        @Test
        void invalidLimitsAreRefused() {
            assertThat(failures(run(Negative.class).testEvents()))
                    .containsExactly("@MaxLeases of Negative.isRefused: isRefused() = -1: must be 0 or more");
            assertThat(failures(all(WithoutAnnotation.class)
                            .configurationParameter(LeaseRules.MAX_PARAMETER, "few")
                            .execute()
                            .testEvents()))
                    .contains("flexpool.leases.max = few: must be a whole number from 0 on");
            assertThat(failures(all(WithoutAnnotation.class)
                            .configurationParameter("flexpool.leases.most", "1")
                            .execute()
                            .testEvents()))
                    .contains("flexpool.leases.most = 1: is called flexpool.leases.max now");
            assertThat(failures(all(WithoutAnnotation.class)
                            .configurationParameter(LeaseRules.NO_IO_PARAMETER, "yes")
                            .execute()
                            .testEvents()))
                    .contains("flexpool.leases.no-io = yes: must be true or false");
        }

        @Test
        void aPoolWithoutCallSitesCannotBeJudged() {
            orders().close();
            orders = FlexPool.wrap(JdbcConnectionPool.create("jdbc:h2:mem:rules", "", ""))
                    .name("without")
                    .set("call-sites.sample-every", 0)
                    .build();
            assertThat(failures(run(WithoutAnnotation.class).testEvents()))
                    .singleElement()
                    .asString()
                    .contains("mayTakeTwo(): no rule can be checked: without: call-sites.sample-every = 0");
        }

        @MaxLeases(1)
        static class WithoutAPool {
            @Test
            void passes() {
                assertThat(orders().closed()).isTrue();
            }
        }

        static class WithoutAPoolInATest {
            @Test
            @NoIoWhileHeld
            void passes() {
                assertThat(orders().closed()).isTrue();
            }
        }

        @Test
        void aRuleThatWatchesNoPoolIsAnError() {
            orders().close();
            EngineExecutionResults results = run(WithoutAPool.class, WithoutAPoolInATest.class);
            assertThat(failures(results.containerEvents()))
                    .singleElement()
                    .asString()
                    .startsWith("WithoutAPool: flexpool watched no pool");
            assertThat(failures(results.testEvents()))
                    .singleElement()
                    .asString()
                    .startsWith("WithoutAPoolInATest.passes: passes(): flexpool watched no pool");
            assertThat(kit(WithoutAPool.class, WithoutAPoolInATest.class)
                            .configurationParameter(LeakCheck.REQUIRE_POOL_PARAMETER, "false")
                            .execute()
                            .allEvents()
                            .failed()
                            .count())
                    .isZero();
        }
    }

    @Nested
    class InParallel {
        private static CountDownLatch both = new CountDownLatch(2);
        private static CountDownLatch taken = new CountDownLatch(2);

        @MaxLeases(1)
        static class TwoTests {
            private static void meet(CountDownLatch at) throws InterruptedException {
                at.countDown();
                assertThat(at.await(5, TimeUnit.MINUTES)).isTrue();
            }

            @Test
            void takesOne() throws Exception {
                meet(both);
                lease();
                meet(taken);
            }

            @Test
            void takesTwo() throws Exception {
                meet(both);
                lease();
                lease();
                // Whose it is is unknown.
                elsewhere(LeaseRulesTest::lease);
                meet(taken);
            }
        }

        @Test
        void leasesCountForTheTestOfTheirThread() {
            both = new CountDownLatch(2);
            taken = new CountDownLatch(2);
            Events tests = kit(TwoTests.class)
                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                    .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                    .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                    .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "4")
                    .execute()
                    .testEvents();
            assertThat(names(tests.succeeded())).containsExactly("takesOne()");
            assertThat(failures(tests)).singleElement().asString().contains("takesTwo() took 2 leases");
        }
    }

    @Nested
    class InputAndOutput {
        private static @Nullable HttpServer server;

        private static URI address() {
            return URI.create("http://127.0.0.1:"
                    + Objects.requireNonNull(server).getAddress().getPort() + "/");
        }

        @BeforeEach
        void serve() throws IOException {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                exchange.sendResponseHeaders(200, -1);
                exchange.close();
            });
            server.start();
        }

        @AfterEach
        void stop() {
            Objects.requireNonNull(server).stop(0);
        }

        private static void pause() throws InterruptedException {
            Thread.sleep(1);
        }

        private static void call() throws Exception {
            HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(address()).build(), HttpResponse.BodyHandlers.discarding());
        }

        private static void callByTheOldClient() throws IOException {
            HttpURLConnection connection = (HttpURLConnection) address().toURL().openConnection();
            try (InputStream body = connection.getInputStream()) {
                body.readAllBytes();
            }
        }

        /** Another thread holds the lock until this one waits, and then for longer than the limit. */
        private static void waitForALock() throws InterruptedException {
            ReentrantLock lock = new ReentrantLock();
            CountDownLatch locked = new CountDownLatch(1);
            Thread waiter = Thread.currentThread();
            Thread holder = new Thread(() -> {
                lock.lock();
                try {
                    locked.countDown();
                    while (waiter.getState() != Thread.State.WAITING) {
                        Thread.onSpinWait();
                    }
                    TimeUnit.MILLISECONDS.sleep(2 * IoKind.WAIT_MILLIS);
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                } finally {
                    lock.unlock();
                }
            });
            holder.start();
            while (locked.getCount() > 0) {
                Thread.onSpinWait();
            }
            lock.lock();
            try {
                // What is waited for is the lock.
                holder.join();
            } finally {
                lock.unlock();
            }
        }

        @NoIoWhileHeld
        static class WhileHeld {
            @Test
            void sleeps() throws Exception {
                try (Connection connection = orders().getConnection()) {
                    pause();
                    pause();
                    connection.commit();
                }
            }

            @Test
            void calls() throws Exception {
                try (Connection connection = orders().getConnection()) {
                    call();
                    connection.commit();
                }
            }

            @Test
            void callsByTheOldClient() throws Exception {
                try (Connection connection = orders().getConnection()) {
                    callByTheOldClient();
                    connection.commit();
                }
            }

            @Test
            void waits() throws Exception {
                try (Connection connection = orders().getConnection()) {
                    waitForALock();
                    connection.commit();
                }
            }

            @Test
            void neverCloses() throws Exception {
                orders().getConnection();
                pause();
            }

            @Test
            @IoAllowed("the session must see the time pass")
            void maySleep() throws Exception {
                try (Connection connection = orders().getConnection()) {
                    pause();
                    connection.commit();
                }
            }

            @Test
            void sleepsBeforeAndAfter() throws Exception {
                pause();
                lease();
                pause();
                call();
            }

            @Test
            void sleepsElsewhere() throws Exception {
                try (Connection connection = orders().getConnection()) {
                    connection.commit();
                    CountDownLatch slept = new CountDownLatch(1);
                    new Thread(() -> {
                                try {
                                    pause();
                                } catch (InterruptedException stopped) {
                                    Thread.currentThread().interrupt();
                                }
                                slept.countDown();
                            })
                            .start();
                    while (slept.getCount() > 0) {
                        Thread.onSpinWait();
                    }
                }
            }

            @Test
            void sleepsBesideATokensLease() throws Exception {
                PoolScope.Opened carried = OwnerToken.create("coroutine").makeCurrent();
                try (Connection connection = orders().getConnection()) {
                    carried.close();
                    // For another coroutine.
                    pause();
                    connection.commit();
                }
            }

            @Test
            void sleepsInTheDatabase() throws Exception {
                try (Connection connection = orders().getConnection()) {
                    connection
                            .createStatement()
                            .execute("create alias if not exists pause for 'java.lang.Thread.sleep(long)'");
                    connection.createStatement().execute("call pause(5)");
                }
            }
        }

        @Test
        void inputAndOutputWhileALeaseIsHeldFailsItsTest() {
            Events tests = run(WhileHeld.class).testEvents();
            assertThat(names(tests.succeeded()))
                    .containsExactly(
                            "maySleep()",
                            "sleepsBeforeAndAfter()",
                            "sleepsBesideATokensLease()",
                            "sleepsElsewhere()",
                            "sleepsInTheDatabase()");
            List<String> said = failures(tests);
            assertThat(said)
                    .hasSize(5)
                    .anySatisfy(text -> assertThat(text)
                            .startsWith("WhileHeld.sleeps: sleeps() performed I/O during a lease, 2 times;"
                                    + " none is allowed:")
                            .containsPattern("\n"
                                    + "  2 × lease open while sleeping at"
                                    + " LeaseRulesTest\\$InputAndOutput\\.pause:\\d+: orders at"
                                    + " LeaseRulesTest.*\\.sleeps\\(LeaseRulesTest\\.java:\\d+\\)"))
                    .anySatisfy(text -> assertThat(text)
                            .startsWith("WhileHeld.calls: calls() performed I/O")
                            .contains("× lease open during an HTTP call at LeaseRulesTest$InputAndOutput.call:"))
                    .anySatisfy(
                            text -> assertThat(text)
                                    .startsWith("WhileHeld.callsByTheOldClient: ")
                                    .contains(
                                            "× lease open during an HTTP call at LeaseRulesTest$InputAndOutput.callByTheOldClient:"))
                    .anySatisfy(
                            text -> assertThat(text)
                                    .startsWith("WhileHeld.waits: ")
                                    .contains(
                                            "1 × lease open while waiting for a lock at LeaseRulesTest$InputAndOutput.waitForALock:"))
                    .anySatisfy(text -> assertThat(text)
                            .startsWith("WhileHeld.neverCloses: ")
                            .contains("1 × lease open while sleeping"));
        }

        @Test
        void theParameterAppliesToAllTests() {
            Events tests = all(Sleeping.class)
                    .configurationParameter(LeaseRules.NO_IO_PARAMETER, "true")
                    .execute()
                    .testEvents();
            assertThat(names(tests.failed())).containsExactly("sleeps()");
            assertThat(all(Sleeping.class).execute().testEvents().failed().count())
                    .isZero();
        }

        static class Sleeping {
            @Test
            void sleeps() throws Exception {
                try (Connection connection = orders().getConnection()) {
                    pause();
                    connection.commit();
                }
            }

            @Test
            @IoAllowed("it is about the exemption")
            void maySleep() throws Exception {
                sleeps();
            }
        }
    }

    @Nested
    class Kinds {
        private static String kind(String event, long millis, String... calls) {
            StackTraceElement[] stack = Arrays.stream(calls)
                    .map(call -> new StackTraceElement(
                            call.substring(0, call.lastIndexOf('.')),
                            call.substring(call.lastIndexOf('.') + 1),
                            null,
                            7))
                    .toArray(StackTraceElement[]::new);
            return IoKind.of(event, millis, stack).orElse("allowed");
        }

        @Test
        void aShortWaitIsAllowedUnlessItIsAClients() {
            assertThat(kind(IoKind.ENTER, 99, "com.acme.Orders.place")).isEqualTo("allowed");
            assertThat(kind(IoKind.ENTER, 100, "com.acme.Orders.place"))
                    .isEqualTo("while waiting for a lock at Orders.place:7");
            assertThat(kind(IoKind.PARK, 99, "java.util.concurrent.CompletableFuture.get", "com.acme.Orders.place"))
                    .isEqualTo("allowed");
            assertThat(kind(IoKind.PARK, 100, "java.util.concurrent.CompletableFuture.get", "com.acme.Orders.place"))
                    .isEqualTo("while waiting for another thread at Orders.place:7");
            assertThat(kind(
                            IoKind.PARK,
                            0,
                            "java.util.concurrent.CountDownLatch.await",
                            "org.apache.kafka.clients.producer.internals.FutureRecordMetadata.get",
                            "com.acme.Orders.place"))
                    .isEqualTo("during a call to a message broker at Orders.place:7");
        }

        @Test
        void whatNoClientExplainsIsWhatTheRecorderSays() {
            assertThat(kind(
                            IoKind.SLEEP,
                            0,
                            "java.lang.Thread.sleep",
                            "com.acme.Listener.on",
                            "com.rabbitmq.client.impl.Dispatcher.run"))
                    .isEqualTo("while sleeping at Listener.on:7");
            assertThat(kind(IoKind.READ, 0, "com.acme.Client.read"))
                    .isEqualTo("during network input or output at Client.read:7");
            assertThat(kind(IoKind.WRITE, 0, "software.amazon.awssdk.services.s3.S3Client.putObject"))
                    .isEqualTo("during a call to an object store");
        }

        @Test
        void callsThroughFlexpoolAreAllowed() {
            assertThat(kind(
                            IoKind.READ,
                            500,
                            "java.net.Socket.read",
                            "org.postgresql.core.PGStream.receive",
                            "io.flexpool.internal.jdbc.LeasedStatement.execute",
                            "com.acme.Orders.place"))
                    .isEqualTo("allowed");
            assertThat(kind(
                            IoKind.PARK,
                            500,
                            "com.zaxxer.hikari.pool.HikariPool.getConnection",
                            "io.flexpool.internal.pool.AcquiringPool.acquire",
                            "com.acme.Orders.place"))
                    .as("a nested request")
                    .isEqualTo("allowed");
        }
    }

    @Nested
    class Baselines {
        private static long lasts;

        @TempDir
        @Nullable
        Path folder;

        private Path file() {
            return Objects.requireNonNull(folder).resolve("lease-times.txt");
        }

        @ExtendWith(LeaseRules.class)
        static class OrderTest {
            @Test
            void places() throws SQLException {
                for (int lease = 0; lease < 5; lease++) {
                    leaseFor(lease == 0 ? 60_000 : lasts);
                }
            }
        }

        @ExtendWith(LeaseRules.class)
        static class RareTest {
            @Test
            void placesTwo() throws SQLException {
                leaseFor(lasts);
                leaseFor(lasts);
            }
        }

        private EngineTestKit.Builder with(String baseline, Class<?>... classes) {
            return kit(classes).configurationParameter(LeaseRules.BASELINE_PARAMETER, baseline);
        }

        private void write(long millis, Class<?>... classes) {
            lasts = millis;
            with(file().toString(), classes)
                    .configurationParameter(LeaseRules.WRITE_PARAMETER, "true")
                    .execute();
        }

        private List<String> compare(long millis, Class<?>... classes) {
            lasts = millis;
            return failures(with(file().toString(), classes).execute().containerEvents());
        }

        private static final String SITE = "LeaseRulesTest.leaseFor(LeaseRulesTest.java)";

        @Test
        void whatWasWrittenIsCompared() throws IOException {
            write(200, OrderTest.class);
            assertThat(Files.readAllLines(file())).contains(SITE + " = 200ms").hasSize(3);
            assertThat(compare(200, OrderTest.class)).isEmpty();
            assertThat(compare(600, OrderTest.class)).isEmpty();
            assertThat(compare(601, OrderTest.class))
                    .containsExactly(
                            "OrderTest: leases of 1 call site last longer than flexpool.leases.baseline allows:\n  "
                                    + SITE
                                    + ": 5 leases, median 601 ms, allowed 600 ms (3 × the baseline of 200 ms, at least "
                                    + "100 ms), in places");
        }

        @Test
        void factorAndFloorCanBeSet() throws IOException {
            Files.writeString(file(), SITE + " = 10 ms\n");
            assertThat(compare(100, OrderTest.class)).isEmpty();
            assertThat(compare(101, OrderTest.class)).hasSize(1);
            lasts = 51;
            assertThat(failures(with(file().toString(), OrderTest.class)
                            .configurationParameter(LeaseRules.FACTOR_PARAMETER, "5")
                            .configurationParameter(LeaseRules.FLOOR_PARAMETER, "0ms")
                            .execute()
                            .containerEvents()))
                    .singleElement()
                    .asString()
                    .contains("allowed 50 ms (5 × the baseline of 10 ms, at least 0 ms)");
        }

        @Test
        void callSitesOfFewLeasesAreJudgedTogether() throws IOException {
            Files.writeString(file(), SITE + " = 10ms\n");
            assertThat(compare(500, RareTest.class)).isEmpty();
            assertThat(compare(500, OrderTest.class, RareTest.class))
                    .anySatisfy(said -> assertThat(said)
                            .startsWith("RareTest: ")
                            .contains("7 leases", "OrderTest.places", "RareTest.placesTwo"));
        }

        @Test
        void otherEntriesStayWhenTheFileIsWritten() throws IOException {
            Files.writeString(file(), "# ours\nOther.site(Other.java) = 3ms\n" + SITE + " = 1ms\n");
            write(20, OrderTest.class);
            assertThat(Files.readAllLines(file()))
                    .contains("Other.site(Other.java) = 3ms", SITE + " = 20ms")
                    .hasSize(4);
        }

        @Test
        void aMissingFileIsRefused() {
            assertThat(compare(1, OrderTest.class))
                    .containsExactly("flexpool.leases.baseline = " + file()
                            + ": there is no such file; must be a file that was written with "
                            + "-Dflexpool.leases.baseline.write=true");
        }

        @Test
        void anInvalidFileIsRefusedWithItsLine() throws IOException {
            for (Map.Entry<String, String> line : Map.of(
                            "Orders.place 12ms", "must be a line such as",
                            "Orders.place(Orders.java) = soon", "must be a line such as",
                            "Orders.place(Orders.java) = 0ms", "above 0 and up to PT1H",
                            " = 12ms", "must be a line such as",
                            "A.a(A.java) = 1ms\nA.a(A.java:7) = 2ms", "must have each call site once")
                    .entrySet()) {
                Files.writeString(file(), "# medians\n" + line.getKey() + "\n");
                String last =
                        line.getKey().substring(line.getKey().indexOf('\n') + 1).strip();
                assertThat(compare(1, OrderTest.class))
                        .singleElement()
                        .asString()
                        .contains(
                                "flexpool.leases.baseline = " + file() + ", line ",
                                ", " + last + ": ",
                                line.getValue());
            }
            Files.write(file(), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
            assertThat(compare(1, OrderTest.class)).singleElement().asString().contains("is not UTF-8 text");
        }

        @Test
        void invalidParametersAreRefused() throws IOException {
            Files.writeString(file(), SITE + " = 10ms\n");
            assertThat(refusal(LeaseRules.FACTOR_PARAMETER, "0"))
                    .isEqualTo("flexpool.leases.baseline.factor = 0: must be a whole number from 1 to 100");
            assertThat(refusal(LeaseRules.FLOOR_PARAMETER, "none"))
                    .isEqualTo("flexpool.leases.baseline.floor = none: must be a duration like PT0.1S or 100ms, up to"
                            + " PT1H");
            assertThat(refusal(LeaseRules.WRITE_PARAMETER, "1"))
                    .isEqualTo("flexpool.leases.baseline.write = 1: must be true or false");
            assertThat(failures(with(file().resolve("below").toString(), OrderTest.class)
                            .configurationParameter(LeaseRules.WRITE_PARAMETER, "true")
                            .execute()
                            .containerEvents()))
                    .singleElement()
                    .asString()
                    .endsWith("must be a file in a directory that exists");
            assertThat(failures(kit(OrderTest.class)
                            .configurationParameter(LeaseRules.WRITE_PARAMETER, "true")
                            .execute()
                            .containerEvents()))
                    .containsExactly(
                            "flexpool.leases.baseline.write = true: needs the file's name: flexpool.leases.baseline");
        }

        private String refusal(String key, String value) {
            return failures(with(file().toString(), OrderTest.class)
                            .configurationParameter(key, value)
                            .execute()
                            .containerEvents())
                    .get(0);
        }

        @Test
        void aLambdasNumberIsLeftOut() {
            assertThat(LeaseBaseline.withoutLine("Orders.lambda$place$12(Orders.java:40)"))
                    .isEqualTo("Orders.lambda$place(Orders.java)");
            assertThat(LeaseBaseline.withoutLine("Orders.place(unknown)")).isEqualTo("Orders.place(unknown)");
            assertThat(LeaseBaseline.text(Duration.ofNanos(1_250_000))).isEqualTo("1.25 ms");
        }
    }
}
