// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.diagnostics.OpenLease;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** A leased connection, as a part finds it. Thread-safe. Made by flexpool alone; minor releases add methods. */
public interface HeldConnection {
    /** {@return the number of the lease, which no other one of the pool has} */
    long lease();

    /**
     * The connection.
     *
     * @return what the application holds: it may use it now, and close it at any moment; only to be asked for what the driver
     *     knows without a round trip
     */
    Connection connection();

    /** {@return when the lease began, by the pool's clock} */
    long acquiredNanos();

    /** {@return whether the lease has not ended} */
    boolean lasts();

    /** {@return the lease as it is now; null if it has ended} */
    @Nullable
    OpenLease read();
}
