// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.server.ServerSession;
import io.flexpool.server.ServerSnapshot;
import io.flexpool.server.ServerViewProvider;
import java.lang.ref.WeakReference;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pools of this class loader whose server is looked at, held weakly: a look names those that have what it finds. Two
 * servers may give the same number to a session; pools count as those of one server if their URLs have the same host and
 * port. Thread-safe.
 */
final class Neighbours {
    private static final List<WeakReference<ServerView>> VIEWS = new CopyOnWriteArrayList<>();

    private Neighbours() {}

    static void add(ServerView view) {
        remove(view);
        VIEWS.add(new WeakReference<>(view));
    }

    static void remove(ServerView view) {
        VIEWS.removeIf(one -> one.get() == null || one.get() == view);
    }

    private static Stream<ServerView> others(ServerView than) {
        return VIEWS.stream().map(WeakReference::get).filter(Objects::nonNull).filter(one -> one != than);
    }

    /**
     * The leases of other pools to which the sessions belong that were not asked for: those that lasted from before the look
     * until after it.
     *
     * @param own the connection of the look
     * @param lookNanos for how long the look has taken
     */
    static Map<Long, ServerLook.Neighbour> leases(
            ServerView view, ServerViewProvider knows, Connection own, ServerSnapshot snapshot, long lookNanos) {
        Map<Long, ServerSession> strangers = snapshot.sessions().stream()
                .filter(session -> !session.asked())
                .collect(Collectors.toMap(ServerSession::id, session -> session));
        String server = strangers.isEmpty() ? null : server(own);
        Map<Long, ServerLook.Neighbour> found = new HashMap<>();
        if (server != null) {
            others(view)
                    .forEach(other -> other.leased().forEach(each -> {
                        ServerSession session = strangers.get(session(knows, each.connection()));
                        OpenLease lease =
                                session == null || !server.equals(server(each.connection())) ? null : each.read();
                        if (session != null
                                && lease != null
                                && lease.age().toNanos() >= lookNanos
                                && SessionMatch.oldEnough(
                                        session.connected(),
                                        lease.age().minusNanos(lookNanos).toNanos())) {
                            found.put(session.id(), new ServerLook.Neighbour(other.pool(), lease));
                        }
                    }));
        }
        return Collections.unmodifiableMap(found);
    }

    private static @Nullable Long session(ServerViewProvider knows, Connection connection) {
        try {
            OptionalLong id = knows.supports(connection) ? knows.session(connection) : OptionalLong.empty();
            return id.isPresent() ? id.getAsLong() : null;
        } catch (SQLException | LinkageError ended) {
            // Closed in this moment, or of another product.
            return null;
        }
    }

    /** How many connections the pools have open of which it is not known that they are another server's: the most first. */
    static List<ServerLook.OpenPool> open(ServerView view) {
        String server = view.server();
        return Stream.concat(Stream.of(view), others(view))
                .filter(one -> one.open() > 0)
                .map(one -> new ServerLook.OpenPool(
                        one.pool(), one.open(), one == view ? Boolean.TRUE : same(server, one.server())))
                .filter(one -> !Boolean.FALSE.equals(one.sameServer()))
                .sorted(Comparator.comparingInt(ServerLook.OpenPool::connections)
                        .reversed())
                .toList();
    }

    private static @Nullable Boolean same(@Nullable String one, @Nullable String other) {
        return (one == null || other == null) ? null : (Boolean) one.equals(other);
    }

    /** Host and port in the URL of a connection; null if it shows none, or several. Asks no server. */
    static @Nullable String server(Connection connection) {
        try {
            DatabaseMetaData metaData = connection.getMetaData();
            String url = metaData == null ? null : metaData.getURL();
            int at = url == null ? -1 : url.indexOf("//");
            if (url == null || at < 0) {
                return null;
            }
            String authority = url.substring(at + 2).split("[/?;]", 2)[0];
            String host = authority.substring(authority.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
            return host.isEmpty() || host.contains(",") ? null : host;
        } catch (SQLException | RuntimeException ended) {
            return null;
        }
    }
}
