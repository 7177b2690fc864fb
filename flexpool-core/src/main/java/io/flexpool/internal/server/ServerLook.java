// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.server;

import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.Wait;
import io.flexpool.server.ServerSnapshot;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one look at the server gave. Immutable.
 *
 * @param nanos when it ended
 * @param snapshot what the server said; null if it said nothing
 * @param byLease the sessions of the leases that lasted from before the look until after it, by number of the lease
 * @param missing why the server said nothing, a clause; null if it did
 */
public record ServerLook(
        long nanos,
        @Nullable ServerSnapshot snapshot,
        Map<Long, ServerSession> byLease,
        @Nullable String missing) {

    static ServerLook without(String why, long nanos) {
        return new ServerLook(nanos, null, Map.of(), why);
    }

    /** Whether at least half of the leased connections wait for locks: further ones would wait as well. */
    boolean lockedUp() {
        long waiting = byLease.values().stream()
                .filter(session -> session.waitsFor() == Wait.LOCK)
                .count();
        return waiting > 0 && 2 * waiting >= byLease.size();
    }
}
