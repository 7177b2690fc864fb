// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import io.flexpool.internal.shared.Words;

/** The phase of a pool's life. Minor releases add phases. */
public enum PoolPhase {
    /** Connections are being opened in advance; requests are served meanwhile. */
    WARMING,
    /** Requests are served: the usual phase. */
    OPEN,
    /** Requests wait until the pool is resumed. */
    PAUSED,
    /** New requests are refused, and the pool waits for open leases. */
    DRAINING,
    /** The pool was closed, drained or released, or its owner closed it directly: all requests are refused. */
    CLOSED;

    /** {@return whether a new request may be served now: false while the pool is paused, drains or is closed} */
    public boolean answers() {
        return this == WARMING || this == OPEN;
    }

    /** {@return the phase as endpoints write it, for example {@code draining}; never changed} */
    @Override
    public String toString() {
        return Words.word(this);
    }
}
