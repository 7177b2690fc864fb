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
 * The result of one look at the server. Immutable.
 *
 * @param beganNanos when it began: the durations that the server reported end between then and the next time
 * @param nanos when it ended
 * @param snapshot what the server said; null if it did not answer
 * @param byLease the sessions of the leases that lasted from before the look until after it, by number of the lease
 * @param missing why there is no snapshot, a clause; null if there is one
 * @param neighbours the leases of other pools of this JVM, by number of their session
 * @param pools the pools of this JVM that have connections to the server, or may have, the one with the most first
 */
record ServerLook(
        long beganNanos,
        long nanos,
        @Nullable ServerSnapshot snapshot,
        Map<Long, ServerSession> byLease,
        @Nullable String missing,
        Map<Long, Neighbour> neighbours,
        List<OpenPool> pools)
        implements SessionFindings.Query {
    /** By how much a duration may differ between the server's clock and this one; a thousandth of it is added. */
    public static final Duration CLOCKS_DIFFER = Duration.ofMillis(50);

    static ServerLook without(String why, long nanos) {
        return new ServerLook(nanos, nanos, null, Map.of(), why, Map.of(), List.of());
    }

    @Override
    public SessionFindings with(List<OpenLease> open, long readNanos) {
        return new ServerFound(open, this, readNanos);
    }

    ServerLook with(List<OpenPool> open) {
        return new ServerLook(beganNanos, nanos, snapshot, byLease, missing, neighbours, open);
    }

    /**
     * A lease of another pool of this JVM.
     *
     * @param pool its name
     * @param lease as it was when the look ended
     */
    public record Neighbour(String pool, OpenLease lease) {}

    /** Where a lease is held: its call site, else its thread. */
    static String at(OpenLease lease) {
        String site = lease.callSite();
        return site == null ? "call site not captured, in " + lease.thread() : site;
    }

    /**
     * A pool of this JVM.
     *
     * @param connections how many it has open
     * @param sameServer whether to the server that was looked at; null if unknown
     */
    public record OpenPool(
            String name, int connections, @Nullable Boolean sameServer) {}

    /** Whether at least half of the leased connections wait for locks: further ones would wait as well. */
    boolean lockedUp() {
        long waiting = byLease.values().stream()
                .filter(session -> session.waitsFor() == Wait.LOCK)
                .count();
        return waiting > 0 && 2 * waiting >= byLease.size();
    }
}
