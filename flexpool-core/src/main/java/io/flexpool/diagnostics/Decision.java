// SPDX-License-Identifier: Apache-2.0
package io.flexpool.diagnostics;

import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Words;
import io.flexpool.pool.PoolMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A decision of the sizing controller, or the verdict on one, with the figures behind it. Immutable. Made by
 * flexpool alone; minor releases add methods and constants.
 */
public interface Decision {
    /** {@return the number of the decision in its pool, from 1; the verdict on a step has the step's number} */
    long number();

    /** {@return when the decision was made} */
    Instant time();

    /** {@return the pool's mode: in {@link PoolMode#RECOMMEND} the decision was only reported} */
    PoolMode mode();

    /** {@return the lease limit before the decision; without a limit, the pool's max} */
    int from();

    /** {@return the lease limit after the decision; the value of {@link #from()} if the limit stays} */
    int to();

    /**
     * {@return the lease limit that a step tries, or to which the limit falls step by step; otherwise the value of
     * {@link #to()}}
     */
    int tried();

    /** {@return the cause of the decision} */
    Cause cause();

    /**
     * The cause as endpoints and logs write it.
     *
     * @return for example {@code database-slow}; for {@link Cause#CAP} the name of the part that caps the limit
     */
    default String causeWord() {
        return Words.word(cause());
    }

    /** {@return the verdict on the step so far} */
    Verdict verdict();

    /** {@return the effect of the decision} */
    Outcome outcome();

    /**
     * The figures behind the decision, by the names that the endpoint shows: {@code arrivalsPerSecond},
     * {@code leaseMillis}, {@code calmLeaseMillis} (0 until enough have ended), {@code completionsPerSecondBefore} and
     * {@code After} the step, {@code gainError} (standard deviation of the logarithm of their ratio),
     * {@code oldestWaitMillis}, {@code occupied} (leases so long that their connections count as taken) and
     * {@code expectedP99WaitMillis}.
     *
     * @return the measured, finite figures; unmodifiable
     */
    Map<String, Double> inputs();

    /** {@return the decision in one sentence} */
    String explanation();

    /**
     * The decision in one line.
     *
     * @return for example {@code 2026-11-21T22:17:35.123Z limit 4 → 6, tried: … (reported)}; an outcome of {@code done} is left out
     */
    default String describe() {
        return time().truncatedTo(ChronoUnit.MILLIS) + " " + PlainText.line(explanation())
                + (outcome() == Outcome.DONE ? "" : " (" + outcome() + ")");
    }

    /** The cause of a decision. Minor releases add causes. */
    enum Cause {
        /** More requests than the limit can serve; lease times are unchanged. */
        DEMAND,
        /** Leases last longer than the load explains: the database is slow. */
        DATABASE_SLOW,
        /** Leases last so long that their connections count as lost to the other requests. */
        OCCUPIED,
        /** Requests keep waiting, and neither load nor lease times explain it. */
        QUEUE,
        /** Fewer connections may be faster: the controller tries a step down. */
        CONTENTION,
        /** The load needs more connections, but a recent step up did not help. */
        KNEE,
        /** The load needs more connections, and the limit is at its ceiling. */
        CEILING,
        /** The connections that the limit allows are not open yet, or the connections of a step did not open. */
        OPENING,
        /** The load needs fewer connections, or the limit returns to the base. */
        CALM,
        /** The database refuses connections: nothing grows. */
        CONNECT_FAILURE,
        /** The application or a part other than the controller changed the limit. */
        OVERRULED,
        /** A part changed its cap: the limit follows, regardless of the controller. */
        CAP,
        /** The controller failed, and decides nothing until the mode is switched. */
        BROKEN
    }

    /** The result of a step. Minor releases add verdicts. */
    enum Verdict {
        /** The step is being tried, and not yet judged. */
        PENDING,
        /** The step was only reported, not tried: its effect is unknown. */
        UNVERIFIED,
        /** Kept: no request waits now. */
        SERVED,
        /** Kept: completions rose as required. */
        PROVEN,
        /** Taken back: completions did not rise as required. */
        REVERTED,
        /**
         * The step ended without a judgement. The step is taken back if another event, such as a connect failure, ended
         * it. The step is kept if too few leases ended to judge it and their times did not rise with the limit, or if
         * more connections became occupied.
         */
        ABANDONED,
        /** There is nothing to judge. */
        NONE;

