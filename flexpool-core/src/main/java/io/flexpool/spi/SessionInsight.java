// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.diagnostics.SessionState;
import org.jspecify.annotations.Nullable;

/**
 * What a part knows of the database's side of the leases. Of several parts with an insight the first one counts. Thread-safe. What a
 * method throws is counted and logged, and means that nothing is known.
 */
public interface SessionInsight {
    /**
     * What the server did with the connection of a lease, as it was read last.
     *
     * @param lease its number, as {@link HeldConnection#lease()} has it
     * @param nowNanos the time of the pool's clock
     * @return null if nothing is known
     */
    @Nullable
    SessionState session(long lease, long nowNanos);

    /**
     * Whether more connections would only wait with those that there are: then the pool does not grow, for the reason {@code
     * locked}. Called while the size is decided; must return at once.
     *
     * @param nowNanos the time of the pool's clock
     * @return false if that is not known
     */
    boolean lockedUp(long nowNanos);

    /** The open leases are about to be read by an operator or a backend. May wait for a fraction of a second. */
    void reading();

    /**
     * A request has failed, on whose thread this is called. May wait for a fraction of a second.
     *
     * @param mayConnect whether a connection may be opened: not if the server has just refused one
     * @return what was found; null if nothing can be known of this server
     */
    SessionFindings.@Nullable Look failed(boolean mayConnect);
}
