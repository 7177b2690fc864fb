// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import java.time.Duration;
import java.util.Objects;

/** What a strategy says of a request that waits or failed. */
public sealed interface Verdict {
    /** Nothing to say: the next strategy is asked. */
    record Pass() implements Verdict {}

    /**
     * Try again. A delay that reaches the deadline is taken as {@link #PASS}.
     *
     * @param delay how long to wait before, zero or more
     */
    record Retry(Duration delay) implements Verdict {
        /** Refuses a negative delay. */
        public Retry {
            if (delay.isNegative()) {
                throw new IllegalArgumentException("delay = " + delay + ": must not be negative");
            }
        }
    }

    /**
     * Ask for a larger pool. Granted only if every connection is out and the database accepts connections; if not, the
     * next strategy is asked.
     *
     * @param room how many more connections could be used at once, at least 1
     */
    record Grow(int room) implements Verdict {
        /** Refuses to ask for nothing. */
        public Grow {
            if (room < 1) {
                throw new IllegalArgumentException("room = " + room + ": must be at least 1");
            }
        }
    }

    /**
     * Turn the request away now. The caller gets an exception of the pool's own class, or, if an attempt failed, what
     * the pool threw.
     *
     * @param reason why, for the caller and the log: a phrase, not null
     */
    record Reject(String reason) implements Verdict {
        /** Refuses to turn away without a reason. */
        public Reject {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * Open the circuit: turn every request away for a while without asking the pool, then let one through to see. Can
     * be carried out only after a connect failure; this request fails with what the pool threw.
     *
     * @param openFor for how long, more than zero
     */
    record Trip(Duration openFor) implements Verdict {
        /** Refuses to open for no time. */
        public Trip {
            if (openFor.isNegative() || openFor.isZero()) {
                throw new IllegalArgumentException("openFor = " + openFor + ": must be more than PT0S");
            }
        }
    }

    /** Nothing to say. */
    Verdict PASS = new Pass();

    /**
     * Try again after a delay.
     *
     * @param delay zero or more
     * @return the verdict
     */
    static Verdict retryAfter(Duration delay) {
        return new Retry(delay);
    }

    /**
     * Ask for room.
     *
     * @param room at least 1
     * @return the verdict
     */
    static Verdict grow(int room) {
        return new Grow(room);
    }

    /**
     * Turn the request away.
     *
     * @param reason why, a phrase
     * @return the verdict
     */
    static Verdict reject(String reason) {
        return new Reject(reason);
    }

    /**
     * Open the circuit.
     *
     * @param openFor for how long, more than zero
     * @return the verdict
     */
    static Verdict trip(Duration openFor) {
        return new Trip(openFor);
    }
}
