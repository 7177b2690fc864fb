// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import java.time.Duration;
import java.util.Objects;

/** A strategy's answer for a waiting request or a failed attempt. */
public sealed interface Verdict {
    /** No decision: the next strategy is consulted. */
    record Pass() implements Verdict {}

    /**
     * Try again. A delay that reaches the deadline is taken as {@link #PASS}.
     *
     * @param delay how long to wait before, zero or more
     */
    record Retry(Duration delay) implements Verdict {
        /**
         * Refuses a negative delay.
         *
         * @param delay see {@link #delay()}
         */
        public Retry {
            Objects.requireNonNull(delay, "delay is null");
            if (delay.isNegative()) {
                throw new IllegalArgumentException("delay = " + delay + ": must not be negative");
            }
        }
    }

    /**
     * Request growth. Granted only if every connection is in use and the database accepts connections; if not, the next
     * strategy is consulted.
     *
     * @param room how many more connections could be used at once, at least 1
     */
    record Grow(int room) implements Verdict {
        /**
         * Refuses zero room.
         *
         * @param room see {@link #room()}
         */
        public Grow {
            if (room < 1) {
                throw new IllegalArgumentException("room = " + room + ": must be at least 1");
            }
        }
    }

    /**
     * Reject the request now. The caller gets an exception of the pool's class, or, if an attempt failed, the pool's
     * exception.
     *
     * @param reason why, for the caller and the log: a phrase, not null
     */
    record Reject(String reason) implements Verdict {
        /**
         * Refuses a missing reason.
         *
         * @param reason see {@link #reason()}
         */
        public Reject {
            Objects.requireNonNull(reason, "reason is null");
        }
    }

    /**
     * Open the circuit: reject every request for some time without calling the pool, then let one through as a probe.
     * Only possible after a connect failure; this request fails with the pool's exception.
     *
     * @param openFor for how long, more than zero
     */
    record Trip(Duration openFor) implements Verdict {
        /**
         * Refuses a zero duration.
         *
         * @param openFor see {@link #openFor()}
         */
        public Trip {
            Objects.requireNonNull(openFor, "openFor is null");
            if (openFor.isNegative() || openFor.isZero()) {
                throw new IllegalArgumentException("openFor = " + openFor + ": must be more than PT0S");
            }
        }
    }

    /** No decision. */
    Verdict PASS = new Pass();
}
