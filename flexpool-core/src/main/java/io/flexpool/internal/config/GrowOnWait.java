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
 * Grows the pool for waiting threads: as soon as one has waited long enough, by the number of waiting threads, up to a
 * ceiling. This also serves the threads that wait already. At low load the pool returns to its base: after five seconds
 * by 15 % per second, or at once with {@link #withKeep}.
 *
 * <p>Without {@link #withAfter}, long enough is a tenth of the acquisition timeout, but at most 250 ms. Pools have
 * timeouts of 30 s, and users notice a wait long before 3 s. If requests usually wait less, the time is shorter: four
 * times the 99th percentile of the acquisitions of a minute, but at least 20 ms; see {@link Requirements#whileWaiting}.
 * So a pool without waits grows for an unusual wait, and a pool with usual short waits does not grow for them.
 *
 * <p>Growth is refused while the database refuses connections, and unless all connections are open and in use. With
 * very short leases it is enough that all permits are in use and connections are being acquired. Immutable.
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
     * Grows up to a ceiling, after the default wait: 20 to 250 ms, as described above.
     *
     * @param ceiling the highest limit, 2 to 10,000 and not below the base
     */
    public static GrowOnWait upTo(int ceiling) {
        return new GrowOnWait(ceiling, null, null);
    }

    /**
     * A copy with another wait.
     *
     * @param wait how long a request waits before the pool grows, zero to ten minutes and shorter than the acquisition
     *     timeout; null for the default
     */
    public GrowOnWait withAfter(@Nullable Duration wait) {
        return new GrowOnWait(ceiling, wait, keep);
    }

    /**
     * A copy that returns all growth at once when it was not needed for a time: for load in bursts. The price is
     * connects, because the next burst opens its connections again.
     *
     * @param unneeded null for the gradual return, which does not follow a load that falters
     */
    public GrowOnWait withKeep(@Nullable Duration unneeded) {
        return new GrowOnWait(ceiling, after, unneeded);
    }

    @Override
    public Verdict consult(AcquisitionSituation situation) {
        if (situation.failure() == null || situation.failure() == Kind.EXHAUSTED) {
            // A request that failed inside the pool is not queued, but needs a connection too.
            int own = situation.queued() ? 0 : 1;
            int needed = situation.state().waiting() + own;
            return needed > 0 ? Verdict.grow(needed) : Verdict.PASS;
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
        String shrinking = keep == null
                ? "shrinks gradually when the load falls"
                : "shrinks at once to the highest demand of the last " + keep.toMillis() + " ms";
        // Without the ceiling, which can change while the pool runs, and is shown with the limits.
        return "grows to the ceiling when a request has waited " + wait + ", and " + shrinking;
    }
}
