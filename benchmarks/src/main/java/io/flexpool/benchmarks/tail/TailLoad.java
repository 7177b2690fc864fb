// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * What the clients do, and for how long. It is a closed loop: each client asks again as soon as it has given its
 * connection back, and asks for nothing while it waits.
 *
 * @param threads clients, from 1
 * @param pool connections, from 1
 * @param holdMicros how long a client keeps its connection without using a processor, microseconds
 * @param burnHeldMicros processor time that a client uses while it keeps its connection, microseconds
 * @param burnBetweenMicros processor time that a client uses between two leases, microseconds
 * @param warmUpSeconds how long the clients run before anything counts
 * @param seconds the length of one window in which requests count
 * @param repeat windows of each JVM, one right after the other, from 1
 */
record TailLoad(
        int threads,
        int pool,
        int holdMicros,
        int burnHeldMicros,
        int burnBetweenMicros,
        int warmUpSeconds,
        int seconds,
        int repeat) {
    /** Few enough clock reads to be negligible beside a lease that is given back at once. */
    private static final int WITHOUT_A_HOLD = 64;

    /** One in so many requests is timed. All of them, unless a lease is so short that the clock would be a part of it. */
    int timedEvery() {
        return holdMicros + burnHeldMicros + burnBetweenMicros == 0 ? WITHOUT_A_HOLD : 1;
    }

    /**
     * How long a request waits on the average if all clients queue for a connection, or for a processor.
     *
     * @param processors how many there are
     */
    Duration expectedWait(int processors) {
        double burns = (double) (burnHeldMicros + burnBetweenMicros) / Math.min(pool, processors);
        return Duration.of(Math.round(threads * ((double) holdMicros / pool + burns)), ChronoUnit.MICROS);
    }
}
