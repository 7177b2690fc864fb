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
 * Which session works for which lease behind a pooler: that with the name of the lease's connection. The session may be younger
 * than the lease. A pooler changes the name of a session when it gives it to another client, unless that client has none: then
 * a session has the name of a connection that it does not work for. No lease gets a session whose name two connections have, that is
 * idle in a transaction while the driver has none open, or has none while the driver has one. Used by one thread.
 */
final class NameMatch {
    private final ServerViewProvider provider;
    private final Map<String, Leased> byName = new TreeMap<>();
    private boolean unnamed;

    /** Asks a provider for the names of the leased connections and of flexpool's own. */
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
                // Closed in this moment, or of another product.
            }
        }
        unnamed |= byName.keySet().removeAll(claimedTwice);
    }

    /** Whether a connection has a name of its own, as for a pooler. */
    static boolean anyNamed(ServerViewProvider provider, List<Leased> leased) {
        return leased.stream().anyMatch(each -> {
            try {
                return provider.name(each.connection()).isPresent();
            } catch (SQLException ended) {
                return false;
            }
        });
    }

    /** The names to ask for. */
    Set<String> asked() {
        return Collections.unmodifiableSet(byName.keySet());
    }

    /** Whether no connection has a name of its own, as far as the leased ones show. */
    boolean unnamed() {
        return unnamed && byName.isEmpty();
    }

    /** The sessions by number of the lease. */
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
     * Whether a session may be a connection's, by the transaction that both know. What the driver knows while a statement runs is
     * what held before it: then nothing can be compared.
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
