// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.adapter.tck.database.TcpProxy;
import io.flexpool.benchmarks.simulate.Scenario;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import io.flexpool.diagnostics.Decision;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** One competitor's side of a run: its network, its pool, what its requests do, its requests' threads. */
final class Lane implements AutoCloseable {
    private static final double NANOS = 1e9;
    private static final int THREADS = 40;
    private static final int CONNECT_SECONDS = 1;
    private static final int LOGIN_SECONDS = 2;

    private final Scenario scenario;
    private final TcpProxy network;
    private final Entrant entrant;
    private final Work work;
    private final Course course;
    private final Queue<Entrant.Lease> leaked = new ConcurrentLinkedQueue<>();
    // Ready before they are needed: a new thread would come late. More come if these do not do.
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(THREADS, Integer.MAX_VALUE, 1, TimeUnit.MINUTES, new SynchronousQueue<>());

    private volatile boolean over;

    private Lane(Scenario scenario, Work work, TcpProxy network, Entrant entrant, Course course) {
        this.scenario = scenario;
        this.network = network;
        this.entrant = entrant;
        this.course = course;
        this.work = work;
        threads.prestartAllCoreThreads();
    }

    /** Opens the competitor's pool on its own network. */
    static Lane open(
            Competitor competitor,
            Scenario scenario,
            List<Request> requests,
            Work work,
            PostgresServer server,
            Entry entry)
            throws SQLException {
        TcpProxy network = TcpProxy.to(server.port());
        try {
            Entrant entrant = entry.open(competitor, driver(server, network.port()));
            return new Lane(scenario, work, network, entrant, new Course(competitor, requests, scenario.seconds()));
        } catch (SQLException | RuntimeException e) {
            network.close();
            throw e;
        }
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

    Course course() {
        return course;
    }

    /** A request arrives; its outcome is reported to the course. */
    void arrive(int number, Request request, long begin) {
        threads.execute(() -> serve(number, request, begin));
    }

    private void serve(int number, Request request, long begin) {
        long due = begin + (long) (request.second() * NANOS);
        try {
            Entrant.Lease lease = entrant.acquire();
            course.acquired(number, since(due));
            work(lease, request, begin);
            course.served(number, since(due));
        } catch (SQLException | RuntimeException e) {
            course.failed(number, since(due), e);
        }
    }

    private void work(Entrant.Lease lease, Request request, long begin) throws SQLException {
        boolean done = false;
        try {
            work.serve(lease.connection(), request.workSeconds(), phase(since(begin)));
            done = true;
        } finally {
            entrant.release(lease, !done);
        }
    }

    private Phase phase(double second) {
        Phase now = scenario.phases().get(0);
        for (Phase phase : scenario.phases()) {
            if (phase.fromSecond() <= second) {
                now = phase;
            }
        }
        return now;
    }

    /**
     * Takes a connection and never returns it; retries until it gets one. Uses a separate thread: one that served
     * a request next would appear to take a second connection.
     */
    void leak() {
        Thread thread = new Thread(this::takeForGood, "adaptive-leak");
        thread.setDaemon(true);
        thread.start();
    }

    private void takeForGood() {
        boolean taken = false;
        while (!taken && !over) {
            try {
                leaked.add(entrant.acquire());
                taken = true;
            } catch (SQLException waitedInVain) {
                taken = false;
            }
        }
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
        course.add(new Sample(since(begin), entrant.limit(), entrant.held(), entrant.leased(), entrant.pending()));
    }

    /**
     * Waits for the last requests.
     *
     * @return false if one is still under way
     */
    boolean finish(Duration patience) throws InterruptedException {
        over = true;
        threads.shutdown();
        return threads.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Takes over what was decided. */
    void decisions(Instant began) {
        for (Decision made : entrant.decisions()) {
            course.add(new Course.Step(
                    Duration.between(began, made.time()).toNanos() / NANOS,
                    made.from(),
                    made.to(),
                    made.tried(),
                    made.causeWord(),
                    made.verdict().toString(),
                    made.explanation()));
        }
    }

    private static double since(long nanos) {
        return (System.nanoTime() - nanos) / NANOS;
    }

    @Override
    public void close() throws SQLException {
        over = true;
        threads.shutdownNow();
        for (Entrant.@Nullable Lease lease = leaked.poll(); lease != null; lease = leaked.poll()) {
            entrant.release(lease, false);
        }
        try {
            entrant.close();
        } finally {
            network.close();
        }
    }
}
