// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.pool.RefusedValueException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Grows the pool for the threads that wait: as soon as one has waited {@link #after()}, by as many connections as
 * threads wait, up to a ceiling. Threads that already wait are served. After calm the pool returns to its base: step by
 * step, or at once after {@link #keep()}.
 *
 * <p>Growth is refused while not every connection is in use (or, with leases too short to be seen, every permit used
 * while connections come), or while the database refuses connections.
 *
 * @param ceiling the highest limit, at least 2
 * @param after how long a request waits before the pool grows, shorter than the acquisition timeout; null means a tenth
 *     of the acquisition timeout
 * @param keep how long unneeded growth is kept before all of it is taken back at once; null means five seconds of calm
 *     and then 15 % per second; see {@link #withKeep}
 */
public record GrowOnWait(
        int ceiling, @Nullable Duration after, @Nullable Duration keep) implements AcquisitionStrategy {
    /** Refuses a ceiling or a wait that makes no sense. */
    public GrowOnWait {
        if (ceiling < 2 || ceiling > MAX_CEILING) {
            throw new RefusedValueException("ceiling", ceiling, "must be from 2 to " + MAX_CEILING);
        }
        if (after != null && outOfRange(after)) {
            throw new RefusedValueException("grow-on-wait.after", after, "must be from PT0S to PT10M");
        }
        if (keep != null && outOfRange(keep)) {
            throw new RefusedValueException("grow-on-wait.keep", keep, "must be from PT0S to PT10M");
        }
    }

    private static final int MAX_CEILING = 10_000;

    private static boolean outOfRange(Duration given) {
        return given.isNegative() || given.compareTo(Duration.ofMinutes(10)) > 0;
    }

    /**
     * Grows up to a ceiling, after a tenth of the acquisition timeout.
     *
     * @param ceiling the highest limit, 2 to 10,000 and not below the base
     * @return the strategy
     * @throws IllegalArgumentException if the ceiling is out of range
     */
    public static GrowOnWait upTo(int ceiling) {
        return new GrowOnWait(ceiling, null, null);
    }

    /**
     * The same with another wait.
     *
     * @param wait how long a request waits before the pool grows, zero to ten minutes
     * @return the strategy
     * @throws IllegalArgumentException if the wait is out of range
     */
    public GrowOnWait withAfter(Duration wait) {
        return new GrowOnWait(ceiling, Objects.requireNonNull(wait, "grow-on-wait.after"), keep);
    }

    /**
     * The same, but takes all growth back at once when it was not needed for this time, at the earliest this time after
     * the last growth. For load in bursts, on a database that needs the connections in between. Checked every quarter
     * of a second, so growth stays up to that much longer.
     *
     * <p>The price is connects: a burst that comes later than this opens all that it needs anew. Measured with base 20,
     * ceiling 25 and bursts every two seconds: with half a second the pools that close what is given back held 22.1
     * connections in the mean and opened five for each burst; without it they held 25.0 and opened five once.
     *
     * @param unneeded how long growth stays once it is not needed, zero to ten minutes
     * @return the strategy
     * @throws IllegalArgumentException if the time is out of range
     */
    public GrowOnWait withKeep(Duration unneeded) {
        return new GrowOnWait(ceiling, after, Objects.requireNonNull(unneeded, "grow-on-wait.keep"));
    }

    @Override
    public Verdict consult(AcquisitionSituation situation) {
        if (situation.failure() == null || situation.failure() == Kind.EXHAUSTED) {
            // A request that failed inside the pool is not queued, but needs room too.
            int own = situation.queued() ? 0 : 1;
            int room = situation.state().waiting() + own;
            return room > 0 ? Verdict.grow(room) : Verdict.PASS;
        }
        return Verdict.PASS;
    }

    @Override
    public Requirements requirements() {
        return Requirements.NONE.whileWaiting(after).ceiling(ceiling).keep(keep);
    }

    @Override
    public String toString() {
        String wait = after == null ? "a tenth of the acquisition timeout" : after.toMillis() + " ms";
        String calm = keep == null
                ? "goes back to the base step by step after calm"
                : "goes back to the base at once after " + keep.toMillis() + " ms without need";
        // Without the ceiling, which the limits show: it can change while the pool runs.
        return "grows up to the ceiling for requests that have waited " + wait + ", and " + calm;
    }
}
