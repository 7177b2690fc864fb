// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.adapter.tck.database.TcpProxy;
import io.flexpool.benchmarks.burst.BurstPool;
import io.flexpool.benchmarks.kit.OpenPool;
import io.flexpool.benchmarks.simulate.RealScenario.Request;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import io.flexpool.pool.PoolMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/** One HikariCP in a run: its network, what stands around it, its seemingly own database, its requests' threads. */
final class RealPool implements AutoCloseable {
    private static final double NANOS = 1e9;
    private static final int THREADS = 40;
    private static final int CONNECT_SECONDS = 1;
    private static final int LOGIN_SECONDS = 2;

    private final Scenario scenario;
    private final TcpProxy network;
    private final HikariDataSource hikari;
    private final OpenPool pool;
    private final SleepingDatabase database;
    private final RealCourse course;
    // Ready before they are needed: a new thread would come late. More come if these do not do.
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(THREADS, Integer.MAX_VALUE, 1, TimeUnit.MINUTES, new SynchronousQueue<>());

    private RealPool(
            Scenario scenario, List<Request> requests, TcpProxy network, HikariDataSource hikari, OpenPool pool) {
        this.scenario = scenario;
        this.network = network;
        this.hikari = hikari;
        this.pool = pool;
        this.database = new SleepingDatabase(scenario.curve());
        this.course = new RealCourse(requests);
        threads.prestartAllCoreThreads();
    }

    /** Who is compared, side by side. */
    enum Kind {
        /** A pool of the one size that is best for the whole scenario, as the simulator finds it. */
        BEST_STATIC,
        /** FlexyPool around a pool of the base's size, growing on timeouts up to the ceiling. */
        FLEXYPOOL,
        /** flexpool in mode adapt, with its defaults. */
        FLEXPOOL
    }

    /** Opens the pool on its own network, with its first connections. */
    static RealPool open(Kind kind, Scenario scenario, List<Request> requests, int best, PostgresServer server)
            throws SQLException {
        TcpProxy network = TcpProxy.to(server.port());
        int base = kind == Kind.BEST_STATIC ? best : scenario.base();
        Duration timeout = Duration.ofMillis(Math.round(1e3 * scenario.timeoutSeconds()));
        OpenPool bare = BurstPool.HIKARICP.open(driver(server, network.port()), base, base, timeout);
        HikariDataSource hikari = (HikariDataSource) bare.source();
        OpenPool around = switch (kind) {
            case BEST_STATIC -> bare;
            case FLEXYPOOL -> BurstPool.HIKARICP.inFlexyPool(bare, scenario.ceiling() - base, 1);
            case FLEXPOOL ->
                bare.inFlexPool(
                        "adaptive", Map.of("mode", PoolMode.ADAPT, "base", base, "ceiling", scenario.ceiling()));
        };
        RealPool opened = new RealPool(scenario, requests, network, hikari, around);
        around.fill(opened::held, base);
        return opened;
    }

    private static PGSimpleDataSource driver(PostgresServer server, int port) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {"127.0.0.1"});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName(server.user());
        source.setUser(server.user());
        source.setPassword(server.password());
        source.setConnectTimeout(CONNECT_SECONDS);
        source.setLoginTimeout(LOGIN_SECONDS);
        return source;
    }

    RealCourse course() {
        return course;
    }

    /** A request arrives; its outcome is reported to the course. */
    void arrive(int number, Request request, long begin) {
        threads.execute(() -> {
            long due = begin + (long) (request.second() * NANOS);
            try (Connection connection = pool.source().getConnection()) {
                database.serve(connection, request.workSeconds(), phase(since(begin)));
                course.served(number, since(due));
            } catch (SQLException | RuntimeException e) {
                course.failed(number, since(due), e);
            }
        });
    }

    private Phase phase(double second) {
        return scenario.phases().stream()
                .filter(phase -> phase.fromSecond() <= second)
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }

    /** The database is lost, or back. */
    void reachable(boolean up) {
        if (up) {
            network.pass();
        } else {
            network.refuse();
        }
    }

    void sample(long begin) {
        int limit = pool.source() instanceof FlexPoolDataSource flexpool
                ? flexpool.state().limit()
                : hikari.getMaximumPoolSize();
        course.add(new RealCourse.Sample(since(begin), limit, held()));
    }

    /** Physical connections, as HikariCP counts them: it has none before its first request. */
    private int held() {
        HikariPoolMXBean started = hikari.getHikariPoolMXBean();
        return started == null ? 0 : started.getTotalConnections();
    }

    /**
     * Waits for the last requests.
     *
     * @return false if one is still under way
     */
    boolean finish(Duration patience) throws InterruptedException {
        threads.shutdown();
        return threads.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static double since(long nanos) {
        return (System.nanoTime() - nanos) / NANOS;
    }

    @Override
    public void close() throws SQLException {
        threads.shutdownNow();
        try {
            pool.close();
        } finally {
            network.close();
        }
    }
}
