// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.Wait;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.spi.SessionInsight.SessionFindings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of one query of the server. Immutable.
 *
 * @param beganNanos the start of the query; the server measured its durations between this time and {@code nanos}
 * @param nanos the end of the query
 * @param snapshot the server's report; null if it is missing
 * @param byLease the sessions of the leases that lasted during the whole query, by lease number
 * @param missing why there is no snapshot, as a clause; null if there is a snapshot
 * @param neighbours the leases of other pools of this JVM, by session id
 * @param pools the pools of this JVM with connections to the server, or to an unknown server, by descending number
 */
record ServerQueryResult(
        long beganNanos,
        long nanos,
        @Nullable ServerSnapshot snapshot,
        Map<Long, ServerSession> byLease,
        @Nullable String missing,
        Map<Long, Neighbour> neighbours,
        List<OpenPool> pools)
        implements SessionFindings.Query {
    /**
     * The largest difference of a duration between the server's clock and this JVM's; a thousandth of the duration is
     * added.
     */
    public static final Duration CLOCKS_DIFFER = Duration.ofMillis(50);

    static ServerQueryResult without(String why, long nanos) {
        return new ServerQueryResult(nanos, nanos, null, Map.of(), why, Map.of(), List.of());
    }

    @Override
    public SessionFindings with(List<OpenLease> open, long readNanos) {
        return new ServerFound(open, this, readNanos);
    }

    ServerQueryResult with(List<OpenPool> open) {
        return new ServerQueryResult(beganNanos, nanos, snapshot, byLease, missing, neighbours, open);
    }

    /**
     * A lease of another pool of this JVM.
     *
     * @param pool the pool's name
     * @param lease the lease at the end of the query
     */
    public record Neighbour(String pool, OpenLease lease) {}

    /** The call site of a lease; without one, its thread. */
    static String at(OpenLease lease) {
        String site = lease.callSite();
        return site == null ? "call site not captured, in " + lease.thread() : site;
    }

    /**
     * A pool of this JVM.
     *
     * @param connections the number of open connections
     * @param sameServer whether they lead to the queried server; null if unknown
     */
    public record OpenPool(
            String name, int connections, @Nullable Boolean sameServer) {}

    /** Whether at least half of the leased connections wait for locks: additional connections would wait too. */
    boolean lockedUp() {
        long waiting = byLease.values().stream()
                .filter(session -> session.waitsFor() == Wait.LOCK)
                .count();
        return waiting > 0 && 2 * waiting >= byLease.size();
    }
}
