// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

/** The range of the limit: the base, to which it returns, and the ceiling. Read by any thread. */
public final class Limits {
    private volatile int base;
    private volatile int ceiling;

    /** The configured base and ceiling. */
    public Limits(int base, int ceiling) {
        this.base = base;
        this.ceiling = ceiling;
    }

    /** The limit at rest. */
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
