// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.limit.WindowedLimit;
import io.flexpool.internal.sizing.PoolWindow;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One of the limits of Netflix's concurrency-limits, its own class, as the size of a pool. It receives every lease: how
 * long it lasted, and how many were active when it began; a lease with a broken connection counts as dropped. Its classes read
 * no clock: what time it is comes with each lease.
 *
 * <p>It does not receive waits for a connection: it limits what is in the database, which a wait does not show.
 */
final class NetflixLimit implements SimController {
    /** The windows of its {@link WindowedLimit}, which does not take shorter ones. */
    static final Duration SHORT_WINDOW = Duration.ofMillis(100);

    /** Makes the limit. */
    @FunctionalInterface
    interface Maker {
        Limit make(int initial, int least, int most);
    }

    private final Contender contender;
    private final Maker maker;
    private final @Nullable Duration window;
    private @Nullable Limit limit;

    /**
     * Not begun.
     *
     * @param contender whose name it bears
     * @param maker makes the limit
     * @param window collects leases over so long and reports their mean; null reports each one
     */
    NetflixLimit(Contender contender, Maker maker, @Nullable Duration window) {
        this.contender = contender;
        this.maker = maker;
        this.window = window;
    }

    @Override
    public String name() {
        return contender.toString();
    }

    @Override
    public void begin(SimPool pool) {
        Limit own = maker.make(pool.base(), Contender.LEAST, pool.ceiling());
        limit = window == null
                ? own
                : WindowedLimit.newBuilder()
                        .minWindowTime(window.toNanos(), TimeUnit.NANOSECONDS)
                        .maxWindowTime(window.toNanos(), TimeUnit.NANOSECONDS)
                        .build(own);
    }

    @Override
    public void onReleased(long nowNanos, long leaseNanos, int activeAtStart, boolean failed) {
        if (limit != null && leaseNanos > 0) {
            limit.onSample(nowNanos - leaseNanos, leaseNanos, activeAtStart, failed);
        }
    }

    @Override
    public int onTick(PoolWindow seen) {
        return limit == null ? seen.limit() : Math.max(Contender.LEAST, Math.min(seen.ceiling(), limit.getLimit()));
    }
}
