// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import io.flexpool.pool.PoolEvent;
import java.util.Locale;

/** What kind of event it was, in the words of the endpoint. */
enum EventKind {
    TIMEOUT,
    SLOW_ACQUISITION,
    LONG_LEASE,
    CONNECT_FAILURE,
    REJECTED,
    CIRCUIT,
    RESIZED;

    private final String word = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Never changed once released. */
    String word() {
        return word;
    }

    /** Whether events that come together are counted as one. Moves of a limit or a circuit are told one by one. */
    boolean comesInCrowds() {
        return this != CIRCUIT && this != RESIZED;
    }

    static EventKind of(PoolEvent event) {
        // JDK 17 has no switch over types.
        if (event instanceof PoolEvent.AcquisitionTimedOut) {
            return TIMEOUT;
        } else if (event instanceof PoolEvent.AcquisitionSlow) {
            return SLOW_ACQUISITION;
        } else if (event instanceof PoolEvent.LeaseLong) {
            return LONG_LEASE;
        } else if (event instanceof PoolEvent.ConnectFailed) {
            return CONNECT_FAILURE;
        } else if (event instanceof PoolEvent.AcquisitionRejected) {
            return REJECTED;
        } else if (event instanceof PoolEvent.CircuitChanged) {
            return CIRCUIT;
        }
        return RESIZED;
    }
}
