// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The range of the limit: the base, to which it returns, and the ceiling; neither is above the cap, if a part caps them. Read by any
 * thread.
 */
public final class Limits {
    /** For how long room is kept for a connection of flexpool's own: longer than from one renewal or look to the next. */
    private static final int ASKS_TICKS = 24;

    private volatile int base;
    private volatile int ceiling;
    private volatile int cap;
    private volatile @Nullable Cap capped;
    private volatile int sharers;
    /** Connections of flexpool's own past the pool, and how many more of them fit below the cap. */
    private final AtomicInteger own = new AtomicInteger();

    private final AtomicInteger room = new AtomicInteger();
    private volatile int asks;

    /**
     * What caps a pool, for people.
     *
     * @param part the part's name
     * @param by a noun
     * @param relief what would give the pool more, a clause that follows "flexpool"
     * @param key the configuration key that would change it, with prefix
     */
    public record Cap(String part, String by, String relief, String key) {}

    /** The configured base and ceiling. */
    public Limits(int base, int ceiling) {
        this(base, ceiling, Integer.MAX_VALUE);
    }

    /** The same under a cap, at least 1. */
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

    /** The highest limit that is configured, whatever the cap. */
    public int configuredCeiling() {
        return ceiling;
    }

    /** The limit at rest that is configured, whatever the cap. */
    public int configuredBase() {
        return base;
    }

    /** The cap; far above any ceiling without one. */
    public int cap() {
        return cap;
    }

    /** What keeps the limit here, without which the pool might have more; null if nothing does. */
    public @Nullable Cap capped(int limit) {
        return cap <= limit && cap < ceiling ? capped : null;
    }

    /** What may cap it; null if nothing has introduced itself. */
    public @Nullable Cap capper() {
        return capped;
    }

    /** Names what caps it. */
    public void capped(Cap by) {
        capped = by;
    }

    /** Changes the cap, at least 1; by one thread at a time. */
    public void cap(int connections) {
        cap = connections;
    }

    /** How many pools share the cap's number, this one included, as far as is known; 0 without a cap. */
    public int sharers() {
        return sharers;
    }

    /** Changes how many share it. */
    public void sharers(int pools) {
        sharers = pools;
    }

    /**
     * One connection past the pool is to be opened: with a cap only if it fits beside the pool's below it.
     *
     * @param asks whether room is made for it if it does not fit. That is kept while it is used.
     * @return whether it may be opened: then {@link #ownEnds} follows
     */
    public boolean ownBegins(boolean asks) {
        own.incrementAndGet();
        boolean fits = cap == Integer.MAX_VALUE || room.getAndUpdate(left -> left > 0 ? left - 1 : left) > 0;
        if (!fits) {
            own.decrementAndGet();
        }
        if (fits ? this.asks > 0 : asks) {
            this.asks = ASKS_TICKS;
        }
        return fits;
    }

    /** The same where it is opened whether it fits or not. */
    public void ownBeginsAnyway() {
        own.incrementAndGet();
    }

    /** A connection past the pool is closed. */
    public void ownEnds() {
        own.decrementAndGet();
    }

    /** How many there are. */
    public int own() {
        return own.get();
    }

    /** Once a tick: for how many the pool leaves room. */
    public int ownNeeded() {
        int left = asks;
        asks = Math.max(0, left - 1);
        return own.get() + (left > 0 ? 1 : 0);
    }

    /** Whether those that are open may stay. */
    public boolean ownFits() {
        return room.get() >= 0;
    }

    /** How many more of them may be opened until this is called again; negative: some must be closed. */
    public void headroom(int connections) {
        room.set(connections);
    }

    /** Changes both at run time; by one thread at a time. */
    public void set(int newBase, int newCeiling) {
        base = newBase;
        ceiling = newCeiling;
    }
}
