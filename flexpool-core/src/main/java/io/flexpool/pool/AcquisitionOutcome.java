// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import java.util.Locale;

/** How a request for a connection ended. Every request has exactly one outcome. */
public enum AcquisitionOutcome {
    /** A connection was handed out. */
    OK,
    /** No connection became free within the deadline: the pool was exhausted. */
    TIMEOUT,
    /** The database could not be reached, or refused the connection. */
    CONNECT_FAILURE,
    /** The requesting thread was interrupted while it waited. */
    INTERRUPTED,
    /** A strategy rejected the request, the pool was closed, or an overloaded pool shed it. */
    REJECTED,
    /** Any other failure of the pool. */
    ERROR;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** {@return the value of the attribute {@code outcome} in metrics: a lower-case word, never changed} */
    public String label() {
        return label;
    }
}
