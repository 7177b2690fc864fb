// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.PartContext.Leased;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The functions of a pool that only its parts need. Thread-safe. */
public interface PartPool {
    /** The open leases at a time of the pool's clock, oldest first. */
    List<OpenLease> openLeases(long nowNanos);

    /** The begin and the wait of each open lease, by the pool's clock. */
    long[] begins();

    /** Records the most leases open at once, and the most requests pending at once, since the last tick. */
    void peaked(long nowNanos, int leased, int pending);

    /** Notes that leases are recorded from now on, with their call sites. */
    void records();

    /** The call site of the calling thread's JDBC call; null without such a call, or if call sites are not captured. */
    @Nullable
    String callSite();

    /** The knee that the controller has measured; 0 if none. */
    int knee();

    /** Keeps a reference to each connection leased from now on; the result lists the leased connections. */
    Supplier<List<Leased>> leasedConnections();

    /** Records that a part has changed the limit between two decisions of the controller. */
    void capped(PoolMode mode, @Nullable String part, int from, int to, String words, PoolState state);

    /** Evicts all connections, because the pool's database is another server now. */
    void moved(String why);
}
