// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.event.PoolListener;
import org.jspecify.annotations.Nullable;

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
        /**
         * What must hear every call of this pool. Asked once, before the first call; costs what the observer does, so
         * backends that can read have none.
         *
         * @return by default {@link LeaseObserver#NONE}, which costs nothing
         */
        default LeaseObserver observer() {
            return LeaseObserver.NONE;
        }

        /**
         * What hears this pool's events. Asked once, before the first call.
         *
         * @return by default null: nothing does
         */
        default @Nullable PoolListener listener() {
            return null;
        }

        /**
         * The trace that the calling thread is in, for the report of a request that failed. Asked on failures only.
         *
         * @return the trace id as the tracing system writes it; null, as by default, if there is none
         */
        default @Nullable String traceId() {
            return null;
        }

        /** Stops showing the pool and removes whatever was registered for it. */
        void unbind();
    }
}
