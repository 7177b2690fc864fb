// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The range of the limit: the base, to which the limit returns, and the ceiling. A part may cap both. Read by any
 * thread.
 */
public final class Limits {
    /** Ticks for which headroom stays reserved: longer than from one renewal or query of a part to the next. */
    private static final int RESERVED_TICKS = 24;

    private volatile int base;
    private volatile int ceiling;
    private volatile int cap;
    private volatile @Nullable Cap capped;
    private volatile int sharers;
    /** flexpool's connections outside the pool, and how many more fit below the cap. */
    private final AtomicInteger own = new AtomicInteger();

    private final AtomicInteger headroom = new AtomicInteger();
    private volatile int reservedTicks;

    /**
     * The origin of a cap, in words.
     *
     * @param part the part's name
     * @param by the cause, a noun
     * @param relief the way to a higher cap, a clause that follows "flexpool"
     * @param key the configuration key that changes the cap, with prefix
     */
    public record Cap(String part, String by, String relief, String key) {}

    /** The configured base and ceiling under a cap, at least 1. */
    public Limits(int base, int ceiling, int cap) {
        this.base = base;
        this.ceiling = ceiling;
        this.cap = cap;
    }

    /** The limit at rest. */
    public int base() {
        return Math.min(base, cap);
    }

    /** The highest limit. */
    public int ceiling() {
        return Math.min(ceiling, cap);
    }

    /** The configured ceiling, regardless of the cap. */
    public int configuredCeiling() {
        return ceiling;
    }

    /** The configured base, regardless of the cap. */
    public int configuredBase() {
        return base;
    }

    /** The cap; without one, far above any ceiling. */
    public int cap() {
        return cap;
    }

    /** The cap that keeps the limit at a value; null without one. */
    public @Nullable Cap capped(int limit) {
        return cap <= limit && cap < ceiling ? capped : null;
    }

    /** The possible cap; null without a capping part. */
    public @Nullable Cap capper() {
        return capped;
    }

    /** Sets the origin of the cap. */
    public void capped(Cap by) {
        capped = by;
    }

    /** Changes the cap, at least 1; by one thread at a time. */
    public void cap(int connections) {
        cap = connections;
    }

    /** The known number of pools that share the cap, including this pool; 0 without a cap. */
    public int sharers() {
        return sharers;
    }

    /** Changes the number of pools that share the total. */
    public void sharers(int pools) {
        sharers = pools;
    }

    /**
     * Counts a connection to be opened outside the pool: under a cap only if it fits beside the pool's.
     *
     * @param reserves whether the pool shrinks for it if it does not fit, and stays smaller while it is used
     * @return whether the connection may be opened: then {@link #ownEnds} follows
     */
    public boolean ownBegins(boolean reserves) {
        own.incrementAndGet();
        boolean fits = cap == Integer.MAX_VALUE || headroom.getAndUpdate(left -> left > 0 ? left - 1 : left) > 0;
        if (!fits) {
            own.decrementAndGet();
        }
        if (fits ? reservedTicks > 0 : reserves) {
            reservedTicks = RESERVED_TICKS;
        }
        return fits;
    }

    /** Counts one connection past the pool that is opened even if it does not fit. */
    public void ownBeginsAnyway() {
        own.incrementAndGet();
    }

    /** Ends the count of a connection outside the pool. */
    public void ownEnds() {
        own.decrementAndGet();
    }

    /** The number of open connections past the pool. */
    public int own() {
        return own.get();
    }

    /** The connections past the pool for which the pool leaves headroom. Called once a tick. */
    public int ownNeeded() {
        int left = reservedTicks;
        reservedTicks = Math.max(0, left - 1);
        return own.get() + (left > 0 ? 1 : 0);
    }

    /** Whether the open connections outside the pool may stay. */
    public boolean ownFits() {
        return headroom.get() >= 0;
    }

    /** Sets how many more may be opened until the next call; negative: some must be closed. */
    public void headroom(int connections) {
        headroom.set(connections);
    }

    /** Changes base and ceiling at run time; by one thread at a time. */
    public void set(int newBase, int newCeiling) {
        base = newBase;
        ceiling = newCeiling;
    }
}
