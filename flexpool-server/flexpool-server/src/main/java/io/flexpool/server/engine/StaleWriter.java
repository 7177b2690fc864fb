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
 * Leaves a writer that became a reader: after a failover a pool's connections stay with the old server, which refuses every
 * write, until each has come to its maximum age. Thread-safe.
 *
 * <p>Nothing is done before a statement fails as on a read-only server. An application causes the same failure itself, by a
 * read-only transaction, session or replica. So three answers are needed: the connection is not {@linkplain
 * Connection#isReadOnly() set read-only}; its server, asked when the lease ends and no statement of the application's can be
 * disturbed, refuses writes; and the server that a new connection reaches takes them. Then there are two servers, and all
 * connections go, once.
 *
 * <p>A connection in a JTA transaction outlives its handles and is not asked.
 */
final class StaleWriter implements ReturnCheck {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    /** One lease in this time is asked. */
    private static final long LOOK_NANOS = 250_000_000;
    /** An eviction needs a moment to show; what it missed fails again. */
    private static final long EVICT_NANOS = 1_000_000_000;
    /**
     * The longest pause after an eviction. The same where the pool does not give what a new connection needs, so that the second
     * server is only presumed.
     */
    private static final long PRESUMED_NANOS = 60_000_000_000L;
    /** An eviction that comes so soon after another one shows that the other one was of no use. */
    private static final long SOON_NANOS = 10 * PRESUMED_NANOS;

    private final PartContext pool;
    /** From when on another one is asked. */
    private final AtomicLong nextLook;

    private final AtomicBoolean comparing = new AtomicBoolean();
    /** When the last eviction was; meaningless before the first. By the thread that compares. */
    private volatile long evictedNanos;
    /** How long the pause after it is; 0 before the first. By the thread that compares. */
    private volatile long pauseNanos;

    private volatile boolean reported;

    StaleWriter(PartContext pool) {
        this.pool = pool;
        this.nextLook = new AtomicLong(pool.nanos());
    }

    @Override
    public boolean failed(Connection connection, SQLException thrown) throws SQLException {
        if (!ReadOnlyServer.mayBeTheReasonOf(thrown)) {
            return false;
        }
        long now = pool.nanos();
        long due = nextLook.get();
        return now - due >= 0 && !connection.isReadOnly() && nextLook.compareAndSet(due, now + LOOK_NANOS);
    }

    @Override
    public boolean check(Connection connection) {
        boolean begun = false;
        try {
            begun = Boolean.TRUE.equals(ReadOnlyServer.refusesWrites(connection))
                    && comparing.compareAndSet(false, true);
            if (begun) {
                DaemonThreads.create("flexpool-failover-" + pool.name(), this::compare)
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

    /** Whether a new connection reaches a server that takes writes. */
    private void compare() {
        try (Connection fresh = pool.adapter().connect()) {
            if (fresh == null) {
                evict("and it is unknown whether a new connection accepts writes", PRESUMED_NANOS);
            } else if (Boolean.FALSE.equals(ReadOnlyServer.refusesWrites(fresh))) {
                evict("and a new connection accepts writes", EVICT_NANOS);
            } else {
                stays("a new connection also reaches a server that refuses writes");
            }
        } catch (Throwable unreachable) {
            stays("no other connection could be checked");
        } finally {
            comparing.set(false);
        }
    }

    private void evict(String why, long leastPauseNanos) {
        long now = pool.nanos();
        boolean soon = pauseNanos > 0 && now - evictedNanos < SOON_NANOS;
        // Behind a proxy that chooses a server for each question, both answers mean little, and each eviction costs a
        // storm of connects.
        pauseNanos = soon ? Math.min(2 * pauseNanos, PRESUMED_NANOS) : leastPauseNanos;
        evictedNanos = now;
        nextLook.set(now + pauseNanos);
        reported = false;
        pool.moved("connections point to a server that refuses writes, " + why);
    }

    /** Once, until something changes: an application that writes to a replica does so again and again. */
    private void stays(String why) {
        nextLook.set(pool.nanos() + EVICT_NANOS);
        if (!reported) {
            reported = true;
            Quietly.log(
                    pool,
                    () -> LOG.warn("{}: the server refuses writes, and nothing is evicted: {}", pool.name(), why));
        }
    }
}
