// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.PartContext.Leased;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What parts need of their pool beside what all of its components share. Thread-safe. */
public interface PartPool {
    /** The open leases at a time of the pool's clock, oldest first. */
    List<OpenLease> openLeases(long nowNanos);

    /** Of each open lease its begin and its wait, by the pool's clock. */
    long[] begins();

    /** So many leases were open at once, and so many requests pending, since the last tick. */
    void peaked(long nowNanos, int leased, int pending);

    /** The recording of leases has begun: its figures name call sites. */
    void records();

    /** The call site of the call of JDBC in which the calling thread is; null if call sites are not captured, or it is in none. */
    @Nullable
    String callSite();

    /** What the controller has measured; 0 if nothing. */
    int knee();

    /** Keeps a reference to each connection that is leased from now on, and reads them. */
    Supplier<List<Leased>> leasedConnections();

    /** A part has changed the limit between two decisions of the controller. */
    void capped(PoolMode mode, @Nullable String part, int from, int to, String words, PoolState state);

    /** All connections are left, for the database is another one. */
    void moved(String why);
}
