// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.failure.Explainer;
import io.flexpool.internal.failure.FailureHandler;
import io.flexpool.internal.failure.ScaleOut;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.lease.NestedAcquisitions;
import io.flexpool.internal.record.ClassHistory;
import io.flexpool.internal.record.ConnectTimes;
import io.flexpool.internal.record.StatisticsHistory;
import io.flexpool.internal.resize.DecisionLog;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.resize.OwnMax;
import io.flexpool.internal.resize.SizingLoop;
import io.flexpool.internal.resize.UnusedCeiling;
import io.flexpool.monitoring.LeaseObserver;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The history, the failures and the decisions of one pool: the components that the direct path does not use. Made by
 * the first tick, or earlier by the first failed request or reader, because otherwise the first build of a JVM would
 * load sixty more classes. Thread-safe.
 */
final class PoolWatch {
    private final PoolContext context;
    private final @Nullable Limiter limiter;
    private final LeaseTracker leases;
    private final long beganNanos;
    private final ReentrantLock making = new ReentrantLock();
    private volatile @Nullable Parts parts;
    /** Replaced once the backends are bound. Accessed under the lock. */
    private LeaseObserver observer = LeaseObserver.NONE;

    /**
     * The components.
     *
     * @param classes null if there is one class of requests
     * @param connects null if the pool does not report its connect times
     * @param unusedCeiling null if the pool has no ceiling, or a strategy that grows up to it
     */
    record Parts(
            StatisticsHistory history,
            @Nullable ClassHistory classes,
            @Nullable ConnectTimes connects,
            DecisionLog decisions,
            Explainer explainer,
            FailureHandler failures,
            NestedAcquisitions nesting,
            SizingLoop sizing,
            ScaleOut scaleOut,
            @Nullable UnusedCeiling unusedCeiling,
            OwnMax ownMax) {}

    PoolWatch(PoolContext context, @Nullable Limiter limiter, LeaseTracker leases) {
        this.context = context;
        this.limiter = limiter;
        this.leases = leases;
        this.beganNanos = context.nanos();
    }

    /** Sets the observer of every request that fails. */
    void observe(LeaseObserver guarded) {
        making.lock();
        try {
            observer = guarded;
            Parts made = parts;
            if (made != null) {
                made.failures().observe(guarded);
            }
        } finally {
            making.unlock();
        }
    }

    /** The components. Without memory or stack to make them, nothing is made, and the next call tries again. */
    Parts parts() {
        Parts made = parts;
        return made == null ? make() : made;
    }

    private Parts make() {
        making.lock();
        try {
            Parts made = parts;
            if (made == null) {
                made = made();
                made.failures().observe(observer);
                parts = made;
            }
            return made;
        } finally {
            making.unlock();
        }
    }

    private Parts made() {
        StatisticsHistory history = new StatisticsHistory(
                context.recorder(),
                context.listeners()::errors,
                beganNanos,
                context.config().timeoutNanos());
        RequestClasses classes = context.classes();
        DecisionLog decisions = new DecisionLog(context.name(), context.listeners());
        Explainer explainer = new Explainer(context, leases::open, history, decisions);
        FailureHandler failures = new FailureHandler(context, limiter, explainer);
        SizingLoop sizing = new SizingLoop(context, limiter, leases, decisions);
        return new Parts(
                history,
                classes == null ? null : new ClassHistory(classes.recorder(), beganNanos),
                context.adapter().capabilities().contains(Capability.CONNECT_TIME)
                        ? new ConnectTimes(context.adapter(), context.recorder())
                        : null,
                decisions,
                explainer,
                failures,
                new NestedAcquisitions(context, leases),
                sizing,
                new ScaleOut(failures.connects(), explainer, sizing::blockingCause),
                UnusedCeiling.of(context),
                new OwnMax(context, limiter));
    }
}
