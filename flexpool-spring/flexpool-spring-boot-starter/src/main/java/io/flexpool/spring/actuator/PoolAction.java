// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.monitoring.PoolControl;
import io.flexpool.spi.Texts;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A requested operation on a whole pool. Validated as far as possible without the pool.
 *
 * @param name the operation
 * @param connections the number of connections to open; null for other operations
 * @param within the time limit; null for an operation without one
 * @param reason the reason of an eviction
 */
record PoolAction(
        Name name, @Nullable Integer connections, @Nullable Duration within, String reason) {
    static final String ALLOWED =
            "give action = pause, resume, evict (with reason), warm-up (with connections and within)"
                    + " or drain (with within)";

    /** The operations. */
    enum Name {
        PAUSE,
        RESUME,
        EVICT,
        WARM_UP,
        DRAIN
    }

    /**
     * Parses a request.
     *
     * @throws IllegalArgumentException if a parameter is invalid; the message has key, value and allowed values
     */
    static PoolAction of(
            String action, @Nullable String connections, @Nullable String within, @Nullable String reason) {
        Name name = null;
        for (Name one : Name.values()) {
            if (Texts.word(one).equals(action)) {
                name = one;
            }
        }
        if (name == null) {
            throw refused("action", action, "is unknown");
        }
        boolean opens = name == Name.WARM_UP;
        boolean waits = opens || name == Name.DRAIN;
        only(opens, "connections", connections);
        only(waits, "within", within);
        if (reason != null && name != Name.EVICT) {
            throw refused("reason", reason, "may only be given with action = evict");
        }
        return new PoolAction(
                name,
                connections == null ? null : number(connections),
                within == null ? null : duration(within),
                reason == null || reason.isBlank() ? "requested over the endpoint" : reason);
    }

    /**
     * Refuses an operation or its parameters together with a change of mode or limits.
     *
     * @throws IllegalArgumentException if any of the parameters is given
     */
    static void none(@Nullable String... ofAction) {
        for (String given : ofAction) {
            if (given != null) {
                throw new IllegalArgumentException(
                        "one request makes one change: the mode, the limits, or an action with its parameters; "
                                + ALLOWED);
            }
        }
    }

    private static void only(boolean needed, String key, @Nullable String given) {
        if (needed != (given != null)) {
            throw refused(key, given == null ? "none" : given, needed ? "must be given" : "must not be given here");
        }
    }

    private static Integer number(String given) {
        Integer number = Texts.wholeNumber(given.strip());
        if (number == null) {
            throw refused("connections", given, "must be a whole number");
        }
        return number;
    }

    private static Duration duration(String given) {
        Duration parsed = Texts.duration(given.strip());
        if (parsed == null) {
            throw refused("within", given, "must be a duration, for example 30s or PT30S");
        }
        return parsed;
    }

    private static IllegalArgumentException refused(String key, String given, String rule) {
        String shown = given.length() > 50 ? given.substring(0, 50) + "…" : given;
        return new IllegalArgumentException(key + " = " + shown + ": " + rule + "; " + ALLOWED);
    }

    /**
     * Runs the operation.
     *
     * @return the result: for a warm-up the open connections, for a drain the leases left, otherwise whether it had an
     * effect
     * @throws IllegalArgumentException if a value is out of its range
     */
    Object apply(PoolControl pool) {
        Duration time = within == null ? Duration.ZERO : within;
        return switch (name) {
            case PAUSE -> pool.pause();
            case RESUME -> pool.resume();
            case EVICT -> pool.evict(reason);
            case WARM_UP -> pool.warmUp(connections == null ? 0 : connections, time);
            case DRAIN -> pool.drain(time);
        };
    }
}
