// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.scenario;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.ds.PGSimpleDataSource;

/** One run: an application with its pool, others on the same server, and what flexpool explains. */
final class Stage implements AutoCloseable {
    static final int CONNECTIONS = 4;
    /** Of the server's list of sessions, those of the pool. */
    static final String OURS = "application_name = 'shop'";

    private static final int TIMEOUT_MS = 300;
    private static final long LOOKS_APART_NANOS = TimeUnit.MILLISECONDS.toNanos(1_100);
    static final long STAGED_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final PostgresServer server;
    private final HikariDataSource hikari = new HikariDataSource();
    private final FlexPoolDataSource pool;
    private final Foreigner administrator;
    private final List<Foreigner> foreigners = new ArrayList<>();
    private final BlockingQueue<Explanation> explanations = new LinkedBlockingQueue<>();
    private Staff staff;

    Stage(PostgresServer server, boolean view) throws SQLException {
        this.server = server;
        this.administrator =
                new Foreigner("administrator", () -> server.superuser().getConnection());
        administrator.run("drop table if exists account");
        administrator.run("create table account (id int primary key, balance int)");
        administrator.run("insert into account select n, 100 from generate_series(1, 10) n");
        administrator.run("grant all on account to public");
        administrator.run("alter table account owner to " + server.user());
        hikari.setDataSource(driver("shop"));
        hikari.setMaximumPoolSize(CONNECTIONS);
        hikari.setConnectionTimeout(TIMEOUT_MS);
        // A server that is late fails requests, not the start of the pool.
        hikari.setInitializationFailTimeout(-1);
        this.pool = FlexPool.wrap(hikari)
                .name("shop")
                .set("call-sites.sample-every", 1)
                .set("call-sites.application", Stage.class.getPackageName())
                .properties(Map.of("flexpool.server-view", view ? "auto" : "off"))
                .listener(new Listening())
                .build();
        this.staff = new Staff(pool);
        fill();
    }

    /** Before it is full, requests of the staff might fail, and not only those that are to. */
    private void fill() {
        long end = System.nanoTime() + STAGED_WITHIN_NANOS;
        while (Double.isFinite(failedRequest()) || hikari.getHikariPoolMXBean().getIdleConnections() < CONNECTIONS) {
            pause(end, "a pool of " + CONNECTIONS);
        }
    }

    private final class Listening implements PoolListener {
        @Override
        public void onEvent(PoolEvent event) {
            Explanation explanation = event.explanation();
            if (explanation != null) {
                explanations.add(explanation);
            }
        }
    }

    private PGSimpleDataSource driver(String application) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(server.jdbcUrl());
        source.setUser(server.user());
        source.setPassword(server.password());
        source.setApplicationName(application);
        return source;
    }

    Staff staff() {
        return staff;
    }

    /** Another application, connected. */
    Foreigner foreigner(String application) throws SQLException {
        Foreigner foreigner =
                new Foreigner(application, () -> driver(application).getConnection());
        foreigners.add(foreigner);
        return foreigner;
    }

    /**
     * Ends what was staged so far, which is not judged, and lets the pool close its connections. Returns when the next
     * failure causes a new look at the server: flexpool takes one a second at most.
     */
    void startAgainWithoutConnections() {
        staff.close();
        staff = new Staff(pool);
        hikari.getHikariConfigMXBean().setMinimumIdle(0);
        long end = System.nanoTime() + STAGED_WITHIN_NANOS;
        while (hikari.getHikariPoolMXBean().getTotalConnections() > 0) {
            hikari.getHikariPoolMXBean().softEvictConnections();
            pause(end, "the end of the pool's connections");
        }
        long apart = System.nanoTime() + LOOKS_APART_NANOS;
        while (System.nanoTime() - apart < 0) {
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
        explanations.clear();
    }

    /** Waits until the server has so many sessions of a kind. */
    void awaitSessions(String condition, int number) throws SQLException {
        String query = "select count(*) from pg_stat_activity where " + condition;
        long end = System.nanoTime() + STAGED_WITHIN_NANOS;
        while (administrator.count(query) < number) {
            pause(end, condition);
        }
    }

    /** Waits until one session of the pool is as it shall be, and returns its number. */
    long awaitSession(String condition) throws SQLException {
        awaitSessions(OURS + " and " + condition, 1);
        return administrator.count("select pid from pg_stat_activity where " + OURS + " and " + condition);
    }

    /** Waits until the pool has given so many connections. */
    void awaitLeases(int number) {
        long end = System.nanoTime() + STAGED_WITHIN_NANOS;
        while (pool.statistics().total().leases().count() < number) {
            pause(end, number + " leases");
        }
    }

    static void pause(long end, String what) {
        if (System.nanoTime() - end > 0) {
            throw new IllegalStateException("could not be staged: " + what);
        }
        LockSupport.parkNanos(LOOK_AGAIN_NANOS);
    }

    /**
     * Makes one request that is to fail.
     *
     * @return how long it took beyond the pool's timeout, in milliseconds; NaN if it got a connection
     */
    double failedRequest() {
        long begin = System.nanoTime();
        try {
            pool.getConnection().close();
            return Double.NaN;
        } catch (SQLException expected) {
            return (System.nanoTime() - begin) / 1e6 - TIMEOUT_MS;
        }
    }

    /** What was explained so far, in the order of the failures; waits for the first, which comes after its request. */
    Collection<Explanation> explanations() throws InterruptedException {
        List<Explanation> all = new ArrayList<>();
        Explanation first = explanations.poll(20, TimeUnit.SECONDS);
        if (first != null) {
            all.add(first);
            explanations.drainTo(all);
        }
        return all;
    }

    @Override
    public void close() throws SQLException {
        try {
            for (Foreigner foreigner : foreigners) {
                foreigner.close();
            }
            staff.close();
        } finally {
            pool.close();
            awaitSessionsEnd();
            administrator.close();
        }
    }

    /** The next run counts sessions, and must find the slots free. */
    private void awaitSessionsEnd() throws SQLException {
        String query = "select count(*) from pg_stat_activity where usename = '" + server.user() + "'";
        long end = System.nanoTime() + STAGED_WITHIN_NANOS;
        while (administrator.count(query) > 0) {
            pause(end, "the end of all sessions");
        }
    }
}
