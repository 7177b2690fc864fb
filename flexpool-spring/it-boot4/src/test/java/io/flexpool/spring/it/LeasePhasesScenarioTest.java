// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.it;

import static io.flexpool.spring.it.Contexts.boot;
import static io.flexpool.spring.it.Contexts.pool;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.flexpool.FlexPoolDataSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * How many connections an application needs with {@code spring.datasource.connection-fetch = lazy}, as predicted from a run without
 * the key, beside the peak of a run with it. Both have the same seeded arrivals.
 *
 * <p>{@code mvn -Pscenarios verify -pl flexpool-spring/it-boot4 -am -Dtest=LeasePhasesScenarioTest
 * -Dsurefire.failIfNoSpecifiedTests=false}; longer with {@code -Dscenario.seconds=60}.
 */
@Tag("scenario")
public class LeasePhasesScenarioTest {
    private static final int SECONDS = Integer.getInteger("scenario.seconds", 15);
    private static final double PER_SECOND = 120;
    private static final double NEAR = 0.1;
    private static final String KEY = "spring.datasource.connection-fetch = lazy";

    private static ServerSocket other;
    private static ExecutorService threads;

    /** What a request does with its connection; the numbers are milliseconds. */
    private enum Application {
        /** A web request: its transaction calls another service before the first statement. */
        WEB {
            @Override
            void request(Database database, Random random) {
                int call = 40 + random.nextInt(60);
                int first = 10 + random.nextInt(15);
                int second = 10 + random.nextInt(15);
                database.transaction(() -> {
                    callOther(call);
                    database.statement(first);
                    database.statement(second);
                });
            }
        },
        /** A job that renders what it has read, before its transaction ends. */
        JOB {
            @Override
            void request(Database database, Random random) {
                int statement = 20 + random.nextInt(20);
                int rendering = 50 + random.nextInt(60);
                database.transaction(() -> {
                    database.statement(statement);
                    pass(rendering);
                });
            }
        },
        /** Several call sites: before, between, after, a statement alone, and none. */
        MIXED {
            @Override
            void request(Database database, Random random) {
                int kind = random.nextInt(5);
                int time = 50 + random.nextInt(80);
                int statement = 15 + random.nextInt(30);
                switch (kind) {
                    case 0 ->
                        database.transaction(() -> {
                            callOther(time);
                            database.statement(statement);
                        });
                    case 1 ->
                        database.transaction(() -> {
                            database.statement(statement);
                            pass(time);
                        });
                    case 2 ->
                        database.transaction(() -> {
                            database.statement(statement);
                            callOther(time);
                            database.statement(statement);
                        });
                    case 3 -> database.statement(time);
                    default -> database.transaction(() -> pass(time));
                }
            }
        };

        abstract void request(Database database, Random random);
    }

    private record Database(DataSource source) {
        void transaction(Runnable work) {
            new TransactionTemplate(new JdbcTransactionManager(source)).executeWithoutResult(status -> work.run());
        }

        void statement(int millis) {
            new JdbcTemplate(source).queryForObject("select work(?)", Integer.class, millis);
        }
    }

    /** What was seen of one run. */
    private record Run(int peak, Map<String, Object> phases, String report) {
        int figure(String name) {
            return ((Number) phases.get(name)).intValue();
        }
    }

    /** A statement of that length: H2 calls it. */
    public static int work(int millis) {
        pass(millis);
        return millis;
    }

