// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.context.RequestClasses;
import io.flexpool.internal.context.RequestScope;
import io.flexpool.internal.failure.FailedAttempt;
import io.flexpool.internal.failure.FailedAttempt.Attempt;
import io.flexpool.internal.failure.FailedAttempt.OfClass;
import org.jspecify.annotations.Nullable;

/**
 * The times and the progress of one request that is not served at once.
 *
 * <p>There is one deadline: the acquisition timeout, or a strategy's longer one. Each attempt, including its wait at
 * the gate, takes the acquisition timeout at most. Used by one thread.
 */
final class SlowRequest {
    static final long NEVER = RequestScope.NEVER;

    final SlowPath path;
    final PoolContext context;
    final long requestedNanos;
    final int requestClass;
    /** When a connection becomes useless to the caller; {@link #NEVER} if unknown. */
    final long neededUntilNanos;

    final long deadlineNanos;
    final Consultation strategies;
    /** How long an attempt may wait. */
    private final long waitsNanos;

    int attempt = 1;
    long attemptEndNanos;
    /** When to sample acquisitions, as evidence for a timeout at the gate; {@link #NEVER} once sampled. */
    long sampleNanos;
    /** The failure of the last attempt inside the pool; null before the first. */
    @Nullable
    FailedAttempt last;

    SlowRequest(SlowPath path, long requestedNanos) {
        this.path = path;
        this.context = path.context();
        this.requestedNanos = requestedNanos;
        this.requestClass = path.admission().requestClass();
        RequestClasses classes = context.classes();
        this.waitsNanos = classes == null ? context.config().timeoutNanos() : classes.waitsNanos(requestClass);
        this.neededUntilNanos = after(requestedNanos, RequestScope.currentNanosLeft());
        long longest = classes == null ? context.config().deadlineNanos() : classes.deadlineNanos(requestClass);
        this.deadlineNanos = RequestScope.earlier(after(requestedNanos, longest), neededUntilNanos);
        this.strategies = new Consultation(this);
        startAttempt(requestedNanos);
    }

    void again(long now) {
        attempt++;
        startAttempt(now);
    }

    private void startAttempt(long now) {
        attemptEndNanos = RequestScope.earlier(after(now, waitsNanos), deadlineNanos);
        sampleNanos = attemptEndNanos == NEVER ? NEVER : now + (attemptEndNanos - now) / 8;
    }

    static long after(long nanos, long span) {
        // The clock's origin is arbitrary, so a sum may wrap; a span that is "never" must not.
        return span == NEVER ? NEVER : nanos + span;
    }

    /** Whether a connection is useless to the caller by now. */
    boolean expired() {
        return neededUntilNanos != NEVER && context.nanos() - neededUntilNanos >= 0;
    }

    /** The time; the request's time if the clock throws, which must not keep a permit from being given back. */
    long nowOrRequested() {
        try {
            return context.nanos();
        } catch (Throwable thrown) {
            return requestedNanos;
        }
    }

    /** The attempt that began then, as the explanation of its failure describes it. */
    Attempt describe(long beganNanos) {
        RequestClasses classes = context.classes();
        return new Attempt(
                requestedNanos,
                beganNanos,
                attempt,
                last == null ? null : last.explanation(),
                classes == null
                        ? null
                        : new OfClass(
                                requestClass, classes.describe(requestClass), classes.isAtMaximum(requestClass), null));
    }
}
