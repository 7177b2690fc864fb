// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.spi.DaemonThreads;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart.ReturnCheck;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes all connections to a writer that has become a reader. Without it, after a failover a pool's connections stay
 * with the old server, which refuses writes, until each reaches its maximum age. Thread-safe.
 *
 * <p>Acts only after a statement has failed as on a read-only server. An application can cause the same failure by a
 * read-only transaction, session or replica. So three conditions are necessary. The connection is not {@linkplain
 * Connection#isReadOnly() set read-only}. Its server refuses writes; it is queried at the lease's end, to disturb no
 * statement of the application. And a new connection reaches a server that accepts writes. Then all connections are
 * evicted once.
 *
 * <p>A connection in a JTA transaction outlives its handles and is not checked.
 */
final class StaleWriter implements ReturnCheck {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    /** The shortest interval between two checks. */
    private static final long CHECK_NANOS = 250_000_000;
    /**
     * The shortest pause after an eviction, which needs a moment to take effect. A connection that it missed fails
     * again.
     */
    private static final long EVICT_NANOS = 1_000_000_000;
    /**
     * The longest pause after an eviction. Also the first pause if the pool does not show its connection settings, so
     * that the new server could not be checked.
     */
    private static final long PRESUMED_NANOS = 60_000_000_000L;
    /** A second eviction within this time shows that the first was useless. */
    private static final long SOON_NANOS = 10 * PRESUMED_NANOS;

    private final PartContext pool;
    /** The time of the next check. */
    private final AtomicLong nextCheckNanos;

    private final AtomicBoolean comparing = new AtomicBoolean();
    /** The time of the last eviction; undefined before the first. Written by the comparing thread. */
    private volatile long evictedNanos;
    /** The pause after the last eviction; 0 before the first. Written by the comparing thread. */
    private volatile long pauseNanos;

    private volatile boolean reported;

    StaleWriter(PartContext pool) {
        this.pool = pool;
        this.nextCheckNanos = new AtomicLong(pool.nanos());
    }

    @Override
    public boolean failed(Connection connection, SQLException thrown) throws SQLException {
        if (!ReadOnlyServer.mayBeTheReasonOf(thrown)) {
            return false;
        }
        long now = pool.nanos();
        long due = nextCheckNanos.get();
        return now - due >= 0 && !connection.isReadOnly() && nextCheckNanos.compareAndSet(due, now + CHECK_NANOS);
    }

    @Override
    public boolean check(Connection connection) {
        boolean begun = false;
        try {
            begun = Boolean.TRUE.equals(ReadOnlyServer.refusesWrites(connection))
                    && comparing.compareAndSet(false, true);
            if (begun) {
                DaemonThreads.create("flexpool-failover-" + pool.name(), this::compareServers)
                        .start();
            }
        } catch (Throwable noAnswerOrThread) {
            // The next connection that fails is checked.
            if (begun) {
                comparing.set(false);
            }
        }
        return true;
    }

    /** Evicts all connections if a new connection reaches a server that accepts writes. */
    private void compareServers() {
        try (Connection fresh = pool.adapter().connect()) {
            if (fresh == null) {
                evict("and it is unknown whether a new connection accepts writes", PRESUMED_NANOS);
            } else if (Boolean.FALSE.equals(ReadOnlyServer.refusesWrites(fresh))) {
                evict("and a new connection accepts writes", EVICT_NANOS);
            } else {
                logNoFailover("a new connection also reaches a server that refuses writes");
            }
        } catch (Throwable unreachable) {
            logNoFailover("no other connection could be checked");
        } finally {
            comparing.set(false);
        }
    }

    private void evict(String why, long leastPauseNanos) {
        long now = pool.nanos();
        boolean soon = pauseNanos > 0 && now - evictedNanos < SOON_NANOS;
        // A proxy may choose a server for each query, so that both results are unreliable. Each eviction reconnects the
        // whole pool: so the pause doubles.
        pauseNanos = soon ? Math.min(2 * pauseNanos, PRESUMED_NANOS) : leastPauseNanos;
        evictedNanos = now;
        nextCheckNanos.set(now + pauseNanos);
        reported = false;
        pool.moved("connections point to a server that refuses writes, " + why);
    }

    /** Logs once until an eviction, because an application that writes to a replica fails repeatedly. */
    private void logNoFailover(String why) {
        nextCheckNanos.set(pool.nanos() + EVICT_NANOS);
        if (!reported) {
            reported = true;
            Quietly.log(
                    pool,
                    () -> LOG.warn("{}: the server refuses writes, and nothing is evicted: {}", pool.name(), why));
        }
    }
}
