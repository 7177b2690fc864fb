// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import java.time.Duration;
import java.util.Objects;

/** A strategy's answer for a waiting request or a failed attempt. Immutable. */
public final class Verdict {
    /** No decision: the next strategy is consulted. */
    public static final Verdict PASS = new Verdict(Action.PASS, Duration.ZERO, 0, "");

    /** What flexpool does. Minor releases add constants. */
    public enum Action {
        /** Consult the next strategy. */
        PASS,
        /** Try again, after {@link #duration()}. */
        RETRY,
        /** Grow the pool, by {@link #connections()}. */
        GROW,
        /** Reject the request, for a {@link #reason()}. */
        REJECT,
        /** Reject every request for a {@link #duration()}, then let one through as a probe. */
        OPEN_CIRCUIT
    }

    private final Action action;
    private final Duration duration;
    private final int connections;
    private final String reason;

    private Verdict(Action action, Duration duration, int connections, String reason) {
        this.action = action;
        this.duration = duration;
        this.connections = connections;
        this.reason = reason;
    }

    /**
     * Try again. A delay that reaches the deadline is taken as {@link #PASS}.
     *
     * @param delay how long to wait before, zero or more
     * @return the verdict
     * @throws IllegalArgumentException if the delay is negative
     */
    public static Verdict retry(Duration delay) {
        Objects.requireNonNull(delay, "delay is null");
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay = " + delay + ": must not be negative");
        }
        return new Verdict(Action.RETRY, delay, 0, "");
    }

    /**
     * Grow the pool. Granted only if every connection is in use and the database accepts connections; if not, the next
     * strategy is consulted.
     *
     * @param connections how many more connections could be used at once, at least 1
     * @return the verdict
     * @throws IllegalArgumentException if there are none
     */
    public static Verdict grow(int connections) {
        if (connections < 1) {
            throw new IllegalArgumentException("connections = " + connections + ": must be at least 1");
        }
        return new Verdict(Action.GROW, Duration.ZERO, connections, "");
    }

    /**
     * Reject the request now. The caller gets an exception of the pool's class, or, if an attempt failed, the pool's
     * exception.
     *
     * @param reason why, for the caller and the log: a phrase, not null
     * @return the verdict
     */
    public static Verdict reject(String reason) {
        return new Verdict(Action.REJECT, Duration.ZERO, 0, Objects.requireNonNull(reason, "reason is null"));
    }

    /**
     * Open the circuit: reject every request for some time without calling the pool, then let one through as a probe.
     * Only possible after a connect failure; this request fails with the pool's exception.
     *
     * @param openFor for how long, more than zero
     * @return the verdict
     * @throws IllegalArgumentException if the time is zero or negative
     */
    public static Verdict openCircuit(Duration openFor) {
        Objects.requireNonNull(openFor, "openFor is null");
        if (openFor.isNegative() || openFor.isZero()) {
            throw new IllegalArgumentException("openFor = " + openFor + ": must be more than PT0S");
        }
        return new Verdict(Action.OPEN_CIRCUIT, openFor, 0, "");
    }

    /** {@return what flexpool does} */
    public Action action() {
        return action;
    }

    /** {@return the delay of a retry, or for how long the circuit is open; else zero} */
    public Duration duration() {
        return duration;
    }

    /** {@return by how many connections the pool grows; else 0} */
    public int connections() {
        return connections;
    }

    /** {@return why a request is rejected; else empty} */
    public String reason() {
        return reason;
    }

    /** {@return whether the other one has the same action and figures} */
    @Override
    public boolean equals(Object other) {
        return other instanceof Verdict its
                && action == its.action
                && duration.equals(its.duration)
                && connections == its.connections
                && reason.equals(its.reason);
    }

    @Override
    public int hashCode() {
        return Objects.hash(action, duration, connections, reason);
    }

    /** {@return the action and its figures, for tests} */
    @Override
    public String toString() {
        return switch (action) {
            case PASS -> "pass";
            case RETRY -> "retry after " + duration;
            case GROW -> "grow by " + connections;
            case REJECT -> "reject: " + reason;
            case OPEN_CIRCUIT -> "open the circuit for " + duration;
        };
    }
}
