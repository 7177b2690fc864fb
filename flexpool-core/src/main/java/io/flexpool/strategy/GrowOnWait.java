// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Grows the pool for the threads that wait: as soon as one has waited {@link #after()}, by as many connections as
 * threads wait, up to a ceiling. Threads that already wait are served. After calm the pool returns to its base.
 *
 * <p>Growth is refused while not every connection is out, or while the database refuses connections.
 *
 * @param ceilingSize the most connections that may ever be out, at least 2
 * @param after how long a request waits before the pool grows, shorter than the acquisition timeout; null means a tenth of the acquisition timeout
 */
public record GrowOnWait(int ceilingSize, @Nullable Duration after) implements AcquisitionStrategy {
    /** Refuses a ceiling or a wait that makes no sense. */
    public GrowOnWait {
        if (ceilingSize < 2 || ceilingSize > MAX_CEILING) {
            throw new IllegalArgumentException(
                    "grow-on-wait.ceiling = " + ceilingSize + ": must be from 2 to " + MAX_CEILING);
        }
        if (after != null && (after.isNegative() || after.compareTo(Duration.ofMinutes(10)) > 0)) {
            throw new IllegalArgumentException("grow-on-wait.after = " + after + ": must be from PT0S to PT10M");
        }
    }

    private static final int MAX_CEILING = 10_000;

    /**
     * Grows up to a ceiling, after a tenth of the acquisition timeout.
     *
     * @param ceiling the most connections that may ever be out, 2 to 10,000 and not below the base
     * @return the strategy
     * @throws IllegalArgumentException if the ceiling is out of range
     */
    public static GrowOnWait upTo(int ceiling) {
        return new GrowOnWait(ceiling, null);
    }

    /**
     * The same with another wait.
     *
     * @param wait how long a request waits before the pool grows, zero to ten minutes
     * @return the strategy
     * @throws IllegalArgumentException if the wait is out of range
     */
    public GrowOnWait withAfter(Duration wait) {
        return new GrowOnWait(ceilingSize, Objects.requireNonNull(wait, "grow-on-wait.after"));
    }

    @Override
    public Verdict consult(AcquisitionSituation situation) {
        if (situation.failure() == null || situation.failure() == AcquisitionSituation.Failure.EXHAUSTED) {
            // Who failed inside the pool stands in no queue, and needs room too.
            int own = situation.queued() ? 0 : 1;
            int room = situation.state().waiting() + own;
            return room > 0 ? Verdict.grow(room) : Verdict.PASS;
        }
        return Verdict.PASS;
    }

    @Override
    public Optional<Duration> consultAfter(Duration timeout) {
        return Optional.of(after != null ? after : timeout.dividedBy(10));
    }

    @Override
    public OptionalInt ceiling() {
        return OptionalInt.of(ceilingSize);
    }
}
