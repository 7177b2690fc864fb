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
 * Which session belongs to which lease. No lease gets a session that two connections have the number of, that is younger than
 * the lease (the server has given the number again), that has another user than flexpool's own connection, or whose lease
 * has ended since. Used by one thread.
 */
final class SessionMatch {
    private final Map<Long, Leased> bySession = new HashMap<>();
    private final @Nullable Long own;

    /** Asks a provider for the ids of the leased connections. The own id is that of flexpool's connection; empty if unknown. */
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
                // Closed in this moment, or of another product.
            }
        }
        bySession.keySet().removeAll(claimedTwice);
        if (this.own != null) {
            bySession.remove(this.own);
        }
    }

    /** The ids to ask for, with that of flexpool's own connection. */
    Set<Long> asked() {
        Set<Long> ids = new TreeSet<>(bySession.keySet());
        if (own != null) {
            ids.add(own);
        }
        return Collections.unmodifiableSet(ids);
    }

    /**
     * Whether something between flexpool and the server hides the sessions, as PgBouncer does: the server does not know
     * the session of flexpool's own connection, through which it answered. If the driver does not know that session's id, the
     * sessions are hidden if the server knows none of those that it was asked for.
     */
    boolean hidden(ServerSnapshot snapshot) {
        Set<Long> unknown = snapshot.unknownSessions();
        return own != null ? unknown.contains(own) : !bySession.isEmpty() && unknown.containsAll(bySession.keySet());
    }

    /** The sessions by number of the lease. */
    Map<Long, ServerSession> byLease(ServerSnapshot snapshot, long lookedNanos, boolean withStatements) {
        Map<Long, ServerSession> matched = new HashMap<>();
        String user = userOf(snapshot);
        for (ServerSession session : snapshot.sessions()) {
            Leased leased = bySession.get(session.id());
            if (leased != null
                    && session.asked()
                    && oldEnough(session.connected(), lookedNanos - leased.acquiredNanos())
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

    /** Whether a session is not younger than a lease. */
    static boolean oldEnough(@Nullable Duration connected, long leasedNanos) {
        return connected == null
                || connected
                                .plus(ServerLook.CLOCKS_DIFFER)
                                .plus(connected.dividedBy(1_000))
                                .toNanos()
                        >= leasedNanos;
    }
}