        /** {@return the verdict as endpoints and logs write it, for example {@code pending}; never changed} */
        @Override
        public String toString() {
            return Words.word(this);
        }
    }

    /** The effect of a decision. Minor releases add outcomes. */
    enum Outcome {
        /** The limit moved. */
        DONE,
        /** The limit stays, as decided. */
        KEPT,
        /** The limit could not change: connections were missing or refused, or the limit had changed meanwhile. */
        REFUSED,
        /** Nothing is done in this mode. */
        REPORTED;

        /** {@return the outcome as endpoints and logs write it, for example {@code done}; never changed} */
        @Override
        public String toString() {
            return Words.word(this);
        }
    }

    /**
     * Growth of one pool that was refused for one reason, since the pool was wrapped. If a connection is free, or one
     * within the limit is still opening, no growth is needed, and no refusal is counted. Immutable. Made by flexpool
     * alone; minor releases add methods and reasons.
     */
    interface RefusedGrowth {
        /** {@return why growth was refused} */
        Reason reason();

        /**
         * The reason as endpoints write it.
         *
         * @return for example {@code not-enabled}; for {@link Reason#CAP} the name of the part that caps the limit
         */
        default String word() {
            return Words.word(reason());
        }

        /** {@return the reason in words, a clause in lower case} */
        default String words() {
            return reason().words;
        }

        /** {@return the configuration key that would allow the growth; null if no key does} */
        default @Nullable String key() {
            return reason().key;
        }

        /**
         * The number of requests without growth; for {@link Reason#NOT_ENABLED}, how often requests waited; for
         * {@link Reason#LOCKED} in mode adapt, how often most holders began to wait for locks.
         *
         * @return at least 1
         */
        long count();

        /** {@return when growth was refused last} */
        Instant last();

        /**
         * The refusals in one clause.
         *
         * @return for example {@code 57 times because the ceiling is reached (flexpool.ceiling), last at 2026-11-23T10:11:12Z}
         */
        default String describe() {
            String key = key();
            return Words.count(count(), "time") + " because " + words() + (key == null ? "" : " (" + key + ")")
                    + ", last at " + last().truncatedTo(ChronoUnit.SECONDS);
        }

        /** Why growth that a strategy requested was refused. Minor releases add reasons. */
        enum Reason {
            /** The limit is at the ceiling. */
            CEILING("the ceiling is reached", "flexpool.ceiling"),
            /** The limit is at the cap of a part. */
            CAP("a part of flexpool caps the limit", null),
            /** A strategy requests growth and states no ceiling, so nothing limits the pool. */
            NO_CEILING("the strategy states no ceiling, and nothing limits the pool", "flexpool.ceiling"),
            /** A ceiling is set, but no strategy grows. */
            NOT_ENABLED("growth is not enabled", "flexpool.grow-on-wait.enabled"),
            /** The sizing controller alone moves the limit. */
            SIZING("in mode adapt the sizing controller alone moves the limit", "flexpool.mode"),
            /** Limits and strategies are suspended. */
            MONITOR("in mode monitor limits and strategies are suspended", "flexpool.mode"),
            /** Connects failed or none succeeded within the last seconds: more connects would make it worse. */
            OUTAGE("connects fail or are still running", null),
            /** Most holders wait for locks in the database server: further holders would wait as well. */
            LOCKED("the holders wait for locks in the database server", null),
            /** The pool's own max could not be raised. */
            POOL("the pool refused the new size", null),
            /** The pool is paused, or drains. */
            PAUSED("the pool is paused, or drains", null),
            /** All connections have just been evicted, because their server refuses writes. */
            FAILOVER("all connections were evicted a moment ago, because their server refuses writes", null),
            /** The pool was closed. */
            CLOSED("the pool is closed", null);

            private final String words;

            @Nullable
            private final String key;

            Reason(String words, @Nullable String key) {
                this.words = words;
                this.key = key;
            }
        }
    }
}
