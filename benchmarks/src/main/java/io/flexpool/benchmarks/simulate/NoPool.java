// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

/** What a controller has before its run begins. */
enum NoPool implements SimPool {
    /** The only one. */
    INSTANCE;

    @Override
    public int limit() {
        return 0;
    }

    @Override
    public void limit(int limit) {
        throw new IllegalStateException("the run has not begun");
    }

    @Override
    public int base() {
        return 0;
    }

    @Override
    public int ceiling() {
        return 0;
    }

    @Override
    public int active() {
        return 0;
    }

    @Override
    public int waiting() {
        return 0;
    }
}
