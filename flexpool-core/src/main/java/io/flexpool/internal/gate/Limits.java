// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The range of the limit: the base, to which it returns, and the ceiling; neither is above what a fleet grants. Read by any
 * thread.
 */
public final class Limits {
    /** For how long room is kept for a connection of flexpool's own: longer than from one renewal or look to the next. */
    private static final int ASKS_TICKS = 24;

    private volatile int base;
    private volatile int ceiling;
    private volatile int granted;
    private volatile int members;
    /** Connections of flexpool's own past the pool, and how many more of them fit into what a fleet grants. */
    private final AtomicInteger own = new AtomicInteger();

    private final AtomicInteger room = new AtomicInteger();
    private volatile int asks;

    /** The configured base and ceiling. */
    public Limits(int base, int ceiling) {
        this(base, ceiling, Integer.MAX_VALUE);
    }

    /** The same under a grant, at least 1. */
    public Limits(int base, int ceiling, int granted) {
        this.base = base;
        this.ceiling = ceiling;
        this.granted = granted;
    }

    /** The limit at rest. */
    public int base() {
        return Math.min(base, granted);
    }

    /** The highest limit. */
    public int ceiling() {
        return Math.min(ceiling, granted);
    }

    /** The highest limit that is configured, whatever is granted. */
    public int configuredCeiling() {
        return ceiling;
    }

    /** The limit at rest that is configured, whatever is granted. */
    public int configuredBase() {
        return base;
    }

    /** What a fleet grants; far above any ceiling without one. */
    public int granted() {
        return granted;
    }

    /** Whether it is the fleet that keeps the limit here: without it the pool might have more. */
    public boolean ofFleet(int limit) {
        return granted <= limit && granted < ceiling;
    }

    /** Changes what a fleet grants, at least 1; by one thread at a time. */
    public void granted(int connections) {
        granted = connections;
    }

    /** How many pools of a fleet share the database, this one included, as the store knew them last; 0 without a fleet. */
    public int members() {
        return members;
    }

    /** Changes how many share it. */
    public void members(int pools) {
        members = pools;
    }

    /**
     * One connection past the pool is to be opened: with a fleet only if it fits beside the pool's into what the fleet grants.
     *
     * @param asks whether room is made for it if it does not fit. That is kept while it is used.
     * @return whether it may be opened: then {@link #ownEnds} follows
     */
    public boolean ownBegins(boolean asks) {
        own.incrementAndGet();
        boolean fits = granted == Integer.MAX_VALUE || room.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
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

    /** How many more of them may be opened until this is called again. */
    public void room(int connections) {
        room.set(connections);
    }

    /** Changes both at run time; by one thread at a time. */
    public void set(int newBase, int newCeiling) {
        base = newBase;
        ceiling = newCeiling;
    }
}
