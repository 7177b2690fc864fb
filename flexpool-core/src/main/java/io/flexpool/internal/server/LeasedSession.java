// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.server;

import java.sql.Connection;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A leased connection, whose session in the server a look shall find.
 *
 * @param lease the number of the lease, which no other one of the pool has
 * @param connection what the application holds; it may close it at any moment
 * @param acquiredNanos when the lease began
 * @param goesOn whether the lease has not ended
 * @param held reads the lease; null if it has ended
 */
public record LeasedSession(
        long lease, Connection connection, long acquiredNanos, BooleanSupplier goesOn, Supplier<@Nullable Held> held) {
    /**
     * A lease as it was read.
     *
     * @param at its call site, or that this was not captured, and its thread
     */
    public record Held(String at, Duration age) {}

    /** The lease; null if it has ended. */
    @Nullable
    Held read() {
        return held.get();
    }
}
