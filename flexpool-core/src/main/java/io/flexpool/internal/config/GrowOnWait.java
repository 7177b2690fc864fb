// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.AcquisitionStrategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy.Requirements;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Grows the pool for the threads that wait: as soon as one has waited long enough, by as many connections as threads
 * wait, up to a ceiling. Threads that already wait are served. After calm the pool returns to its base: after five
 * seconds by 15 % per second, or at once with {@link #withKeep}.
 *
 * <p>Long enough is, unless {@link #withAfter} says it, a tenth of the acquisition timeout, but at most 250 ms: pools
 * have timeouts of 30 s, and users notice a wait long before 3 s. Where requests usually wait less it is less: four
 * times the 99th percentile of the acquisitions of a minute, but at least 20 ms; see
 * {@link Requirements#whileWaiting}. So a pool that answers at once grows for a wait that is unusual there, and a pool
 * whose requests always wait for a moment does not grow for that.
 *
 * <p>Growth is refused while not every connection is in use (or, with leases too short to be seen, every permit used
 * while connections come), or while the database refuses connections. Immutable.
 */
public final class GrowOnWait implements AcquisitionStrategy {
    private final int ceiling;
    private final @Nullable Duration after;
    private final @Nullable Duration keep;

    private GrowOnWait(int ceiling, @Nullable Duration after, @Nullable Duration keep) {
        this.ceiling = ceiling;
        this.after = after;
        this.keep = keep;
    }

    /**
     * Grows up to a ceiling, after the default wait: 20 to 250 ms, as the class says.
     *
     * @param ceiling the highest limit, 2 to 10,000 and not below the base
     */
    public static GrowOnWait upTo(int ceiling) {
        return new GrowOnWait(ceiling, null, null);
    }

    /**
     * The same with another wait.
     *
     * @param wait how long a request waits before the pool grows, zero to ten minutes and shorter than the acquisition
     *     timeout; null for the default
     */
    public GrowOnWait withAfter(@Nullable Duration wait) {
        return new GrowOnWait(ceiling, wait, keep);
    }

    /**
     * The same, but says that all growth is given back at once when it was not needed for this time: for load in bursts. The
     * price is connects, for the next burst opens all that it needs anew.
     *
     * @param unneeded null for the gradual return, which does not follow a load that falters
     */
    public GrowOnWait withKeep(@Nullable Duration unneeded) {
        return new GrowOnWait(ceiling, after, unneeded);
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
        return Requirements.NONE.whileWaiting(after).ceiling(ceiling);
    }

    @Override
    public String toString() {
        String wait = after == null ? "longer than usual (20 to 250 ms)" : after.toMillis() + " ms";
        String calm = keep == null
                ? "shrinks gradually when the load falls"
                : "shrinks at once to the highest demand of the last " + keep.toMillis() + " ms";
        // Without the ceiling, which the limits show: it can change while the pool runs.
        return "grows to the ceiling when a request has waited " + wait + ", and " + calm;
    }
}
