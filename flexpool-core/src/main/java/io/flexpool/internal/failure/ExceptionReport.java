// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.pool.PoolState;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The paragraph that tells the caller of a failed request what was going on. Built only on failure. */
final class ExceptionReport {
    private static final String PREFIX = "flexpool ";

    private ExceptionReport() {}

    static String text(
            String pool,
            AcquisitionFailure failure,
            long waitedNanos,
            int attempts,
            PoolState state,
            @Nullable String traceId) {
        String what = switch (failure.kind()) {
            case EXHAUSTED -> "exhausted, every connection is out";
            case CONNECT_FAILED ->
                "not exhausted: the database refuses connections or cannot be reached ("
                        + (failure.sqlState() == null ? "" : "SQLState " + failure.sqlState() + ", ")
                        + failure.reason() + ")";
            case INTERRUPTED -> "interrupted while waiting";
            case CLOSED -> "the pool is closed";
            case REJECTED -> "turned away, " + failure.reason();
            case OTHER -> failure.reason();
        };
        return PREFIX + "'" + pool + "': no connection after " + waitedNanos / 1_000_000 + " ms"
                + (attempts > 1 ? " and " + attempts + " attempts" : "") + ": " + what + "; " + state.describe()
                + (traceId == null ? "" : "; trace " + traceId);
    }

    /**
     * Puts the report into the pool's own exception, as a suppressed one without a stack, and not twice: pools may
     * throw one object to many callers.
     */
    static void attach(Throwable failure, String report) {
        for (Throwable suppressed : failure.getSuppressed()) {
            String message = suppressed.getMessage();
            if (suppressed instanceof SQLException && message != null && message.startsWith(PREFIX)) {
                return;
            }
        }
        SQLException carrier = new SQLException(report);
        carrier.setStackTrace(new StackTraceElement[0]);
        failure.addSuppressed(carrier);
    }
}
