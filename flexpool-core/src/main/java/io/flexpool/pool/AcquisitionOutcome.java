// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import java.util.Locale;

/** How a request for a connection ended. Every request ends in exactly one of these. */
public enum AcquisitionOutcome {
    /** A connection was handed out. */
    OK,
    /** No connection became free within the deadline: the pool was exhausted. */
    TIMEOUT,
    /** The database could not be reached, or refused the connection. */
    CONNECT_FAILURE,
    /** The requesting thread was interrupted while it waited. */
    INTERRUPTED,
    /** Turned away: by a strategy, because the pool was closed, or shed by a pool that is overloaded. */
    REJECTED,
    /** Any other failure of the pool. */
    ERROR;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** {@return the value of the attribute {@code outcome} in metrics: a lower-case word, never changed} */
    public String label() {
        return label;
    }
}
