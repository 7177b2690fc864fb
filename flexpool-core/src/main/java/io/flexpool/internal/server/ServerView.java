// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.server;

import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.CoreKey.ServerViewUse;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.discovery.Providers;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.shared.DaemonThreads;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Words;
import io.flexpool.pool.Ticker;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerViewProvider;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pool's view of its database server. A look is taken when a request fails because the pool is exhausted; for a minute
 * after that also when leases are read, and once a second while requests wait. At most one look a second, on a helper thread
 * and on flexpool's own connection, which is opened with the first look and kept for a minute: while nothing fails, nothing
 * is opened. Who needs a look waits for it, but no longer than {@value #DEADLINE_MILLIS} ms from its begin.
 *
 * <p>A look that hangs loses nothing but itself: no other one begins, its connection is broken off after
 * {@value #HANGS_SECONDS} s, and the pool's close does not wait for it.
 *
 * <p>Limit: there is one own connection, so of a data source that routes to several servers it shows the one that this
 * connection leads to. Leases on other servers have no session there. Thread-safe.
 */
public final class ServerView {
    static final int DEADLINE_MILLIS = 200;
    static final int HANGS_SECONDS = 5;
    private static final String OUT_OF_SESSIONS = "53300";
    /** The error code of MySQL and MariaDB, whose SQLState says less. */
    private static final int MYSQL_OUT_OF_SESSIONS = 1040;

    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final Duration DEADLINE = Duration.ofMillis(DEADLINE_MILLIS);
    private static final long HANGS_NANOS = HANGS_SECONDS * 1_000_000_000L;
    /** From one look to the next at least. */
    private static final long SPAN_NANOS = 1_000_000_000L;
    /** How long sessions are shown, and hold growth. */
    private static final long FRESH_NANOS = 2_000_000_000L;
    /** How long the connection is kept without a look, and readers cause looks after a failure. */
    private static final long KEPT_NANOS = 60_000_000_000L;

    private final String pool;
    private final ListenerGuard listeners;
    private final Ticker ticker;
    private final boolean statementText;
    private final List<ServerViewProvider> providers;
    private final ThreadPoolExecutor executor;
    private final OwnConnection own;
    private final AtomicReference<@Nullable Look> newest = new AtomicReference<>();
    private volatile Supplier<List<LeasedSession>> leases = List::of;
    /** The one that knows this pool's driver; null until a look has found it. */
    private volatile @Nullable ServerViewProvider provider;
    /** The last look to which the server gave an answer. */
    private volatile @Nullable ServerLook last;
    /** When a request failed last; null before the first. */
    private volatile @Nullable Long failedNanos;
    /** Whether the server refused the last connection: then only a further failure opens one. */
    private volatile boolean full;
    /** For good: the sessions cannot be seen. */
    private volatile boolean off;

    /** A look, also while it is taken. */
    private static final class Look {
        private final long beganNanos;
        private final CountDownLatch done = new CountDownLatch(1);
        private volatile @Nullable ServerLook result;
        /** Used by the tick's thread only. */
        private boolean reported;

        Look(long beganNanos) {
            this.beganNanos = beganNanos;
        }

        boolean running() {
            return done.getCount() > 0;
        }

        boolean hangs(long nowNanos) {
            return running() && nowNanos - beganNanos >= HANGS_NANOS;
        }

        String words(long nowNanos) {
            return "the look at the database server has not returned for " + Words.millis(nowNanos - beganNanos);
        }
    }

    ServerView(PoolConfig config, ListenerGuard listeners, List<ServerViewProvider> providers) {
        this.pool = config.name();
        this.listeners = listeners;
        this.ticker = config.ticker();
        this.statementText = config.values().flag(CoreKey.STATEMENT_TEXT);
        this.providers = List.copyOf(providers);
        // One look at a time, and a thread that is about to end one.
        this.executor = new ThreadPoolExecutor(
                0,
                2,
                5,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                DaemonThreads.named("flexpool-server-view-" + pool));
        this.own = new OwnConnection(pool, config.adapter());
    }

    /** The view of a pool; null if it is switched off, or if no module for any server is on the class path. */
    public static @Nullable ServerView of(PoolConfig config, ListenerGuard listeners) {
        if (config.values().need(CoreKey.SERVER_VIEW, ServerViewUse.class) == ServerViewUse.OFF) {
            return null;
        }
        List<ServerViewProvider> found = new ArrayList<>();
        Providers.each(ServerViewProvider.class, one -> {
            // The same module may be found by two class loaders.
            if (found.stream().noneMatch(known -> known.getClass() == one.getClass())) {
                found.add(one);
            }
        });
        return found.isEmpty() ? null : new ServerView(config, listeners, found);
    }

    /** What reads the leased connections, from now on. */
    public void leases(Supplier<List<LeasedSession>> open) {
        leases = open;
    }

    // ---- who needs a look ----

    /**
     * Looks because a request has failed. Joins the look that is being taken, or was a moment ago.
     *
     * @param mayConnect whether the connection may be opened: not if the server has just refused one
     * @return null if nothing can be seen of this server
     */
    public @Nullable ServerLook failed(boolean mayConnect) {
        failedNanos = ticker.nanos();
        if (!mayConnect) {
            full = true;
        }
        return look(mayConnect);
    }

    /** Looks because leases are read, if a request has failed within the last minute. */
    public void reading() {
        if (troubled(ticker.nanos())) {
            look(!full);
        }
    }

    private @Nullable ServerLook look(boolean mayConnect) {
        if (off) {
            return null;
        }
        Look look = begun(ticker.nanos(), mayConnect);
        try {
            long left = DEADLINE.toNanos() - (ticker.nanos() - look.beganNanos);
            if (left > 0 && !look.done.await(left, TimeUnit.NANOSECONDS)) {
                return late();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        ServerLook result = look.result;
        // A look that found out that nothing can be seen says so in the log.
        return off ? null : result == null ? late() : result;
    }

    private ServerLook late() {
        return ServerLook.without("it did not answer within " + DEADLINE_MILLIS + " ms", ticker.nanos());
    }

    /** The look that is being taken, or was less than a second ago, else a new one. */
    private Look begun(long now, boolean mayConnect) {
        Look before = newest.get();
        while (before == null || (!before.running() && now - before.beganNanos >= SPAN_NANOS)) {
            Look mine = new Look(now);
            if (newest.compareAndSet(before, mine)) {
                if (!run(() -> take(mine, mayConnect))) {
                    mine.result = ServerLook.without("there was no thread for it", now);
                    mine.done.countDown();
                }
                return mine;
            }
            before = newest.get();
        }
        return before;
    }

    private boolean run(Runnable work) {
        try {
            executor.execute(work);
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError closedOrNoThread) {
            return false;
        }
    }

    private boolean troubled(long now) {
        Long failed = failedNanos;
        return failed != null && now - failed < KEPT_NANOS;
    }

    // ---- the look, on the helper thread ----

    private void take(Look look, boolean mayConnect) {
        ServerLook result = ServerLook.without("the look at it failed", look.beganNanos);
        try {
            result = take(mayConnect);
        } catch (SQLException refused) {
            own.drop();
            if (outOfSessions(refused)) {
                full = true;
            }
            result = ServerLook.without(
                    "it refused or could not be reached in time (" + words(refused) + ")", ticker.nanos());
        } catch (RuntimeException | LinkageError broken) {
            own.drop();
            listeners.failed("the server view", broken);
        } finally {
            if (result.snapshot() != null && !off) {
                last = result;
            }
            look.result = result;
            look.done.countDown();
        }
    }

    /** Whether an exception says that the server has no session left. */
    public static boolean outOfSessions(Throwable thrown) {
        return thrown instanceof SQLException sql
                && (OUT_OF_SESSIONS.equals(sql.getSQLState()) || sql.getErrorCode() == MYSQL_OUT_OF_SESSIONS);
    }

    private static String words(SQLException refused) {
        String state = refused.getSQLState();
        return refused.getClass().getSimpleName() + (state == null ? "" : ", SQLState " + PlainText.line(state, 20));
    }

    private ServerLook take(boolean mayConnect) throws SQLException {
        List<LeasedSession> leased = leases.get();
        ServerViewProvider knows = provider(leased);
        if (knows == null) {
            return ServerLook.without("no connection is leased that leads to it", ticker.nanos());
        }
        Connection mine = own.get(mayConnect);
        if (mine == null) {
            if (mayConnect) {
                off("this pool does not give what another connection needs");
            }
            return ServerLook.without("it has no connection left to ask it by", ticker.nanos());
        }
        if (mayConnect) {
            full = false;
        }
        SessionMatch match = new SessionMatch(knows, leased, knows.session(mine));
        if (match.asked().isEmpty()) {
            return ServerLook.without("the driver does not know the ids of its sessions", ticker.nanos());
        }
        long asked = ticker.nanos();
        ServerSnapshot snapshot = knows.look(mine, match.asked(), DEADLINE);
        if (match.hidden(snapshot)) {
            off("the server does not know the sessions of this pool's connections, as behind PgBouncer");
            own.drop();
        }
        return new ServerLook(ticker.nanos(), snapshot, match.byLease(snapshot, asked, statementText), null);
    }

    /** The provider that knows the driver; null if no leased connection shows which that is. */
    private @Nullable ServerViewProvider provider(List<LeasedSession> leased) {
        ServerViewProvider known = provider;
        if (known != null) {
            return known;
        }
        for (LeasedSession each : leased) {
            boolean answered = true;
            for (ServerViewProvider one : providers) {
                try {
                    if (one.supports(each.connection())) {
                        provider = one;
                        return one;
                    }
                } catch (SQLException ended) {
                    // Closed in this moment: the next one may show it.
                    answered = false;
                } catch (LinkageError noDriver) {
                    // Its driver is not on the class path, so this is not its connection.
                }
            }
            if (answered) {
                off("no module on the class path knows its driver");
                return null;
            }
        }
        return null;
    }

    private void off(String why) {
        if (off) {
            // The pool was closed meanwhile.
            return;
        }
        off = true;
        last = null;
        listeners.guard("the log", () -> LOG.info("{}: no view of the server: {}", pool, why));
    }

    // ---- what it said ----

    /** What the server said of a lease in the last two seconds; null if nothing. */
    public @Nullable ServerSession of(long lease, long nowNanos) {
        ServerLook recent = recent(nowNanos);
        return recent == null ? null : recent.byLease().get(lease);
    }

    /** Whether at least half of the leased connections waited for locks in the last two seconds. */
    public boolean lockedUp(long nowNanos) {
        ServerLook recent = recent(nowNanos);
        return recent != null && recent.lockedUp();
    }

    private @Nullable ServerLook recent(long nowNanos) {
        ServerLook known = last;
        return known == null || nowNanos - known.nanos() >= FRESH_NANOS ? null : known;
    }

    // ---- the tick, and the end ----

    /** Looks again while requests wait after a failure, gives up the unused connection, breaks off a look that hangs. */
    public void tick(long nowNanos, boolean requestsWait) {
        Look look = newest.get();
        if (look == null) {
            return;
        }
        if (look.running()) {
            if (look.hangs(nowNanos)) {
                own.breakOff();
                if (!look.reported) {
                    look.reported = true;
                    listeners.guard("the log", () -> LOG.warn("{}: {}", pool, look.words(nowNanos)));
                }
            }
        } else if (requestsWait && !off && troubled(nowNanos)) {
            begun(nowNanos, !full);
        } else if (own.isOpen() && nowNanos - look.beganNanos >= KEPT_NANOS) {
            run(own::drop);
        }
    }

    /** Describes the look that hangs; null if none does. */
    public @Nullable String hanging(long nowNanos) {
        Look look = newest.get();
        return look != null && look.hangs(nowNanos) ? look.words(nowNanos) : null;
    }

    /** Ends it: no more looks, and the connection is closed. */
    public void close() {
        off = true;
        Look look = newest.get();
        own.close(look != null && look.running());
        executor.shutdownNow();
        leases = List::of;
    }

    /** For tests: waits until the look that is being taken has ended. */
    void settle() throws InterruptedException {
        Objects.requireNonNull(newest.get()).done.await();
    }
}
