// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

/** The simulated pool as its controller sees it between ticks. */
public interface SimPool {
    /** The limit in force. */
    int limit();

    /** Moves the limit; below 1 or above the ceiling it is clamped. Takes effect at once. */
    void limit(int limit);

    /** Instances that share the database, this one included. */
    default int instances() {
        return 1;
    }

    /** How long a request waits at most, seconds. */
    default double timeoutSeconds() {
        return Scenario.ACQUISITION_TIMEOUT_SECONDS;
    }

    /** The limit at the start. */
    int base();

    /** The limit that is never passed. */
    int ceiling();

    /** Active connections. */
    int active();

    /** Requests that wait. */
    int waiting();
}
