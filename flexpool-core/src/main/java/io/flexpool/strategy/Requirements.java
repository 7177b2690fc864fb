// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What a strategy requires of the pool that it is added to. Starts with {@link #NONE}; each method returns a copy with
 * one requirement more. Immutable.
 */
public final class Requirements {
    /** A longer wait users notice, whatever the acquisition timeout is: HikariCP's is 30 s. */
    private static final Duration LONGEST_DEFAULT = Duration.ofMillis(250);
    /** A shorter wait is hardly helped: a connect takes as long, and so does a pause of the JVM that only looks like a wait. */
    private static final Duration SHORTEST_DEFAULT = Duration.ofMillis(20);

    /** Nothing: the strategy is consulted after failed attempts alone. */
    public static final Requirements NONE = new Requirements(false, null, 0, null, false, null);

    private final boolean whileWaiting;
    private final @Nullable Duration consultAfter;
    private final int ceiling;
    private final @Nullable Duration keep;
    private final boolean limitsWaiting;
    private final @Nullable Duration deadline;

    private Requirements(
            boolean whileWaiting,
            @Nullable Duration consultAfter,
            int ceiling,
            @Nullable Duration keep,
            boolean limitsWaiting,
            @Nullable Duration deadline) {
        this.whileWaiting = whileWaiting;
        this.consultAfter = consultAfter;
        this.ceiling = ceiling;
        this.keep = keep;
        this.limitsWaiting = limitsWaiting;
        this.deadline = deadline;
    }

    /**
     * Consults the strategy while a request waits at the gate, too: first after this time, again after as long, and
     * then less and less often.
     *
     * <p>Without a time, a request waits for a tenth of the acquisition timeout, but at most for 250 ms. Where requests
     * usually wait less, it waits less: four times the 99th percentile of the acquisitions of a minute, but at least 20 ms.
     * That percentile counts once there were 100 acquisitions; it falls at once and rises slowly, within minutes, so that an
     * overload does not become usual before growth has ended it. It begins with the time that the pool itself took, without
     * the wait at the gate: a pool may be short of connections from its first request on.
     *
     * @param wait zero for as soon as a request has to wait, below the acquisition timeout; null for the default
     * @return a copy
     */
    public Requirements whileWaiting(@Nullable Duration wait) {
        return new Requirements(true, wait, ceiling, keep, limitsWaiting, deadline);
    }

    /**
     * Lets the strategy ask for growth, and makes the gate limit the pool.
     *
     * @param connections the highest lease limit that the strategy may ask for, at least 1
     * @return a copy
     */
    public Requirements ceiling(int connections) {
        if (connections < 1) {
            throw new IllegalArgumentException("ceiling = " + connections + ": must be at least 1");
        }
        return new Requirements(whileWaiting, consultAfter, connections, keep, limitsWaiting, deadline);
    }

    /**
     * Keeps growth for a time once it is not needed; then all of it is given back at once. Of several strategies the
     * longest time counts.
     *
     * @param unneeded zero to ten minutes; null for the gradual return
     * @return a copy
     */
    public Requirements keep(@Nullable Duration unneeded) {
        return new Requirements(whileWaiting, consultAfter, ceiling, unneeded, limitsWaiting, deadline);
    }

    /**
     * Makes the gate limit the pool, because the strategy limits how many requests wait: a request can be counted
     * before it waits only there.
     *
     * @return a copy
     */
    public Requirements limitWaiting() {
        return new Requirements(whileWaiting, consultAfter, ceiling, keep, true, deadline);
    }

    /**
     * Sets a deadline for the whole request, all attempts together.
     *
     * @param whole longer than the acquisition timeout
     * @return a copy
     */
    public Requirements deadline(Duration whole) {
        Duration given = Objects.requireNonNull(whole, "deadline is null");
        return new Requirements(whileWaiting, consultAfter, ceiling, keep, limitsWaiting, given);
    }

    /**
     * How long a request waits at most before the strategy is first consulted.
     *
     * @param timeout the acquisition timeout
     * @return empty if the strategy is consulted after failed attempts alone
     */
    public Optional<Duration> consultAfter(Duration timeout) {
        if (!whileWaiting) {
            return Optional.empty();
        }
        return Optional.of(consultAfter != null ? consultAfter : shorter(timeout.dividedBy(10), LONGEST_DEFAULT));
    }

    /**
     * How long a request waits at least before the strategy is first consulted, however short the usual wait is.
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

    /** {@return the highest lease limit that the strategy may ask for; empty if it never asks for growth} */
    public OptionalInt ceiling() {
        return ceiling == 0 ? OptionalInt.empty() : OptionalInt.of(ceiling);
    }

    /** {@return how long growth is kept once it is not needed; empty for the gradual return} */
    public Optional<Duration> keep() {
        return Optional.ofNullable(keep);
    }

    /** {@return whether the strategy limits how many requests wait} */
    public boolean limitsWaiting() {
        return limitsWaiting;
    }

    /** {@return the deadline of a whole request, all attempts together; empty if it is the acquisition timeout} */
    public Optional<Duration> deadline() {
        return Optional.ofNullable(deadline);
    }
}
