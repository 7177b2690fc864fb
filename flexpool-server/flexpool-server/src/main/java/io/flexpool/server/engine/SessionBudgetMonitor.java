// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.SessionBudget;
import io.flexpool.server.SessionBudget.Fit;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.SessionInsight.SessionsLeft;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the pool's ceiling with the sessions that its server allows, by the result of the last query. Decides when
 * the next query is due. Logs a result only if it differs from the last logged result. Thread-safe.
 */
final class SessionBudgetMonitor {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final long EACH_NANOS = 60_000_000_000L;
    /**
     * The query interval while flexpool cannot connect, because an unused pool shows no settings, or the pool is at its
     * cap.
     */
    private static final long SOON_NANOS = 5_000_000_000L;
    /** The number of queries in a row without a connection after which the failure counts as permanent. */
    private static final int PATIENCE = 12;

    static final String NO_WAY =
            "flexpool cannot connect by itself, because the pool does not show its connection settings";

    private final PartContext pool;
    private volatile boolean eachMinute;
    private volatile int ceiling = ServerSnapshot.UNKNOWN;
    private volatile int together;
    private volatile @Nullable Result lastResult;
    /** The last logged result, without figures that change at each query; null before the first. */
    private final AtomicReference<@Nullable String> logged = new AtomicReference<>();
    /** The start of the last budget query; null before the first. Used by the tick's thread only. */
    private @Nullable Long startedNanos;
    /** The number of queries in a row that could not connect to the database. */
    private final AtomicInteger failedConnects = new AtomicInteger();

    /**
     * The result of a query.
     *
     * @param nanos when the query ended
     * @param snapshot without values if {@code missing} is set
     */
    private record Result(
            long nanos, ServerSnapshot snapshot, @Nullable String missing) {}

    /**
     * The last result.
     *
     * @param nanos when the query ended
     */
    record Reading(long nanos, SessionBudget budget) implements SessionsLeft.Reading {
        @Override
        public int usable() {
            return budget.usable();
        }

        @Override
        public int sessions() {
            return budget.sessions();
        }

        @Override
        public int left() {
            return budget.left();
        }

        @Override
        public int left(int own) {
            return budget.left(own);
        }

        @Override
        public @Nullable String missing() {
            return budget.missing();
        }
    }

    SessionBudgetMonitor(PartContext pool, boolean eachMinute) {
        this.pool = pool;
        this.eachMinute = eachMinute;
    }

    /** Whether the budget is queried each minute, not only after failures. */
    public boolean eachMinute() {
        return eachMinute;
    }

    /** Sets how many connections the pool may open; {@link ServerSnapshot#UNKNOWN} if the pool does not report that. */
    public void mayOpen(int connections) {
        ceiling = connections;
    }

    /** Queries the budget each minute from this call on. */
    void needed() {
        eachMinute = true;
    }

    /** Sets how many connections the pools that share connections may open together; 0 if this pool shares none. */
    void together(int connections) {
        together = connections;
    }

    /** Whether a query is due. If true, starts the next interval. */
    boolean due(long nowNanos) {
        Long before = startedNanos;
        int tries = failedConnects.get();
        long span = tries > 0 && tries < PATIENCE ? SOON_NANOS : EACH_NANOS;
        if (!eachMinute || (before != null && nowNanos - before < span)) {
            return false;
        }
        startedNanos = nowNanos;
        return true;
    }

    /**
     * Stores the result of a query. On the helper thread.
     *
     * @return whether to log the result, because it differs from the last logged result
     */
    boolean ended(ServerQuery query, ServerQueryResult result) {
        boolean noWay = NO_WAY.equals(result.missing()) || ServerView.AT_CAP.equals(result.missing());
        int tries = noWay ? failedConnects.incrementAndGet() : 0;
        if (!noWay) {
            failedConnects.set(0);
        } else if (tries < PATIENCE) {
            return false;
        }
        if (result.snapshot() != null) {
            return store(new Result(result.nanos(), result.snapshot(), null));
        }
        return query.forBudget() && result.missing() != null && missed(result.missing(), result.nanos());
    }

    /**
     * Stores the reason, a clause, for which the server cannot be read. On the helper thread. Returns whether to log
     * it.
     */
    boolean missed(String why, long nowNanos) {
        return store(new Result(nowNanos, ServerSnapshot.of("").build(), why));
    }

    private boolean store(Result now) {
        lastResult = now;
        SessionBudget budget = budget(now);
        String answer = budget.fit() + " " + budget.usable() + " " + (together > 0 ? together : ceiling)
                + Objects.requireNonNullElse(budget.missing(), "");
        return !answer.equals(logged.getAndSet(answer));
    }

    /** Logs the last result. */
    void log() {
        SessionBudget budget = budget();
        if (budget != null) {
            Quietly.log(pool, () -> log(budget));
        }
    }

    private static void log(SessionBudget budget) {
        if (budget.fit() == Fit.OVER) {
            LOG.warn(budget.describe());
        } else {
            LOG.info(budget.describe());
        }
    }

    private SessionBudget budget(Result now) {
        return new SessionBudget(pool.name(), ceiling, together, now.snapshot(), now.missing());
    }

    /**
     * The last result; null before the first. Without periodic queries, also null if the last result is a minute old.
     */
    public @Nullable SessionBudget budget() {
        Result last = lastResult;
        boolean old = last != null && !eachMinute && pool.nanos() - last.nanos() >= EACH_NANOS;
        return last == null || old ? null : budget(last);
    }

    /** The last result with its time; null before the first. */
    @Nullable
    Reading reading() {
        Result last = lastResult;
        return last == null ? null : new Reading(last.nanos(), budget(last));
    }
}
