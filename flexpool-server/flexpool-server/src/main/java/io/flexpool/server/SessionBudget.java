// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server;

import io.flexpool.server.ServerSnapshot.Application;
import io.flexpool.server.ServerSnapshot.Limit;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a pool's ceiling fits into what its server has: the sum over all instances that no single pool knows. Immutable. The
 * figures are those of the last look, at most a minute old where flexpool looks each minute.
 *
 * <p>An instance is taken to have an address of its own and one pool like this one. Sessions with the application's name and
 * user are the application's, all others are other clients'.
 *
 * @param pool the pool's name
 * @param ceiling how many connections the pool may have open; {@link ServerSnapshot#UNKNOWN} if it does not report that
 * @param fleetCap how many all members of the pool's fleet may have open together; 0 without a fleet
 * @param server what the server said, without single sessions
 * @param missing why the server said nothing, a clause; null if it did
 */
public record SessionBudget(
        String pool,
        int ceiling,
        int fleetCap,
        ServerSnapshot server,
        @Nullable String missing) {
    private static final int UNKNOWN = ServerSnapshot.UNKNOWN;

    /**
     * Leaves out single sessions.
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

    /** Whether what runs, and one more instance, can open all that it may open. */
    public enum Fit {
        /** The server, or the pool, did not say enough. */
        UNKNOWN,
        /** There is room for one instance more, or for all that the fleet may open. */
        MORE,
        /** There is room for the instances that run, and not for another one. */
        FULL,
        /** There is no room for what runs, if it opens all that it may open. */
        OVER
    }

    /** {@return how many sessions the pool's user may have at most; {@link ServerSnapshot#UNKNOWN} if unknown} */
    public int usable() {
        Limit limit = server.limit();
        return server.usable() == UNKNOWN || limit == null ? server.usable() : Math.min(server.usable(), limit.max());
    }

    /** {@return how many sessions this application has, all instances together; {@link ServerSnapshot#UNKNOWN} if unknown} */
    public int sessions() {
        Application own = server.application();
        return own == null ? UNKNOWN : own.sessions();
    }

    /**
     * How many of the usable sessions other clients leave to this application.
     *
     * @return at least 0; {@link ServerSnapshot#UNKNOWN} if unknown
     */
    public int left() {
        return left(sessions());
    }

    /**
     * The same for a group of clients of which it is known from elsewhere how many sessions it has.
     *
     * @param own how many sessions it has
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

    /** {@return how many instances with this ceiling have room; {@link ServerSnapshot#UNKNOWN} if unknown} */
    public int room() {
        int left = left();
        return left == UNKNOWN || ceiling < 1 ? UNKNOWN : left / ceiling;
    }

    /** {@return whether what may be opened fits} */
    public Fit fit() {
        Application own = server.application();
        if (own == null || left() == UNKNOWN) {
            return Fit.UNKNOWN;
        }
        if (fleetCap > 0) {
            return fleetCap <= left() ? Fit.MORE : Fit.OVER;
        }
        int room = room();
        if (room == UNKNOWN) {
            return Fit.UNKNOWN;
        }
        return room > own.addresses() ? Fit.MORE : room == own.addresses() ? Fit.FULL : Fit.OVER;
    }

    /** {@return sessions by application, the most numerous first; empty if unknown; unmodifiable} */
    public Map<String, Integer> byApplication() {
        return server.sessionsByApplication();
    }

    /**
     * The budget in one line.
     *
     * @return for example {@code orders: ceiling 20 x 3 instances = 60 connections: they fit, and one more instance fits;
     *     sessions: 97 usable, 41 used by 3 instances of 'orders', 12 by other clients}; names are foreign text, to be shown as plain text only
     */
    public String describe() {
        Application own = server.application();
        if (missing != null || own == null || left() == UNKNOWN) {
            return pool + ": the number of free sessions on the server is unknown: "
                    + Objects.requireNonNullElse(missing, "the server did not report it");
        }
        int others = server.used() - own.sessions();
        return pool + ": " + need(own) + ": " + verdict() + "; sessions: " + usable() + " usable" + narrower() + ", "
                + own.sessions() + " used by " + (own.addresses() == 1 ? "1 instance" : own.addresses() + " instances")
                + " of '" + own.name() + "', " + others + " by other clients";
    }

    /** The connections that may be opened together. */
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
