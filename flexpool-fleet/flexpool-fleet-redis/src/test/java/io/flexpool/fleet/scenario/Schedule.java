// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.scenario;

import java.util.Locale;

/** What happens to a fleet after a third of the time. */
enum Schedule {
    /** Nothing. */
    CALM(false),
    /** A JVM is killed, and another one started. */
    SIGKILL(false),
    /** A JVM is stopped, with its connections, and goes on later. */
    SIGSTOP(false),
    /** The store does not answer for a while; the database that the pools lead to does. */
    STORE_STOPPED(true),
    /** The store loses all that it knew. */
    STORE_EMPTIED(true),
    /** All JVMs are replaced, one by one, each by one that starts before it ends. */
    ROLLING_UPDATE(false);

    private final boolean ofStore;

    Schedule(boolean ofStore) {
        this.ofStore = ofStore;
    }

    /** Whether it happens to the store: where there is none, it is calm. */
    boolean ofStore() {
        return ofStore;
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
