// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.spi.HeldConnection;
import java.util.List;
import java.util.function.Supplier;

/** What parts need of their pool beside what all of its components share. Thread-safe. */
public interface PartPool {
    /** The open leases at a time of the pool's clock, oldest first. */
    List<OpenLease> openLeases(long nowNanos);

    /** What the controller has measured; 0 if nothing. */
    int knee();

    /** Keeps a reference to each connection that is leased from now on, and reads them. */
    Supplier<List<HeldConnection>> heldConnections();

    /** All connections are left, for the database is another one. */
    void moved(String why);
}
