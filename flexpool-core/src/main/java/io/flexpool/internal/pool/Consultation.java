// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Decision.RefusedGrowth.Reason;
import io.flexpool.internal.config.PoolConfig.Consulted;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestScope;
import io.flexpool.internal.event.RefusedGrowths.CappedBy;
import io.flexpool.internal.failure.FailedAttempt;
import io.flexpool.internal.gate.Limits;
import io.flexpool.internal.gate.Waiter;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.resize.Resizer.Growth;
import io.flexpool.internal.resize.Resizer.Growth.Result;
import io.flexpool.pool.PoolState;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.AcquisitionStrategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import io.flexpool.strategy.AcquisitionStrategy.Verdict.Action;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Consults the strategies about one request, in order, until a verdict can be carried out. Growth and the opening of
 * the circuit are carried out here. No other class consults strategies. Used by one thread.
 */
final class Consultation {
    private static final long NEVER = RequestScope.NEVER;

    /** The longest time for which a strategy may open the circuit. */
    private static final Duration LONGEST_OPEN = Duration.ofDays(1);

    private final SlowRequest request;
    private final SlowPath path;
    private final PoolContext context;
    private final List<Consulted> strategies;
    /** Whether growth was refused to this request: counted once per request. */
    private boolean refused;

    Consultation(SlowRequest request) {
        this.request = request;
        this.path = request.path;
        this.context = request.context;
        this.strategies = context.config().strategies();
    }

    /** Whether there is a strategy to consult: never while the pool is only watched. */
    boolean possible() {
        return !strategies.isEmpty() && context.mode().consultsStrategies();
    }

    /**
     * Consults the strategies.
     *
     * @param failed the failure of the attempt; null for a waiting request
     * @param waiter the request's waiter in the gate's queue; null if it is not queued
     * @param schedule when each strategy is due, for a waiting request; null to consult all
     * @return a retry (also after a growth in time), a rejection of a waiting request, otherwise pass
     */
    Verdict consult(@Nullable FailedAttempt failed, @Nullable Waiter waiter, @Nullable Schedule schedule, long now) {
        boolean possible = possible();
        if (!possible
                && failed != null
                && failed.kind() == Kind.EXHAUSTED
                && context.config().grows()) {
            refused(Reason.MONITOR, failed.state(), now);
        }
        long remaining = request.deadlineNanos == NEVER ? NEVER : request.deadlineNanos - now;
        AcquisitionSituation situation = null;
        for (int at = 0; at < strategies.size(); at++) {
            // Due times advance in any case: a request with due times in the past would not sleep.
            if ((schedule != null && !schedule.take(at, now)) || !possible) {
                continue;
            }
            if (situation == null) {
                situation = situation(failed, waiter, remaining, now);
            }
            Verdict verdict = verdict(strategies.get(at).strategy(), situation);
            // A strategy may return any delay, even one that overflows nanoseconds.
            if (verdict.action() == Action.RETRY
                    && failed != null
                    && verdict.duration().compareTo(Duration.ofNanos(remaining)) < 0) {
                return verdict;
            }
            if (verdict.action() == Action.GROW && !isAtMaximum()) {
                Growth growth = grow(verdict.connections(), situation.state(), now);
                if (growth.result() == Result.GREW) {
                    return failed != null && remaining > 0 ? Verdict.retry(Duration.ZERO) : Verdict.PASS;
                }
                if (growth.result() == Result.UNCLEAR && schedule != null) {
                    schedule.again(at, now);
                }
            }
            if (verdict.action() == Action.OPEN_CIRCUIT && failed != null && failed.kind() == Kind.CONNECT_FAILED) {
                trip(verdict.duration());
                return Verdict.PASS;
            }
            if (verdict.action() == Action.REJECT) {
                // After a failed attempt the caller gets the pool's exception.
                return failed == null ? verdict : Verdict.PASS;
            }
        }
        return Verdict.PASS;
    }

