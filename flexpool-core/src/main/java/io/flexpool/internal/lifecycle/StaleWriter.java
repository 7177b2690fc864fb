// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lifecycle;

import io.flexpool.adapter.Capability;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.shared.DaemonThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
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
public final class StaleWriter implements ReturnCheck {
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

    private final PoolContext context;
    private final Operations operations;
    private final @Nullable Limiter limiter;
    /** From when on another one is asked. */
    private final AtomicLong nextLook;

    private final AtomicBoolean comparing = new AtomicBoolean();
    /** When the last eviction was; meaningless before the first. By the thread that compares. */
    private volatile long evictedNanos;
    /** How long the pause after it is; 0 before the first. By the thread that compares. */
    private volatile long pauseNanos;

    private volatile boolean reported;

    private StaleWriter(PoolContext context, Operations operations, @Nullable Limiter limiter) {
        this.context = context;
        this.operations = operations;
        this.limiter = limiter;
        this.nextLook = new AtomicLong(context.nanos());
    }

    /** Of a pool; none if it is switched off, or the pool cannot evict, or is one of transactions. */
    public static ReturnCheck of(PoolContext context, Operations operations, @Nullable Limiter limiter) {
        Set<Capability> can = context.adapter().capabilities();
        return context.config().values().flag(CoreKey.EVICT_STALE_WRITER)
                        && can.contains(Capability.EVICT)
                        && !can.contains(Capability.TRANSACTIONS)
                ? new StaleWriter(context, operations, limiter)
                : NONE;
    }

    @Override
    public void failed(LeasedConnection lease, Connection connection, SQLException thrown) {
        try {
            if (!ReadOnlyServer.mayBeTheReasonOf(thrown)) {
                return;
            }
            long now = context.nanos();
            long due = nextLook.get();
            if (now - due >= 0 && !connection.isReadOnly() && nextLook.compareAndSet(due, now + LOOK_NANOS)) {
                lease.lookOnReturn();
            }
        } catch (Throwable alsoThrown) {
            // The application gets what its statement threw.
            return;
        }
    }

    @Override
    public void check(Connection connection) {
        boolean begun = false;
        try {
            begun = Boolean.TRUE.equals(ReadOnlyServer.refusesWrites(connection))
                    && comparing.compareAndSet(false, true);
            if (begun) {
                DaemonThreads.create("flexpool-failover-" + context.name(), this::compare)
                        .start();
            }
        } catch (Throwable noAnswerOrThread) {
            // The next connection that fails is checked.
            if (begun) {
                comparing.set(false);
            }
        }
    }

    /** Whether a new connection reaches a server that takes writes. */
    private void compare() {
        try (Connection fresh = context.adapter().connect()) {
            if (fresh == null) {
                evict("and whether a new connection accepts them is unknown", PRESUMED_NANOS);
            } else if (Boolean.FALSE.equals(ReadOnlyServer.refusesWrites(fresh))) {
                evict("and a new connection accepts them", EVICT_NANOS);
            } else {
                stays("a new connection reaches one that refuses them, too");
            }
        } catch (Throwable unreachable) {
            stays("no other could be asked");
        } finally {
            comparing.set(false);
        }
    }

    private void evict(String why, long leastPauseNanos) {
        if (limiter != null) {
            limiter.resizer().movesToAnotherServer();
        }
        long now = context.nanos();
        boolean soon = pauseNanos > 0 && now - evictedNanos < SOON_NANOS;
        // Behind a proxy that chooses a server for each question, both answers mean little, and each eviction costs a
        // storm of connects.
        pauseNanos = soon ? Math.min(2 * pauseNanos, PRESUMED_NANOS) : leastPauseNanos;
        evictedNanos = now;
        nextLook.set(now + pauseNanos);
        reported = false;
        operations.evict("their server refuses writes, " + why);
    }

    /** Once, until something changes: an application that writes to a replica does so again and again. */
    private void stays(String why) {
        nextLook.set(context.nanos() + EVICT_NANOS);
        if (!reported) {
            reported = true;
            context.listeners()
                    .guard(
                            "the log",
                            () -> LOG.warn(
                                    "{}: the server refuses writes, and nothing is evicted: {}", context.name(), why));
        }
    }
}
