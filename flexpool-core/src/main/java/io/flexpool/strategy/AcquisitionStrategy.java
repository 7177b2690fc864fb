// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to do for a waiting request or a failed attempt. Requests that are served at once never consult a
 * strategy. flexpool uses the first feasible verdict other than {@link Verdict#PASS}.
 *
 * <p>The order is fixed: the strategies of {@link io.flexpool.FlexPoolBuilder#strategy} as they were added, then the
 * strategies that keys enable: circuit breaker, growth on wait, fail-fast, retry. So an outage is known before the
 * first retry, and a request that growth can serve is not rejected.
 *
 * <p>Must be thread-safe and quick. Exceptions are logged, counted and treated as {@link Verdict#PASS}.
 * {@link Object#toString()} is shown in reports of a running pool: a few words without a full stop.
 */
public interface AcquisitionStrategy {
    /**
     * Decides. Called once after each failed attempt and, if {@link Requirements#whileWaiting} says so, repeatedly
     * while a request waits at the gate.
     *
     * @param situation the request and the pool
     * @return what to do
     */
    Verdict consult(AcquisitionSituation situation);

    /**
     * The strategy's requirements on the pool. Read once, when the pool is wrapped.
     *
     * @return by default {@link Requirements#NONE}: consulted only after failed attempts
     */
    default Requirements requirements() {
        return Requirements.NONE;
    }

    /**
     * A waiting request or a failed attempt, on which a strategy decides. Immutable. Made by flexpool alone, and not to
     * be implemented by applications: minor releases add methods.
     */
    interface AcquisitionSituation {
        /** {@return the time since the request was made} */
        Duration waited();

        /**
         * {@return the time until its deadline; zero or less after the deadline, {@link Long#MAX_VALUE} nanoseconds
         * without one}
         */
        Duration remaining();

        /** {@return the acquisition timeout of one attempt} */
        Duration timeout();

        /** {@return the number of this attempt, from 1} */
        int attempt();

        /**
         * Why the attempt failed: exhausted, connect failed or other. No strategy is consulted about an interrupt or a
         * closed pool.
         *
         * @return null while the request still waits at the gate
         */
        AcquisitionFailure.@Nullable Kind failure();

        /** {@return whether the request is in the gate's queue, and counted in {@code state().waiting()}} */
        boolean queued();

        /** {@return the number of requests that waited when this request joined the queue; 0 if it is not queued} */
        int ahead();

        /** {@return consecutive connect failures of this pool, including this attempt's} */
        int connectFailures();

        /** {@return the pool's state now} */
        PoolState state();
    }

    /**
     * A strategy's requirements on its pool. Starts with {@link #NONE}; each method returns a copy with one more
     * requirement. Immutable.
     */
    final class Requirements {
        /** Users notice a longer wait, even if the acquisition timeout is much longer (HikariCP: 30 s). */
        private static final Duration LONGEST_DEFAULT = Duration.ofMillis(250);
        /** A connect takes about this long, so growth cannot end a shorter wait, which may also be a pause of the JVM. */
        private static final Duration SHORTEST_DEFAULT = Duration.ofMillis(20);

        /** No requirement: the strategy is consulted only after failed attempts. */
        public static final Requirements NONE = new Requirements(false, null, 0, null);

        private final boolean whileWaiting;
        private final @Nullable Duration consultAfter;
        private final int ceiling;
        private final @Nullable Duration deadline;

        private Requirements(
                boolean whileWaiting, @Nullable Duration consultAfter, int ceiling, @Nullable Duration deadline) {
            this.whileWaiting = whileWaiting;
            this.consultAfter = consultAfter;
            this.ceiling = ceiling;
            this.deadline = deadline;
        }

        /**
         * Consults the strategy while a request waits at the gate, too: first after this time, again after the same time, and
         * then less and less often.
         *
         * <p>Without a time, a request waits for a tenth of the acquisition timeout, but at most for 250 ms. If
         * requests usually wait less, the time is shorter: four times the 99th percentile of the acquisitions of a
         * minute, but at least 20 ms. The percentile applies after 100 acquisitions. The percentile falls at once and
         * rises over minutes, so that an overload triggers growth before it counts as the usual wait. The initial percentile
         * excludes the wait at the gate, because a pool may be too small from its first request on.
         *
         * @param wait must be less than the acquisition timeout; zero: as soon as a request waits; null: the default
         * @return a copy
         */
        public Requirements whileWaiting(@Nullable Duration wait) {
            return new Requirements(true, wait, ceiling, deadline);
        }

        /**
         * Lets the strategy request growth, and makes the gate limit the pool.
         *
         * @param connections the highest lease limit that the strategy may request, at least 1
         * @return a copy
         */
        public Requirements ceiling(int connections) {
            if (connections < 1) {
                throw new IllegalArgumentException("ceiling = " + connections + ": must be at least 1");
            }
            return new Requirements(whileWaiting, consultAfter, connections, deadline);
        }

        /**
         * Sets a deadline for the whole request, all attempts together.
         *
         * @param whole longer than the acquisition timeout
         * @return a copy
         */
        public Requirements deadline(Duration whole) {
            Duration given = Objects.requireNonNull(whole, "deadline is null");
            return new Requirements(whileWaiting, consultAfter, ceiling, given);
        }

        /**
         * The longest wait before the strategy is first consulted.
         *
         * @param timeout the acquisition timeout
         * @return the wait; empty if the strategy is consulted only after failed attempts
         */
        public Optional<Duration> consultAfter(Duration timeout) {
            if (!whileWaiting) {
                return Optional.empty();
            }
            return Optional.of(consultAfter != null ? consultAfter : shorter(timeout.dividedBy(10), LONGEST_DEFAULT));
        }

        /**
         * The shortest wait before the strategy is first consulted, even if usual waits are shorter.
         *
         * @param timeout the acquisition timeout
         * @return the same as {@link #consultAfter} if a time was given
         */
        public Optional<Duration> consultAfterAtLeast(Duration timeout) {
            return consultAfter(timeout)
                    .map(longest -> consultAfter != null ? longest : shorter(longest, SHORTEST_DEFAULT));
        }

        private static Duration shorter(Duration one, Duration other) {
            return one.compareTo(other) < 0 ? one : other;
        }

        /** {@return the highest lease limit that the strategy may request; empty if it never requests growth} */
        public OptionalInt ceiling() {
            return ceiling == 0 ? OptionalInt.empty() : OptionalInt.of(ceiling);
        }

        /** {@return the deadline of a request with all attempts; empty if only the acquisition timeout applies} */
        public Optional<Duration> deadline() {
            return Optional.ofNullable(deadline);
        }
    }

    /** A strategy's answer for a waiting request or a failed attempt. Immutable. */
    final class Verdict {
        /** No decision: the next strategy is consulted. */
        public static final Verdict PASS = new Verdict(Action.PASS, Duration.ZERO, 0, "");

        /** The action of flexpool. Minor releases add constants. */
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
         * Try again. A delay that reaches the deadline counts as {@link #PASS}.
         *
         * @param delay the wait before the next attempt, zero or more
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
         * Grow the pool. Granted only if every connection is in use and the database accepts connections; if not, the
         * next strategy is consulted.
         *
         * @param connections the number of connections that could be used in addition, at least 1
         * @return the verdict
         * @throws IllegalArgumentException if the number is below 1
         */
        public static Verdict grow(int connections) {
            if (connections < 1) {
                throw new IllegalArgumentException("connections = " + connections + ": must be at least 1");
            }
            return new Verdict(Action.GROW, Duration.ZERO, connections, "");
        }

        /**
         * Reject the request now. If an attempt failed, the caller gets the pool's exception, otherwise an
         * exception of a class that the pool throws.
         *
         * @param reason the reason, for the caller and the log: a phrase, not null
         * @return the verdict
         */
        public static Verdict reject(String reason) {
            return new Verdict(Action.REJECT, Duration.ZERO, 0, Objects.requireNonNull(reason, "reason is null"));
        }

        /**
         * Open the circuit: reject every request for some time without calling the pool, then let one through as a
         * probe. Only possible after a connect failure; this request fails with the pool's exception.
         *
         * @param openFor how long the circuit stays open, more than zero
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

        /** {@return the action of flexpool} */
        public Action action() {
            return action;
        }

        /** {@return the delay of a retry, or how long the circuit is open; otherwise zero} */
        public Duration duration() {
            return duration;
        }

        /** {@return the number of connections by which the pool grows; otherwise 0} */
        public int connections() {
            return connections;
        }

        /** {@return the reason of a rejection; otherwise empty} */
        public String reason() {
            return reason;
        }

        /** {@return whether the other verdict has the same action and figures} */
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
}
