// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/**
 * The queue of a pool by Erlang's C formula: requests that arrive at random, c connections, first come, first served.
 * The load is the mean number of connections in use, arrivals per second times seconds per lease.
 */
final class ErlangC {
    /** One request in a hundred may wait longer than the target: the p99. */
    private static final double TAIL = 0.01;

    private ErlangC() {}

    /** The probability that a request waits; 1 if c connections cannot carry the load. */
    static double waits(int c, double load) {
        if (load <= 0) {
            return 0;
        }
        if (c <= load) {
            return 1;
        }
        double blocked = 1;
        for (int k = 1; k <= c; k++) {
            blocked = load * blocked / (k + load * blocked);
        }
        return fromBlocked(blocked, c, load);
    }

    /** The 99th percentile of the wait, seconds; infinite if c connections cannot carry the load. */
    static double p99WaitSeconds(int c, double load, double leaseSeconds) {
        double waits = waits(c, load);
        if (waits <= TAIL) {
            return 0;
        }
        return c <= load ? Double.POSITIVE_INFINITY : Math.log(waits / TAIL) * leaseSeconds / (c - load);
    }

    /** The fewest connections with which the p99 of waiting meets a target; the most if no fewer do. */
    static int size(double load, double leaseSeconds, double targetSeconds, int most) {
        double blocked = 1;
        for (int c = 1; c < most; c++) {
            blocked = load * blocked / (c + load * blocked);
            if (c > load
                    && fromBlocked(blocked, c, load) * Math.exp(-(c - load) * targetSeconds / leaseSeconds) <= TAIL) {
                return c;
            }
        }
        return most;
    }

    /** Erlang C from Erlang B. */
    private static double fromBlocked(double blocked, int c, double load) {
        double use = load / c;
        return blocked / (1 - use * (1 - blocked));
    }
}
