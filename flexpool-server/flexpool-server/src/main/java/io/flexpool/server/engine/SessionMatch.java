// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerViewProvider;
import io.flexpool.spi.PartContext.Leased;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds each lease's session by the id that the driver reports. Servers reuse ids, so a lease gets no session that is
 * younger than the lease or has another user than the diagnostic connection. It also gets none if two connections have
 * the same id, or if the lease has ended since. Used by one thread.
 */
final class SessionMatch {
    private final Map<Long, Leased> bySession = new HashMap<>();
    private final @Nullable Long own;

    /**
     * Reads the session ids of the leased connections. {@code own} is the id of flexpool's diagnostic connection, or
     * empty if unknown.
     */
    SessionMatch(ServerViewProvider provider, List<Leased> leased, OptionalLong own) {
        this.own = own.isPresent() ? own.getAsLong() : null;
        Set<Long> claimedTwice = new HashSet<>();
        for (Leased each : leased) {
            try {
                OptionalLong id = provider.session(each.connection());
                if (id.isPresent() && bySession.put(id.getAsLong(), each) != null) {
                    claimedTwice.add(id.getAsLong());
                }
            } catch (SQLException ended) {
                // The connection was closed meanwhile, or belongs to another product.
            }
        }
        bySession.keySet().removeAll(claimedTwice);
        if (this.own != null) {
            bySession.remove(this.own);
        }
    }

    /** The ids to query, with that of flexpool's diagnostic connection. */
    Set<Long> ids() {
        Set<Long> ids = new TreeSet<>(bySession.keySet());
        if (own != null) {
            ids.add(own);
        }
        return Collections.unmodifiableSet(ids);
    }

    /**
     * Whether a pooler such as PgBouncer hides the sessions: no session has the id of the connection that ran the
     * query. If that id is unknown, the sessions are hidden if none of the queried ids exists.
     */
    boolean hidden(ServerSnapshot snapshot) {
        Set<Long> unknown = snapshot.unknownSessions();
        return own != null ? unknown.contains(own) : !bySession.isEmpty() && unknown.containsAll(bySession.keySet());
    }

    /** The found sessions, by lease number. */
    Map<Long, ServerSession> byLease(ServerSnapshot snapshot, long queriedNanos, boolean withStatements) {
        Map<Long, ServerSession> matched = new HashMap<>();
        String user = userOf(snapshot);
        for (ServerSession session : snapshot.sessions()) {
            Leased leased = bySession.get(session.id());
            if (leased != null
                    && session.asked()
                    && oldEnough(session.connected(), queriedNanos - leased.acquiredNanos())
                    && (user == null || session.user() == null || user.equals(session.user()))
                    && leased.read() != null) {
                matched.put(leased.lease(), withStatements ? session : session.withoutStatement());
            }
        }
        return Collections.unmodifiableMap(matched);
    }

    private @Nullable String userOf(ServerSnapshot snapshot) {
        for (ServerSession session : snapshot.sessions()) {
            if (own != null && session.id() == own) {
                return session.user();
            }
        }
        return null;
    }

    /** Whether a session is at least as old as a lease. */
    static boolean oldEnough(@Nullable Duration connected, long leasedNanos) {
        return connected == null
                || connected
                                .plus(ServerQueryResult.CLOCKS_DIFFER)
                                .plus(connected.dividedBy(1_000))
                                .toNanos()
                        >= leasedNanos;
    }
}
