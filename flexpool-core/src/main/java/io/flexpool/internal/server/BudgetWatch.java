// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.server;

import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.CoreKey.BudgetUse;
import io.flexpool.internal.config.PoolConfig;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.SessionBudget;
import io.flexpool.server.SessionBudget.Fit;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the pool's ceiling fits into what its server has: what the last look said, and when the next one is due. Logs the
 * answer, and again only when it is another one. Thread-safe.
 */
public final class BudgetWatch {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final long EACH_NANOS = 60_000_000_000L;

    private final String pool;
    private final ListenerGuard listeners;
    private final boolean on;
    private final boolean eachMinute;
    private volatile int ceiling = ServerSnapshot.UNKNOWN;
    private volatile int fleetCap;
    private volatile @Nullable Heard heard;
    /** What was logged last, without the figures that change all the time; null before the first. */
    private final AtomicReference<@Nullable String> logged = new AtomicReference<>();
    /** When the last look for it began; null before the first. Used by the tick's thread only. */
    private @Nullable Long lookedNanos;

    /**
     * What a look said.
     *
     * @param snapshot of which nothing is known if something was missing
     */
    private record Heard(ServerSnapshot snapshot, @Nullable String missing) {}

    BudgetWatch(PoolConfig config, ListenerGuard listeners) {
        BudgetUse use = config.values().need(CoreKey.SERVER_VIEW_BUDGET, BudgetUse.class);
        this.pool = config.name();
        this.listeners = listeners;
        this.on = use != BudgetUse.OFF;
        this.eachMinute = use.eachMinute(config.inFleet());
    }

    /** Whether looks are taken for it, and not only after failures. */
    public boolean eachMinute() {
        return eachMinute;
    }

    /** How many connections the pool may open now; {@link ServerSnapshot#UNKNOWN} if it does not report that. */
    public void mayOpen(int connections) {
        ceiling = connections;
    }

    /** What the members of the pool's fleet may open together. */
    public void fleetCap(int connections) {
        fleetCap = connections;
    }

    /** Whether a look is due. If it is, the next one is due a minute later. */
    boolean due(long nowNanos) {
        Long before = lookedNanos;
        if (!eachMinute || (before != null && nowNanos - before < EACH_NANOS)) {
            return false;
        }
        lookedNanos = nowNanos;
        return true;
    }

    /** A look has ended. On the helper thread. */
    void ended(Look look, ServerLook result) {
        if (result.snapshot() != null) {
            heard(new Heard(result.snapshot(), null));
        } else if (look.forBudget() && result.missing() != null) {
            missed(result.missing());
        }
    }

    /** Nothing can be seen of this server. On the helper thread. */
    void missed(String why) {
        heard(new Heard(ServerSnapshot.of("").build(), why));
    }

    private void heard(Heard now) {
        if (!on) {
            return;
        }
        heard = now;
        SessionBudget budget = budget(now);
        String answer = budget.fit() + " " + budget.usable() + " " + (fleetCap > 0 ? fleetCap : ceiling)
                + Objects.requireNonNullElse(budget.missing(), "");
        if (!answer.equals(logged.getAndSet(answer))) {
            listeners.guard("the log", () -> log(budget));
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
        return new SessionBudget(pool, ceiling, fleetCap, now.snapshot(), now.missing());
    }

    /** The last answer; null before the first. */
    public @Nullable SessionBudget budget() {
        Heard last = heard;
        return last == null ? null : budget(last);
    }
}
