// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import io.flexpool.internal.shared.Words;

/** Where a pool is in its life. Minor releases add phases. */
public enum PoolPhase {
    /** Connections are being opened before they are asked for; requests are answered meanwhile. */
    WARMING,
    /** Requests are answered: the usual phase. */
    OPEN,
    /** Requests wait until the pool is resumed. */
    PAUSED,
    /** New requests are refused, and the pool waits for open leases. */
    DRAINING,
    /** The pool was closed, drained or released, or its owner has closed it past flexpool: no request is answered any more. */
    CLOSED;

    /** {@return whether a new request may be answered now: false of a pool that is paused, drains or is closed} */
    public boolean answers() {
        return this == WARMING || this == OPEN;
    }

    /** {@return the phase as endpoints write it, for example {@code draining}; never changed} */
    @Override
    public String toString() {
        return Words.word(this);
    }
}
