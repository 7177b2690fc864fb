// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSession.State;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerViewProvider;
import io.flexpool.spi.PartContext.Leased;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds each lease's session behind a pooler by the application name of the lease's connection. The session may be
 * younger than the lease. A pooler sets a session's name when it assigns the session to a client with a name. A client
 * without a name leaves the previous name, so a name alone may be outdated. A lease therefore gets no session if two
 * connections have its name, or if only one of server and driver reports an open transaction. Used by one thread.
 */
final class NameMatch {
    private final ServerViewProvider provider;
    private final Map<String, Leased> byName = new TreeMap<>();
    private boolean unnamed;

    /** Reads the names of the leased connections and of flexpool's diagnostic connection. */
    NameMatch(ServerViewProvider provider, List<Leased> leased, Connection own) throws SQLException {
        this.provider = provider;
        Set<String> claimedTwice = new TreeSet<>();
        provider.name(own).ifPresent(claimedTwice::add);
        for (Leased each : leased) {
            try {
                String name = provider.name(each.connection()).orElse(null);
                unnamed |= name == null;
                if (name != null && byName.put(name, each) != null) {
                    claimedTwice.add(name);
                }
            } catch (SQLException ended) {
                // The connection was closed meanwhile, or belongs to another product.
            }
        }
        unnamed |= byName.keySet().removeAll(claimedTwice);
    }

    /** Whether a connection has a unique application name, as usual behind a pooler. */
    static boolean anyNamed(ServerViewProvider provider, List<Leased> leased) {
        return leased.stream().anyMatch(each -> {
            try {
                return provider.name(each.connection()).isPresent();
            } catch (SQLException ended) {
                return false;
            }
        });
    }

    /** The names to query. */
    Set<String> names() {
        return Collections.unmodifiableSet(byName.keySet());
    }

    /** Whether leases exist, and none of their connections has a unique name. */
    boolean unnamed() {
        return unnamed && byName.isEmpty();
    }

    /** The found sessions, by lease number. */
    Map<Long, ServerSession> byLease(ServerSnapshot snapshot, boolean withStatements) {
        Map<Long, ServerSession> matched = new HashMap<>();
        for (ServerSession session : snapshot.sessions()) {
            String name = session.application();
            Leased leased = name == null || !session.asked() ? null : byName.get(name);
            if (leased != null && agrees(provider, session, leased.connection()) && leased.read() != null) {
                matched.put(leased.lease(), withStatements ? session : session.withoutStatement());
            }
        }
        return Collections.unmodifiableMap(matched);
    }

    /**
     * Whether a session may belong to a connection, because server and driver agree on whether a transaction is open.
     * While a statement runs the driver's state is outdated, so nothing is compared.
     */
    static boolean agrees(ServerViewProvider provider, ServerSession session, Connection connection) {
        if (session.state() != State.IDLE && session.state() != State.IDLE_IN_TRANSACTION) {
            return true;
        }
        try {
            boolean inTransaction = session.state() == State.IDLE_IN_TRANSACTION;
            return provider.inTransaction(connection)
                    .map(open -> open == inTransaction)
                    .orElse(true);
        } catch (SQLException ended) {
            return false;
        }
    }
}