    private static void pass(int millis) {
        long end = System.nanoTime() + Duration.ofMillis(millis).toNanos();
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Another service, on loopback, which takes that time to answer. */
    private static void callOther(int millis) {
        try (Socket socket = new Socket(other.getInetAddress(), other.getLocalPort())) {
            socket.getOutputStream().write(millis);
            assertThat(socket.getInputStream().read()).isEqualTo(millis);
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static void answer(Socket socket) {
        try (socket) {
            int millis = socket.getInputStream().read();
            pass(millis);
            socket.getOutputStream().write(millis);
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        }
    }

    private static void serve() {
        try {
            while (true) {
                Socket socket = other.accept();
                threads.execute(() -> answer(socket));
            }
        } catch (IOException closed) {
            assertThat(other.isClosed()).isTrue();
        }
    }

    @BeforeAll
    static void start() throws IOException {
        threads = Executors.newCachedThreadPool();
        other = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        threads.execute(LeasePhasesScenarioTest::serve);
    }

    @AfterAll
    static void stop() throws IOException {
        other.close();
        threads.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource
    void theNeedIsThatOfARunWithTheKey(Application application) {
        Run eager = run(application, "eager");
        Run lazy = run(application, "lazy");
        System.out.println(application + ": leased at the peak " + eager.peak() + ", predicted need "
                + eager.figure("needed") + " to "
                + eager.figure("neededAtMost") + ", count at the peak "
                + (eager.figure("leased") - eager.figure("leasedBeforeFirstStatement")) + ", peak with the key "
                + lazy.peak()
                + "\n" + eager.report() + "\n" + lazy.report());
        assertThat(eager.figure("leased")).isCloseTo(eager.peak(), near(eager.peak()));
        // A transaction without a statement takes no connection: the lower end of the range.
        assertThat(eager.figure("needed")).isCloseTo(lazy.peak(), near(lazy.peak()));
        assertThat(lazy.figure("needed")).isCloseTo(lazy.peak(), near(lazy.peak()));
        if (application != Application.JOB) {
            assertThat(eager.report()).contains(KEY + " would need ");
            assertThat(eager.figure("needed")).isLessThan(eager.figure("leased"));
        }
    }

    private static org.assertj.core.data.Offset<Integer> near(int figure) {
        return org.assertj.core.data.Offset.offset((int) Math.max(1, NEAR * figure));
    }

    private static Run run(Application application, String fetch) {
        List<Run> runs = new ArrayList<>();
        boot().withPropertyValues(
                        "spring.datasource.connection-fetch=" + fetch,
                        "spring.datasource.hikari.maximum-pool-size=60",
                        "spring.datasource.hikari.minimum-idle=60",
                        "flexpool.time-in-database=true",
                        "flexpool.call-sites.sample-every=1",
                        "flexpool.call-sites.application=io.flexpool.spring.it",
                        "flexpool.call-sites.ignore=" + Database.class.getName())
                .run(context -> {
                    DataSource source = context.getBean(DataSource.class);
                    FlexPoolDataSource pool = pool(context, "dataSource");
                    create(source);
                    HikariPoolMXBean hikari =
                            pool.unwrap(HikariDataSource.class).getHikariPoolMXBean();
                    int peak = load(new Database(source), application, hikari);
                    // The last leases are replayed within six seconds.
                    pass(7_000);
                    runs.add(new Run(peak, phases(pool), phaseLines(pool)));
                });
        return runs.get(0);
    }

    private static void create(DataSource source) {
        new JdbcTemplate(source)
                .execute("create alias work for '" + LeasePhasesScenarioTest.class.getName() + ".work'");
        // Each thread's first calls are slow.
        Database warm = new Database(source);
        for (int at = 0; at < 20; at++) {
            warm.transaction(() -> {
                callOther(1);
                warm.statement(1);
            });
        }
    }

    /** Runs the requests at their times. Returns the most connections in use, as the pool reports them each millisecond. */
    private static int load(Database database, Application application, HikariPoolMXBean hikari)
            throws InterruptedException, ExecutionException {
        Random random = new Random(53);
        AtomicInteger peak = new AtomicInteger();
        List<Future<?>> requests = new ArrayList<>();
        Thread sampler = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                peak.accumulateAndGet(hikari.getActiveConnections(), Math::max);
                LockSupport.parkNanos(1_000_000);
            }
        });
        sampler.start();
        long begin = System.nanoTime();
        double at = 0;
        while (at < SECONDS) {
            at -= Math.log(1 - random.nextDouble()) / PER_SECOND;
            long seed = random.nextLong();
            long left = (long) (at * TimeUnit.SECONDS.toNanos(1)) - (System.nanoTime() - begin);
            LockSupport.parkNanos(Math.max(0, left));
            requests.add(threads.submit(() -> application.request(database, new Random(seed))));
        }
        for (Future<?> request : requests) {
            request.get();
        }
        sampler.interrupt();
        sampler.join();
        return peak.get();
    }

    @SuppressWarnings("unchecked") // it is JSON
    private static Map<String, Object> phases(FlexPoolDataSource pool) {
        return pool.parts().stream()
                .map(part -> part.fields().get("leasePhases"))
                .filter(Map.class::isInstance)
                .map(found -> (Map<String, Object>) found)
                .findFirst()
                .orElseThrow();
    }

    private static String phaseLines(FlexPoolDataSource pool) throws SQLException {
        assertThat(pool.isWrapperFor(HikariDataSource.class)).isTrue();
        String report = pool.report();
        int begin = report.indexOf("Lease phases:");
        return report.substring(begin, report.indexOf("\nLast ", begin));
    }
}
