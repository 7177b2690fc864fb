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
 * How the pool's ceiling fits into what its server has: what the last look said, and when the next one is due. Logs the
 * answer, and again only when it is another one. Thread-safe.
 */
final class BudgetWatch {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final long EACH_NANOS = 60_000_000_000L;
    /** From one look to the next while the pool has not been used, and shows no way to its database, or its cap has no room. */
    private static final long SOON_NANOS = 5_000_000_000L;
    /** After so many of them it is taken for a pool that never shows it. */
    private static final int PATIENCE = 12;

    static final String NO_WAY =
            "flexpool cannot connect by itself, because the pool does not show its connection settings";

    private final PartContext pool;
    private volatile boolean eachMinute;
    private volatile int ceiling = ServerSnapshot.UNKNOWN;
    private volatile int together;
    private volatile @Nullable Heard heard;
    /** What was logged last, without the figures that change all the time; null before the first. */
    private final AtomicReference<@Nullable String> logged = new AtomicReference<>();
    /** When the last look for it began; null before the first. Used by the tick's thread only. */
    private @Nullable Long lookedNanos;
    /** How many looks in a row found no way to the database. */
    private final AtomicInteger without = new AtomicInteger();

    /**
     * What a look said.
     *
     * @param nanos when it ended
     * @param snapshot of which nothing is known if something was missing
     */
    private record Heard(
            long nanos, ServerSnapshot snapshot, @Nullable String missing) {}

    /**
     * What the last look said.
     *
     * @param nanos when it ended
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

    BudgetWatch(PartContext pool, boolean eachMinute) {
        this.pool = pool;
        this.eachMinute = eachMinute;
    }

    /** Whether looks are taken for it, and not only after failures. */
    public boolean eachMinute() {
        return eachMinute;
    }

    /** How many connections the pool may open now; {@link ServerSnapshot#UNKNOWN} if it does not report that. */
    public void mayOpen(int connections) {
        ceiling = connections;
    }

    /** From now on each minute. */
    void needed() {
        eachMinute = true;
    }

    /** How many connections all pools that share them may open together; 0 if the pool shares them with no other. */
    void together(int connections) {
        together = connections;
    }

    /** Whether a look is due. If it is, the next one is due a minute later. */
    boolean due(long nowNanos) {
        Long before = lookedNanos;
        int tries = without.get();
        long span = tries > 0 && tries < PATIENCE ? SOON_NANOS : EACH_NANOS;
        if (!eachMinute || (before != null && nowNanos - before < span)) {
            return false;
        }
        lookedNanos = nowNanos;
        return true;
    }

    /**
     * A look has ended. On the helper thread.
     *
     * @return whether the answer is another one than before, and is to be logged
     */
    boolean ended(Look look, ServerLook result) {
        boolean noWay = NO_WAY.equals(result.missing()) || ServerView.NO_ROOM.equals(result.missing());
        int tries = noWay ? without.incrementAndGet() : 0;
        if (!noWay) {
            without.set(0);
        } else if (tries < PATIENCE) {
            return false;
        }
        if (result.snapshot() != null) {
            return heard(new Heard(result.nanos(), result.snapshot(), null));
        }
        return look.forBudget() && result.missing() != null && missed(result.missing(), result.nanos());
    }

    /** Nothing can be seen of this server, a clause. On the helper thread. Returns whether that is to be logged. */
    boolean missed(String why, long nowNanos) {
        return heard(new Heard(nowNanos, ServerSnapshot.of("").build(), why));
    }

    private boolean heard(Heard now) {
        heard = now;
        SessionBudget budget = budget(now);
        String answer = budget.fit() + " " + budget.usable() + " " + (together > 0 ? together : ceiling)
                + Objects.requireNonNullElse(budget.missing(), "");
        return !answer.equals(logged.getAndSet(answer));
    }

    /** Logs the last answer. */
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

    private SessionBudget budget(Heard now) {
        return new SessionBudget(pool.name(), ceiling, together, now.snapshot(), now.missing());
    }

    /** The last answer; null before the first, and if it is old: where only failures cause looks, the next may be far. */
    public @Nullable SessionBudget budget() {
        Heard last = heard;
        boolean old = last != null && !eachMinute && pool.nanos() - last.nanos() >= EACH_NANOS;
        return last == null || old ? null : budget(last);
    }

    /** The same with its time; null before the first. */
    @Nullable
    Reading reading() {
        Heard last = heard;
        return last == null ? null : new Reading(last.nanos(), budget(last));
    }
}
