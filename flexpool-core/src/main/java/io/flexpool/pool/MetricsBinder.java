// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

/** A metrics backend: shows a pool's figures somewhere. Given to the builder, bound once the pool stands. */
@FunctionalInterface
public interface MetricsBinder {
    /**
     * Begins to show a pool.
     *
     * @param pool what to read
     * @return ends it, leaving nothing behind; called once, when the pool is closed
     */
    Binding bind(PoolView pool);

    /** A backend that shows a pool. */
    @FunctionalInterface
    interface Binding {
        /** Stops showing the pool and removes whatever was registered for it. */
        void unbind();
    }
}
