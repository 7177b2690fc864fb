// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.spi.LeaseSink;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPart.SessionCheck;
import io.flexpool.spi.PoolPartProvider;
import io.flexpool.spi.SessionInsight;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** A part that throws, or hangs at the end, in each of its methods in turn: the pool serves, and closes. */
@Timeout(600)
class BrokenPartTest {
    private static final int THREADS = 3;
    /** More than one log line for each hundred calls would show. */
    private static final int REQUESTS = 120;

    private static final Map<String, Supplier<Throwable>> THROWN = new LinkedHashMap<>(Map.of(
            "RuntimeException", () -> new IllegalStateException("broken"),
            "SQLException", () -> new SQLException("broken"),
            "LinkageError", () -> new NoClassDefFoundError("org/example/Absent"),
            "StackOverflowError", StackOverflowError::new,
            "OutOfMemoryError", () -> new OutOfMemoryError("simulated"),
            "AssertionError", () -> new AssertionError("broken")));

    private static final List<String> LAST = List.of(
            "PoolPart.tick",
            "PoolPart.close",
            "PoolPart.poolCloses",
            "PoolPart.ended",
            "LeaseSink.take",
            "LeaseSink.takeOpen",
            "LeaseSink.close");

    private static final Set<String> CALLED = ConcurrentHashMap.newKeySet();
    /** The method that fails; without a failure it hangs. In a pool named after it, a method hangs as well. */
    private static volatile String broken = "";

    private static volatile @Nullable Supplier<Throwable> failure;
    private static volatile CountDownLatch released = new CountDownLatch(1);

