// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

/**
 * The range of the limit: the base, to which it returns, and the ceiling; neither is above what a fleet grants. Read by any
 * thread.
 */
public final class Limits {
    private volatile int base;
    private volatile int ceiling;
    private volatile int granted;
    private volatile int members;

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

    /** Changes both at run time; by one thread at a time. */
    public void set(int newBase, int newCeiling) {
        base = newBase;
        ceiling = newCeiling;
    }
}
