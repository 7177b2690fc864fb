// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.internal.shared.Words;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A failed attempt, created once with its reason. Strategies, the limit, the event, the log and the caller's exception
 * so have one reason, one state of the pool and one explanation.
 *
 * @param failedNanos when the failure was found
 * @param state the pool when the failure was found
 * @param thrown the pool's exception; null if flexpool itself ended the attempt
 * @param outage the connect failure, of any request, during this attempt's wait; null without one, or for itself
 * @param report the text for the caller and the log; null before its first use
 * @param explanation the reasons in the report; null without, or if another failure of that second was explained
 */
public record FailedAttempt(
        Attempt attempt,
        long failedNanos,
        AcquisitionFailure why,
        PoolState state,
        @Nullable Throwable thrown,
        @Nullable FailedAttempt outage,
        @Nullable String report,
        @Nullable Explanation explanation) {

    /**
     * One attempt of a request.
     *
     * @param requestedNanos when the request was made
     * @param beganNanos when the attempt began; for an attempt that never reached the pool, when the request was made
     * @param number the number of the attempt, from 1
     * @param earlier the explanation of the last attempt's connect failure; null without one
     * @param requestClass the state of the request's class; null if there is one class for all
     */
    public record Attempt(
            long requestedNanos,
            long beganNanos,
            int number,
            @Nullable Explanation earlier,
            @Nullable OfClass requestClass) {
        public static Attempt only(long requestedNanos) {
            return new Attempt(requestedNanos, requestedNanos, 1, null, null);
        }
    }

    /**
     * The class of a request that got no permit.
     *
     * @param words the holders of the class's connections, in words
     * @param atMost whether the class is at its maximum: then free connections or a larger pool do not help it
     * @param retryAfter the time until another request may be served, for a shed request; otherwise null
     */
    public record OfClass(
            int number,
            String words,
            boolean atMost,
            @Nullable Duration retryAfter) {}

    /** The text after the pool's name in each report. */
    static final String NO_CONNECTION = ": no connection after ";

    FailedAttempt(
            Attempt attempt,
            long failedNanos,
            AcquisitionFailure why,
            PoolState state,
            @Nullable Throwable thrown,
            @Nullable FailedAttempt outage) {
        this(attempt, failedNanos, why, state, thrown, outage, null, null);
    }

    FailedAttempt explained(String text, @Nullable Explanation reasons) {
        return new FailedAttempt(attempt, failedNanos, why, state, thrown, outage, text, reasons);
    }

    public Kind kind() {
        return why.kind();
    }

    /** The wait of the request, all attempts together. */
    long waitedNanos() {
        return failedNanos - attempt.requestedNanos();
    }

    /** The time until another request may be served, for a shed request; otherwise null. */
    @Nullable
    Duration retryAfter() {
        return attempt.requestClass() == null ? null : attempt.requestClass().retryAfter();
    }

    /** Whether an outage is only presumed: no connection came in time, but no connect is known to have failed. */
    boolean presumed() {
        return outage != null ? outage.presumed() : presumed(why, thrown);
    }

    static boolean presumed(AcquisitionFailure why, @Nullable Throwable thrown) {
        return why.sqlState() == null && !AcquisitionFailure.refusedByDatabase(thrown);
    }

    /** SQLState, type and first line of the message, without a full stop. */
    String reason() {
        return (why.sqlState() == null ? "" : "SQLState " + why.sqlState() + ", ") + Words.clause(why.reason());
    }

    private String exhausted() {
        Occupancy use = Occupancy.of(state);
        if (use.full()) {
            return "exhausted, every connection is in use";
        }
        return (use.atLimit() ? "exhausted, " : "exhausted: ") + use.words();
    }

    /** Describes the missing connects: with the refusal, or, if unknown, the progress of the pool. */
    String unconnected() {
        if (!presumed()) {
            return "not exhausted: the database refuses connections or cannot be reached (" + reason() + ")";
        }
        return opening() ? Occupancy.of(state).words() : "not exhausted: no connection opened in time";
    }

    /** Whether no refusal is known, and the pool is still {@linkplain Occupancy#opening opening}. */
    boolean opening() {
        Occupancy use = Occupancy.of(state);
        boolean slow = kind() == Kind.CONNECT_FAILED
                && presumed()
                && use.inUse() > 0
                && state.pool().idle() <= 0;
        return (kind() == Kind.EXHAUSTED || slow) && use.opening();
    }

    /** The first words of a report: the pool, and the wait of the request. */
    String headline(String pool) {
        return pool + NO_CONNECTION + waitedNanos() / 1_000_000 + " ms"
                + (attempt.number() > 1 ? " and " + attempt.number() + " attempts" : "") + ": ";
    }

    String details(@Nullable String traceId) {
        String what = switch (why.kind()) {
            case EXHAUSTED ->
                attempt.requestClass() == null
                        ? exhausted()
                        : attempt.requestClass().words();
            case CONNECT_FAILED -> unconnected();
            case INTERRUPTED -> "interrupted while waiting";
            case CLOSED -> "the pool is closed";
            case SHED -> Words.clause(why.reason());
            case REJECTED -> "rejected, " + Words.clause(why.reason());
            case OTHER -> Words.clause(why.reason());
        };
        return what + "; " + pool(traceId);
    }

    String pool(@Nullable String traceId) {
        return state.describe() + (traceId == null ? "" : "; trace " + traceId);
    }

    /** The report in one line: the wait of the request, the reason, and the pool's state. */
    String summary(String pool, @Nullable String traceId) {
        return headline(pool) + details(traceId);
    }
}