    private final Queue<ILoggingEvent> log = new ConcurrentLinkedQueue<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            log.add(event);
        }
    };

    @TempDir
    private Path classPath;

    /** Found by the service loader. */
    public static final class Provider implements PoolPartProvider {
        /** As each provider. */
        public Provider() {
            run("new");
        }

        private static void run(String method) {
            CALLED.add("Provider." + method);
            if (broken.equals("Provider." + method)) {
                fail();
            }
        }

        @Override
        public String name() {
            run("name");
            return "broken";
        }

        @Override
        public int order() {
            run("order");
            return -1_000;
        }

        @Override
        public List<PartKey<?>> keys() {
            run("keys");
            return List.of(PartKey.count("broken.size", 1, 9, "A size."));
        }

        @Override
        public boolean limits(PartSettings settings) {
            run("limits");
            return false;
        }

        @Override
        public OptionalInt firstCap(PartSettings settings) {
            run("firstCap");
            return OptionalInt.empty();
        }

        @Override
        public void check(PartSettings settings, PartSettings.Refusals refusals) {
            run("check");
        }

        @Override
        public PoolPart create(PartContext context) {
            run("create");
            return made(PoolPart.class, context.name());
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void fail() throws E {
        Supplier<Throwable> thrown = failure;
        if (thrown != null) {
            throw (E) thrown.get();
        }
        boolean waits = true;
        while (waits) {
            try {
                waits = !released.await(1, TimeUnit.HOURS);
            } catch (InterruptedException ignored) {
                // As foreign code does.
            }
        }
    }

    private static <T> T made(Class<T> type, String pool) {
        InvocationHandler handler = (self, method, arguments) -> {
            if (method.getDeclaringClass() == Object.class) {
                return method.getName().equals("equals") ? self == arguments[0] : type.hashCode();
            }
            String called = type.getSimpleName() + "." + method.getName();
            CALLED.add(called);
            if (broken.equals(called) || pool.equals(called.replace('.', '-'))) {
                fail();
            }
            return answer(pool, self, method, arguments, called);
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static @Nullable Object answer(
            String pool, Object self, Method method, Object @Nullable [] arguments, String called) throws Throwable {
        return switch (called) {
            case "PoolPart.leases" -> made(LeaseSink.class, pool);
            case "PoolPart.insight" -> made(SessionInsight.class, pool);
            case "PoolPart.returns" -> made(SessionCheck.class, pool);
            case "PoolPart.metrics" ->
                List.of(PartMetric.gauge("broken.size", "flexpool.broken.size", "{x}", "Size.", () -> {
                    CALLED.add("PartMetric.value");
                    if (broken.equals("PartMetric.value")) {
                        fail();
                    }
                    return 1;
                }));
            case "SessionInsight.lockedUp" -> false;
            default ->
                method.isDefault()
                        ? InvocationHandler.invokeDefault(self, method, arguments)
                        : method.getReturnType() == boolean.class ? true : null;
        };
    }

    @BeforeEach
    void begin() {
        broken = "";
        failure = null;
        released = new CountDownLatch(1);
        appender.start();
        logger.addAppender(appender);
    }

    @AfterEach
    void end() {
        released.countDown();
        logger.detachAppender(appender);
    }

    private FlexPoolDataSource wrap(HikariDataSource pool, String name) throws IOException {
        Path services = Files.createDirectories(classPath.resolve("META-INF/services"));
        Files.writeString(services.resolve(PoolPartProvider.class.getName()), Provider.class.getName());
        ClassLoader own = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader with =
                new URLClassLoader(new URL[] {classPath.toUri().toURL()}, own)) {
            Thread.currentThread().setContextClassLoader(with);
            return FlexPool.wrap(pool)
                    .name(name)
                    .properties(Map.of("flexpool.mode", "adapt", "flexpool.base", "2", "flexpool.ceiling", "3"))
                    .build();
        } finally {
            Thread.currentThread().setContextClassLoader(own);
        }
    }

    private static HikariDataSource pool() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:");
        HikariConfig config = new HikariConfig();
        config.setDataSource(database);
        config.setMaximumPoolSize(3);
        return new HikariDataSource(config);
    }

    private static void use(FlexPoolDataSource pool) {
        for (int request = 0; request < REQUESTS; request++) {
            try (Connection connection = pool.getConnection()) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SET LOCK_TIMEOUT 100");
                }
                try (PreparedStatement statement = connection.prepareStatement("SELECT 1")) {
                    statement.executeQuery().close();
                }
                connection.setAutoCommit(false);
                Savepoint savepoint = connection.setSavepoint();
                connection.rollback(savepoint);
                connection.commit();
                connection.setAutoCommit(true);
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SELECT NO_COLUMN");
                    throw new AssertionError("the database accepts everything");
                } catch (SQLException expected) {
                    assertThat(expected.getMessage()).contains("NO_COLUMN");
                }
            } catch (SQLException ofTheMonitor) {
                throw new AssertionError(ofTheMonitor);
            }
        }
    }

    private static void read(FlexPoolDataSource pool) {
        assertThat(pool.report()).isNotEmpty();
        assertThat(pool.openLeases()).isNotNull();
        assertThat(pool.view(String.class)).isEmpty();
        assertThat(pool.diagnosis()).isNotNull();
        for (PartView part : pool.parts()) {
            part.fields();
            part.texts();
            part.health();
            part.metrics().forEach(PartMetric::value);
        }
    }

    /** Requests from several threads, then what an operator reads, and the close. */
    private void serves(String name) throws Exception {
        HikariDataSource pool = pool();
        ExecutorService callers = Executors.newFixedThreadPool(THREADS);
        try (FlexPoolDataSource monitored = wrap(pool, name)) {
            List<Future<?>> callersDone = new ArrayList<>();
            for (int caller = 0; caller < THREADS; caller++) {
                callersDone.add(callers.submit(() -> use(monitored)));
            }
            for (Future<?> done : callersDone) {
                done.get(5, TimeUnit.MINUTES);
            }
            try (Connection open = monitored.getConnection()) {
                assertThat(open).isNotNull();
                read(monitored);
            }
            assertThat(monitored.state().leased()).isZero();
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        } finally {
            callers.shutdown();
        }
        assertThat(pool.isClosed()).isTrue();
    }

    private List<String> lines() {
        return log.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains("ignored an exception"))
                .toList();
    }

    static Stream<String> failures() {
        return THROWN.keySet().stream().sorted();
    }

    /** An Error of a provider refused the pool, and each hundredth failing statement was a line, 14 a second. */
    @ParameterizedTest
    @MethodSource("failures")
    void eachMethodMayThrow(String thrown) throws Exception {
        serves("sound");
        List<String> methods = CALLED.stream().sorted().toList();
        assertThat(methods).hasSizeGreaterThan(30).contains("Provider.create", "SessionCheck.executes");
        for (String method : methods) {
            log.clear();
            broken = method;
            failure = THROWN.get(thrown);
            assertThatCode(() -> serves("p")).as(method).doesNotThrowAnyException();
            assertThat(lines()).as(method).hasSizeLessThanOrEqualTo(1);
        }
    }

    /** Without an end, the pool stayed open and its close did not return. */
    @Test
    void aPartThatHangsAtTheEndDoesNotKeepThePoolOpen() throws Exception {
        ExecutorService closers = Executors.newCachedThreadPool();
        try {
            List<Future<?>> closed = new ArrayList<>();
            for (String method : LAST) {
                closed.add(closers.submit(() -> {
                    serves(method.replace('.', '-'));
                    return method;
                }));
            }
            for (Future<?> each : closed) {
                each.get(5, TimeUnit.MINUTES);
            }
        } finally {
            closers.shutdown();
        }
        assertThat(log)
                .extracting(ILoggingEvent::getFormattedMessage)
                .contains(
                        "PoolPart-close: the part broken has not returned for 5000 ms and continues in the background");
    }
}
