// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

/** Between which sizes a limit moves: the base, to which it returns, and the ceiling. Read by any thread. */
public final class Limits {
    private volatile int base;
    private volatile int ceiling;

    /** The configured ones. */
    public Limits(int base, int ceiling) {
        this.base = base;
        this.ceiling = ceiling;
    }

    /** How many leases the pool is given when nothing has moved the limit. */
    public int base() {
        return base;
    }

    /** The highest limit. */
    public int ceiling() {
        return ceiling;
    }

    /** Changes both at run time; by one thread at a time. */
    public void set(int newBase, int newCeiling) {
        base = newBase;
        ceiling = newCeiling;
    }
}
