// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.AcquisitionStrategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy.Requirements;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Tries again after an exhausted attempt, and with {@link #withConnectFailures()} also after a connect failure. All
 * attempts share one configured deadline, which is not the product of timeouts.
 *
 * <p>A connect failure is not retried by default: the next attempt most likely meets the same outage, and only delays
 * the failure.
 *
 * <p>An attempt that waited for a connection until its timeout is repeated at once. After an attempt n that ended
 * early, such as a connect failure, the pause is random between half and the whole of {@code backoff} × 2^(n−1) ("equal
 * jitter"). So threads that failed together do not retry together. A request that waits at the gate keeps its place in
 * the queue across attempts. Immutable.
 */
public final class RetryAcquisition implements AcquisitionStrategy {
    /** The longest pause before the second attempt, if the first ended early. */
    private static final Duration BACKOFF = Duration.ofMillis(100);
    /** The most attempts: more would only repeat attempts that end at once. */
    private static final int MOST_ATTEMPTS = 100;

    private final int attempts;
    private final Duration backoff;
    private final Duration deadline;
    private final boolean connectFailures;

    private RetryAcquisition(int attempts, Duration backoff, Duration deadline, boolean connectFailures) {
        this.attempts = attempts;
        this.backoff = backoff;
        this.deadline = deadline;
        this.connectFailures = connectFailures;
    }

    /**
     * Tries again when the pool was exhausted, until a deadline.
     *
     * @param deadline the deadline of the whole request, longer than the acquisition timeout; at most one hour
     */
    public static RetryAcquisition within(Duration deadline) {
        return times(MOST_ATTEMPTS, BACKOFF, deadline);
    }

    /** A copy with a maximum number of attempts, and another pause before the second attempt. */
    public static RetryAcquisition times(int attempts, Duration backoff, Duration deadline) {
        return new RetryAcquisition(attempts, backoff, deadline, false);
    }

    /**
     * A copy that also retries connect failures: for a pool with a circuit breaker, which ends an outage's attempts.
     */
    public RetryAcquisition withConnectFailures() {
        return new RetryAcquisition(attempts, backoff, deadline, true);
    }

    @Override
    public Verdict consult(AcquisitionSituation situation) {
        if (!retried(situation.failure()) || situation.attempt() >= attempts) {
            return Verdict.PASS;
        }
        if (hasWaited(situation)) {
            return Verdict.retry(Duration.ZERO);
        }
        long most = backoff.toNanos() << Math.min(situation.attempt() - 1, 10);
        long nanos = most == 0 ? 0 : most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1);
        Duration delay = Duration.ofNanos(nanos);
        return delay.compareTo(situation.remaining()) < 0 ? Verdict.retry(delay) : Verdict.PASS;
    }

    /** Whether the attempts took most of their timeouts: a pause would only be added to that wait. */
    private static boolean hasWaited(AcquisitionSituation situation) {
        return situation.failure() == Kind.EXHAUSTED
                && situation
                                .waited()
                                .dividedBy(situation.attempt())
                                .compareTo(situation.timeout().dividedBy(2))
                        >= 0;
    }

    private boolean retried(@Nullable Kind failure) {
        return failure == Kind.EXHAUSTED || (connectFailures && failure == Kind.CONNECT_FAILED);
    }

    @Override
    public String toString() {
        String attempted = attempts == MOST_ATTEMPTS ? "" : "up to " + attempts + " times ";
        return "retries " + attempted + "within " + deadline.toMillis()
                + " ms; pauses after an attempt that ends early, at first up to " + backoff.toMillis()
                + " ms, then doubled" + (connectFailures ? ", also after connect failures" : "");
    }

    @Override
    public Requirements requirements() {
        return Requirements.NONE.deadline(deadline);
    }
}
