// SPDX-License-Identifier: Apache-2.0
package io.flexpool.diagnostics;

import io.flexpool.internal.shared.Words;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * Growth of one pool that was refused for one reason, since the pool was wrapped. A pool that has a free connection, or still
 * opens one that it may have, needs no growth, and that is no refusal. Immutable. Made by flexpool alone;
 * minor releases add methods and reasons.
 */
public interface RefusedGrowth {
    /** {@return why} */
    Reason reason();

    /**
     * How many requests it was refused to; of {@link Reason#NOT_ENABLED}, how often requests waited; of {@link
     * Reason#LOCKED} in mode adapt, how often most holders began to wait for locks.
     *
     * @return at least 1
     */
    long count();

    /** {@return when it was refused last} */
    Instant last();

    /**
     * All of it in one clause.
     *
     * @return for example {@code 57 because the ceiling is reached (flexpool.ceiling), last at 2026-11-23T10:11:12Z}
     */
    default String describe() {
        String key = reason().key();
        return count() + " because " + reason().words() + (key == null ? "" : " (" + key + ")") + ", last at "
                + last().truncatedTo(ChronoUnit.SECONDS);
    }

    /** Why growth that a strategy requested was refused. Minor releases add reasons. */
    enum Reason {
        /** The limit is as high as it may be. */
        CEILING("the ceiling is reached", "flexpool.ceiling"),
        /** The limit is as high as the pool's fleet allows. */
        FLEET("the fleet allows no more", "flexpool.fleet.max"),
        /** A strategy requests growth and states no ceiling, so nothing limits the pool. */
        NO_CEILING("the strategy states no ceiling, and nothing limits the pool", "flexpool.ceiling"),
        /** A ceiling is set, and no strategy that grows. */
        NOT_ENABLED("growth is not enabled", "flexpool.grow-on-wait.enabled"),
        /** The sizing controller alone moves the limit. */
        SIZING("in mode adapt the sizing controller alone moves the limit", "flexpool.mode"),
        /** Limits and strategies are suspended. */
        MONITOR("in mode monitor limits and strategies are suspended", "flexpool.mode"),
        /** Connects failed within the last seconds, or none came: more of them would make it worse. */
        OUTAGE("the database gives no connections", null),
        /** Most holders wait for locks in the database server: further ones would wait as well. */
        LOCKED("the holders wait for locks in the database server", null),
        /** The pool's own max could not be raised. */
        POOL("the pool refused the new size", null),
        /** The pool is held, or drains. */
        HELD("the pool is held, or drains", null),
        /** All connections have just been evicted, because their server refuses writes. */
        FAILOVER("all connections were evicted a moment ago, because they refuse writes", null),
        /** The pool was closed. */
        CLOSED("the pool is closed", null);

        private final String words;

        @Nullable
        private final String key;

        Reason(String words, @Nullable String key) {
            this.words = words;
            this.key = key;
        }

        /** {@return the reason as endpoints write it, for example {@code not-enabled}; never changed} */
        public String word() {
            return Words.word(this);
        }

        /** {@return the reason for people, a clause in lower case} */
        public String words() {
            return words;
        }

        /** {@return the configuration key that would change it; null if none would} */
        public @Nullable String key() {
            return key;
        }
    }
}
