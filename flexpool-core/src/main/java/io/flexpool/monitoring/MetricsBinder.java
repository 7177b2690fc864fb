// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.event.PoolListener;
import org.jspecify.annotations.Nullable;

/** A metrics backend: exports a pool's metrics. Passed to the builder, bound when the pool is built. */
@FunctionalInterface
public interface MetricsBinder {
    /**
     * Starts to export a pool.
     *
     * @param pool the pool to read
     * @return the binding, which ends the export; closed once, when the pool is closed
     */
    Binding bind(PoolView pool);

    /** A backend that exports a pool. */
    @FunctionalInterface
    interface Binding {
        /**
         * The observer of every call of this pool. Called once, before the first call. The observer's cost adds to
         * every call, so backends that can read statistics need no observer.
         *
         * @return by default {@link LeaseObserver#NONE}, which costs nothing
         */
        default LeaseObserver observer() {
            return LeaseObserver.NONE;
        }

        /**
         * The listener for this pool's events. Called once, before the first call.
         *
         * @return by default null: no listener
         */
        default @Nullable PoolListener listener() {
            return null;
        }

        /**
         * The trace id of the calling thread, for the report of a failed request. Called on failures only.
         *
         * @return the trace id as the tracing system writes it; null, as by default, without a trace
         */
        default @Nullable String traceId() {
            return null;
        }

        /** Stops the export and removes everything registered for the pool. */
        void unbind();
    }
}
