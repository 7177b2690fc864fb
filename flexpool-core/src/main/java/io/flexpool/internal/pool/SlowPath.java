// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.failure.FailureHandler;
import io.flexpool.internal.gate.Circuit;
import io.flexpool.internal.lease.NestedAcquisitions;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.internal.resize.StartAlignment;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The path of requests that are not answered at once, with the components that it needs. Thread-safe.
 *
 * @param limiter null if the pool is never limited
 */
record SlowPath(
        PoolContext context,
        Admission admission,
        ConnectionSource source,
        PoolWatch watch,
        @Nullable Limiter limiter,
        StartAlignment alignment,
        PoolLifecycle lifecycle) {
    NestedAcquisitions nesting() {
        return watch.parts().nesting();
    }

    FailureHandler failures() {
        return watch.parts().failures();
    }

    Circuit circuit() {
        return failures().circuit();
    }

    /** Answers a request that was not admitted at once. */
    Connection acquire(AcquiringPool pool, ConnectionRequest request, long requestedNanos) throws SQLException {
        return begin(pool, request, requestedNanos).acquire();
    }

    /**
     * Answers a request after its first attempt has failed and given everything back.
     *
     * @param connected whether the pool returned a connection, which then did not become a lease
     */
    Connection acquireAfter(
            Throwable failure, boolean connected, AcquiringPool pool, ConnectionRequest request, long requestedNanos)
            throws SQLException {
        RequestAttempts rest = begin(pool, request, requestedNanos);
        return connected ? rest.failAfterConnect(failure) : rest.acquireAfter(failure);
    }

    /** Without memory or stack to begin, the request has failed. */
    private RequestAttempts begin(AcquiringPool pool, ConnectionRequest request, long requestedNanos) {
        RequestAttempts begun = null;
        try {
            begun = new RequestAttempts(pool, this, request, requestedNanos);
            return begun;
        } finally {
            if (begun == null) {
                context.recorder().failed(0, AcquisitionOutcome.ERROR);
            }
        }
    }

    /** Called before a closed or starting pool lends a connection. */
    void unusual() throws SQLException {
        if (context.admissionState().closed()) {
            throw FailureHandler.closed(context.name());
        }
        context.listeners().guard("the alignment of the pool's size", alignment);
    }
}
