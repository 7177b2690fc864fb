// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

/** A pool whose limit moves and nothing else. */
final class SteadyPool implements SimPool {
    private final int base;
    private final int ceiling;
    private int limit;

    SteadyPool(int base, int ceiling) {
        this.base = base;
        this.ceiling = ceiling;
        this.limit = base;
    }

    @Override
    public int limit() {
        return limit;
    }

    @Override
    public void limit(int wanted) {
        limit = wanted;
    }

    @Override
    public int base() {
        return base;
    }

    @Override
    public int ceiling() {
        return ceiling;
    }

    @Override
    public int active() {
        return limit;
    }

    @Override
    public int waiting() {
        return 1;
    }
}