    private AcquisitionSituation situation(
            @Nullable FailedAttempt failed, @Nullable Waiter waiter, long remaining, long now) {
        return new Situation(
                Duration.ofNanos(now - request.requestedNanos),
                Duration.ofNanos(remaining),
                Duration.ofNanos(context.config().timeoutNanos()),
                request.attempt,
                failed == null ? null : failed.kind(),
                waiter != null,
                waiter == null ? 0 : waiter.ahead(),
                path.failures().connects().inARow(),
                failed == null ? context.state(now) : failed.state());
    }

    private record Situation(
            Duration waited,
            Duration remaining,
            Duration timeout,
            int attempt,
            @Nullable Kind failure,
            boolean queued,
            int ahead,
            int connectFailures,
            PoolState state)
            implements AcquisitionSituation {}

    private Verdict verdict(AcquisitionStrategy strategy, AcquisitionSituation situation) {
        String who = "the strategy " + strategy.getClass().getSimpleName();
        return context.listeners().ask(who, () -> Objects.requireNonNull(strategy.consult(situation)), Verdict.PASS);
    }

    /** Whether a larger pool would not help: the request's class is at its maximum. */
    private boolean isAtMaximum() {
        return context.classes() != null && context.classes().isAtMaximum(request.requestClass);
    }

    private Growth grow(int connections, PoolState state, long now) {
        Limiter limiter = path.limiter();
        Growth growth = limiter == null ? Growth.refused(Reason.NO_CEILING) : limiter.grow(connections);
        if (growth.reason() != null) {
            refused(growth.reason(), state, now);
        }
        return growth;
    }

    private void refused(Reason reason, PoolState state, long now) {
        if (!refused) {
            refused = true;
            context.recorder().refusedGrowth();
            Limits.Cap cap = reason == Reason.CAP ? context.limits().capper() : null;
            context.refusedGrowths().add(reason, cap == null ? null : new CappedBy(cap.part(), cap.key()), state, now);
        }
    }

    /** Opens the circuit, unless the mode has changed so that the pool is only watched. */
    private void trip(Duration openFor) {
        path.circuit().trip(context.nanos(), (openFor.compareTo(LONGEST_OPEN) < 0 ? openFor : LONGEST_OPEN).toNanos());
        if (!context.mode().consultsStrategies()) {
            path.circuit().close();
        }
    }

    /**
     * When each strategy is consulted about one waiting request. A consultation reads the state of the whole pool, so a
     * request that waits long consults less and less often.
     */
    static final class Schedule {
        private static final long AT_LEAST_NANOS = 10_000_000;
        private static final long SOON_NANOS = 20_000_000;

        private final long[] dueNanos;
        private final long[] pauseNanos;

        /** The schedule of a request; {@code usualNanos}: how long requests usually wait, {@link #NEVER} if unknown. */
        Schedule(List<Consulted> strategies, long requestedNanos, long usualNanos) {
            dueNanos = new long[strategies.size()];
            pauseNanos = new long[strategies.size()];
            for (int at = 0; at < dueNanos.length; at++) {
                long after = strategies.get(at).dueNanos(usualNanos);
                dueNanos[at] = after == NEVER ? NEVER : requestedNanos + after;
                pauseNanos[at] = after / 2;
            }
        }

        /** Whether the strategy at that place is due; if so, its next time is set. */
        boolean take(int at, long nowNanos) {
            if (dueNanos[at] == NEVER || nowNanos - dueNanos[at] < 0) {
                return false;
            }
            pauseNanos[at] = Math.max(AT_LEAST_NANOS, 2 * pauseNanos[at]);
            dueNanos[at] = nowNanos + pauseNanos[at];
            return true;
        }

        /** Consults the strategy at that place again soon, because it could not decide. */
        void again(int at, long nowNanos) {
            dueNanos[at] = RequestScope.earlier(dueNanos[at], nowNanos + SOON_NANOS);
        }

        /** When the next strategy is due, or {@code end} if that is earlier; either may be {@link #NEVER}. */
        long nextDue(long end) {
            long next = end;
            for (long due : dueNanos) {
                next = RequestScope.earlier(next, due);
            }
            return next;
        }
    }
}
