// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server;

import io.flexpool.server.ServerSnapshot.Application;
import io.flexpool.server.ServerSnapshot.Limit;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares the ceilings of a pool in all instances of the application with the sessions that the server allows.
 * Immutable. The figures are those of the last query, at most a minute old if flexpool queries each minute.
 *
 * <p>Each instance is assumed to have a separate address and one pool like this pool. Sessions with the application's
 * name and user count as the application's, even if another program of the same name and user has opened them; all
 * other sessions count as other clients'.
 *
 * @param pool the pool's name
 * @param ceiling the number of connections that the pool may open; {@link ServerSnapshot#UNKNOWN} if not reported
 * @param fleetCap the number of connections that all members of the pool's fleet may open together; 0 without a fleet
 * @param server the server's result, without single sessions
 * @param missing why the server's result is missing, as a clause; null if it is not
 */
public record SessionBudget(
        String pool,
        int ceiling,
        int fleetCap,
        ServerSnapshot server,
        @Nullable String missing) {
    private static final int UNKNOWN = ServerSnapshot.UNKNOWN;

    /**
     * Omits single sessions.
     *
     * @param pool see {@link #pool()}
     * @param ceiling see {@link #ceiling()}
     * @param fleetCap see {@link #fleetCap()}
     * @param server see {@link #server()}
     * @param missing see {@link #missing()}
     */
    public SessionBudget {
        Objects.requireNonNull(pool, "pool is null");
        Objects.requireNonNull(server, "server is null");
        server = ServerSnapshot.of(server.product())
                .slots(server.used(), server.usable())
                .reserved(server.reserved())
                .application(server.application())
                .limit(server.limit())
                .sessionsByApplication(server.sessionsByApplication())
                .notVisible(server.notVisible())
                .build();
    }

    /** Whether the running instances, and one more, can open all their connections. */
    public enum Fit {
        /** The server or the pool did not report the necessary figures. */
        UNKNOWN,
        /** Enough sessions for one more instance, or for the whole fleet. */
        MORE,
        /** Enough sessions for the running instances, but not for another instance. */
        FULL,
        /** Not enough sessions for the running instances, if they open all their connections. */
        OVER
    }

    /** {@return the number of sessions that the pool's user may have; {@link ServerSnapshot#UNKNOWN} if unknown} */
    public int usable() {
        Limit limit = server.limit();
        return server.usable() == UNKNOWN || limit == null ? server.usable() : Math.min(server.usable(), limit.max());
    }

    /**
     * {@return the number of sessions of this application, of all instances; {@link ServerSnapshot#UNKNOWN} if unknown}
     */
    public int sessions() {
        Application own = server.application();
        return own == null ? UNKNOWN : own.sessions();
    }

    /**
     * The number of usable sessions that other clients leave to this application.
     *
     * @return at least 0; {@link ServerSnapshot#UNKNOWN} if unknown
     */
    public int left() {
        return left(sessions());
    }

    /**
     * Like {@link #left()}, for a group of clients whose number of sessions the caller provides.
     *
     * @param own the number of sessions of the group
     * @return at least 0; {@link ServerSnapshot#UNKNOWN} if unknown
     */
    public int left(int own) {
        if (own == UNKNOWN || server.usable() == UNKNOWN || server.used() == UNKNOWN) {
            return UNKNOWN;
        }
        int left = server.usable() - Math.max(0, server.used() - own);
        Limit limit = server.limit();
        if (limit != null) {
            int others = limit.used() == UNKNOWN ? 0 : Math.max(0, limit.used() - own);
            left = Math.min(left, limit.max() - others);
        }
        return Math.max(0, left);
    }

    /** {@return the number of instances with this ceiling that fit; {@link ServerSnapshot#UNKNOWN} if unknown} */
    public int room() {
        int left = left();
        return left == UNKNOWN || ceiling < 1 ? UNKNOWN : left / ceiling;
    }

    /**
     * Whether all connections that the instances may open fit.
     *
     * @return {@link Fit#UNKNOWN} also if the application has no name, and its user has more sessions than the
     *     instances may open: then other programs have opened some of them
     */
    public Fit fit() {
        Application own = server.application();
        if (own == null || left() == UNKNOWN) {
            return Fit.UNKNOWN;
        }
        if (fleetCap > 0) {
            return fleetCap <= left() ? Fit.MORE : Fit.OVER;
        }
        int room = room();
        // Each instance also has flexpool's own connection.
        boolean strangers = !isNamed(own) && own.sessions() > (ceiling + 1L) * own.addresses();
        if (room == UNKNOWN || strangers) {
            return Fit.UNKNOWN;
        }
        return room > own.addresses() ? Fit.MORE : room == own.addresses() ? Fit.FULL : Fit.OVER;
    }

    /** {@return the number of sessions by application, the largest first; empty if unknown; unmodifiable} */
    public Map<String, Integer> byApplication() {
        return server.sessionsByApplication();
    }

    /**
     * The budget in one line.
     *
     * @return for example {@code orders: ceiling 20 x 3 instances = 60 connections: they fit, and one more instance
     *     fits; sessions: 97 usable, 41 by 'orders' from 3 addresses, 12 by other clients}. Names are untrusted:
     *     show them as plain text only
     */
    public String describe() {
        Application own = server.application();
        if (missing != null || own == null || left() == UNKNOWN) {
            return pool + ": the number of free sessions on the server is unknown: "
                    + Objects.requireNonNullElse(missing, "the server did not report it");
        }
        int others = server.used() - own.sessions();
        return pool + ": " + need(own) + ": " + verdict() + "; sessions: " + usable() + " usable" + narrower() + ", "
                + own.sessions() + " by "
                // Without a name, other programs with the same user count too.
                + (isNamed(own) ? "'" + own.name() + "'" : "all clients of this user without an application name")
                + " from " + (own.addresses() == 1 ? "1 address, " : own.addresses() + " addresses, ") + others
                + " by other clients";
    }

    /** False if the name is empty, or the driver's default. */
    private static boolean isNamed(Application own) {
        return !own.name().isBlank()
                && !own.name().endsWith("JDBC Driver")
                && !own.name().endsWith("Connector/J");
    }

    /** The number of connections that all instances may open together, in words. */
    private String need(Application own) {
        if (fleetCap > 0) {
            return "the fleet may open " + fleetCap + " connections";
        }
        return ceiling < 1
                ? "the pool may open an unknown number of connections"
                : "ceiling " + ceiling + " x " + (own.addresses() == 1 ? "1 instance" : own.addresses() + " instances")
                        + " = " + (long) ceiling * own.addresses() + " connections";
    }

    private String narrower() {
        Limit limit = server.limit();
        return limit == null || limit.max() >= server.usable()
                ? ""
                : " (the limit of " + (limit.kind() == Limit.Kind.ROLE ? "role '" : "database '") + limit.name() + "')";
    }

    private String verdict() {
        return switch (fit()) {
            case UNKNOWN -> "it is unknown whether they fit";
            case MORE -> fleetCap > 0 ? "they fit" : "they fit, and one more instance fits";
            case FULL -> "they fit, and one more instance does not fit";
            case OVER ->
                fleetCap > 0
                        ? "they exceed the " + left() + " sessions that other clients leave free"
                        : "they exceed the " + left() + " sessions that other clients leave free, only "
                                + (room() == 1 ? "1 instance fits" : room() + " instances fit");
        };
    }
}
