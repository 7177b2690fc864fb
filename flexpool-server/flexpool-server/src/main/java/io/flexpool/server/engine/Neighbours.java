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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pools with a server view in this class loader, by weak references. A query of one pool names the leases of the
 * others by their sessions. Two servers may use the same session id, so pools must have the same host and port in their
 * URLs. {@code localhost}, {@code 127.0.0.1} and {@code [::1]} count as one host, and a missing port as the driver's
 * default. Other host names are not resolved, because a name service may hang. Thread-safe.
 */
final class Neighbours {
    private static final List<WeakReference<ServerView>> VIEWS = new CopyOnWriteArrayList<>();

    /** The default port by the driver's name in a URL. */
    private static final Map<String, String> DEFAULT_PORTS =
            Map.of("postgresql", "5432", "mysql", "3306", "mariadb", "3306");

    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[^]]*]|[^:,()=]*)(?::(\\d+))?");
    private static final Pattern LOOPBACKS =
            Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[(::1|(0{1,4}:){7}0{0,3}1)]");
    private static final String LOOPBACK = "localhost";

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
     * Finds the leases of other pools that own the sessions which were not queried. Takes only leases that lasted
     * during the whole query.
     *
     * @param named whether sessions are found by application name, as behind a pooler
     * @param own the diagnostic connection
     * @param queryNanos the duration of the query
     */
    static Map<Long, ServerQueryResult.Neighbour> leases(
            ServerView view,
            ServerViewProvider knows,
            boolean named,
            Connection own,
            ServerSnapshot snapshot,
            long queryNanos) {
        Map<Object, List<ServerSession>> strangers = snapshot.sessions().stream()
                .filter(session -> !session.asked() && (!named || session.application() != null))
                .collect(Collectors.groupingBy(
                        session -> named ? Objects.requireNonNull(session.application()) : (Object) session.id()));
        String server = strangers.isEmpty() ? null : server(own);
        Map<Long, ServerQueryResult.Neighbour> found = new HashMap<>();
        if (server != null) {
            others(view)
                    .forEach(other -> other.leased().forEach(each -> {
                        Object key = key(knows, named, each.connection());
                        List<ServerSession> sessions = key == null ? List.of() : strangers.getOrDefault(key, List.of());
                        ServerSession session = sessions.size() == 1 ? sessions.get(0) : null;
                        OpenLease lease =
                                session == null || !server.equals(server(each.connection())) ? null : each.read();
                        if (session != null
                                && lease != null
                                && lease.age().toNanos() >= queryNanos
                                && (named
                                        ? NameMatch.agrees(knows, session, each.connection())
                                        : SessionMatch.oldEnough(
                                                session.connected(),
                                                lease.age()
                                                        .minusNanos(queryNanos)
                                                        .toNanos()))) {
                            found.put(session.id(), new ServerQueryResult.Neighbour(other.pool(), lease));
                        }
                    }));
        }
        return Collections.unmodifiableMap(found);
    }

    /** The name or id that identifies a connection's session; null if unknown. */
    private static @Nullable Object key(ServerViewProvider knows, boolean named, Connection connection) {
        try {
            if (!knows.supports(connection)) {
                return null;
            }
            if (named) {
                return knows.name(connection).orElse(null);
            }
            OptionalLong id = knows.session(connection);
            return id.isPresent() ? id.getAsLong() : null;
        } catch (SQLException | LinkageError ended) {
            // The connection was closed meanwhile, or belongs to another product.
            return null;
        }
    }

    /** The pools with open connections, the largest number first, without pools known to use another server. */
    static List<ServerQueryResult.OpenPool> open(ServerView view) {
        String server = view.server();
        return Stream.concat(Stream.of(view), others(view))
                .filter(one -> one.open() > 0)
                .map(one -> new ServerQueryResult.OpenPool(
                        one.pool(), one.open(), one == view ? Boolean.TRUE : same(server, one.server())))
                .filter(one -> !Boolean.FALSE.equals(one.sameServer()))
                .sorted(Comparator.comparingInt(ServerQueryResult.OpenPool::connections)
                        .reversed())
                .toList();
    }

    private static @Nullable Boolean same(@Nullable String one, @Nullable String other) {
        return (one == null || other == null) ? null : (Boolean) one.equals(other);
    }

    /**
     * The host and port in the URL of a connection; null without a host, or with several. Queries neither the server
     * nor a name service.
     */
    static @Nullable String server(Connection connection) {
        try {
            DatabaseMetaData metaData = connection.getMetaData();
            String url = metaData == null ? null : metaData.getURL();
            return url == null ? null : server(url);
        } catch (SQLException | RuntimeException ended) {
            return null;
        }
    }

    /**
     * The host and port of a URL in one spelling: with the driver's default port if none is given, and one name for all
     * loopback addresses.
     */
    static @Nullable String server(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        if (!lower.startsWith("jdbc:")) {
            return null;
        }
        String port = DEFAULT_PORTS.get(lower.split(":", 3)[1]);
        int at = lower.indexOf("//");
        if (at < 0) {
            // A URL such as jdbc:postgresql:orders leads to the local host.
            return port == null ? null : LOOPBACK + ":" + port;
        }
        String authority = lower.substring(at + 2).split("[/?;]", 2)[0];
        String address = authority.substring(authority.lastIndexOf('@') + 1);
        Matcher parts = HOST_AND_PORT.matcher(address);
        if (!parts.matches()) {
            return address.isEmpty() || address.contains(",") ? null : address;
        }
        String host =
                parts.group(1).isEmpty() || LOOPBACKS.matcher(parts.group(1)).matches() ? LOOPBACK : parts.group(1);
        String given = parts.group(2) == null ? port : parts.group(2);
        return host + (given == null ? "" : ":" + given);
    }
}
