// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The reason why an overloaded pool ended a request early: it would have been served too late. The caller gets the
 * pool's own exception, as for a timeout, with this exception among its causes: {@link #retryAfter(Throwable)}. Has no
 * stack trace, because it is created under overload. Immutable.
 */
public final class ShedException extends SQLTransientConnectionException {
    private static final long serialVersionUID = 1;

    private static final int LONGEST_CHAIN = 50;

    /** As in {@link #retryAfter()}. */
    private final Duration retryAfter;

    /**
     * Creates the exception for one request.
     *
     * @param report the request's wait, and the holders of the connections
     * @param retryAfter the time until another request may be served, zero or more
     */
    public ShedException(String report, Duration retryAfter) {
        super(report);
        this.retryAfter = Objects.requireNonNull(retryAfter, "retryAfter is null");
    }

    /** {@return how long to wait before the next request, estimated from the current queue; zero or more, never null} */
    public Duration retryAfter() {
        return retryAfter;
    }

    /**
     * Finds {@link #retryAfter()} in a failure and its causes, because frameworks wrap the pool's exception.
     *
     * @param failure any failure
     * @return the time; empty if no exception of this class is among the causes
     */
    public static Optional<Duration> retryAfter(Throwable failure) {
        Throwable at = failure;
        // Causes may form a cycle.
        for (int deep = 0; at != null && deep < LONGEST_CHAIN; deep++) {
            Optional<Duration> found = Stream.concat(Stream.of(at), Arrays.stream(at.getSuppressed()))
                    .filter(ShedException.class::isInstance)
                    .map(shed -> ((ShedException) shed).retryAfter())
                    .findFirst();
            if (found.isPresent()) {
                return found;
            }
            at = at.getCause();
        }
        return Optional.empty();
    }

    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
