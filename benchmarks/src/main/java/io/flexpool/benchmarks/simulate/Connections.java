// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

/**
 * The physical connections of a pool that keeps as many open as its limit says, opened by one thread: each takes its
 * time, and there is a pause before the next.
 */
final class Connections {
    private static final double CONNECT_SECONDS = 0.030;
    private static final double SPACING_SECONDS = 0.030;
    private static final double NEVER = Double.POSITIVE_INFINITY;

    private int total;
    private boolean up = true;
    private double opened = NEVER;
    private double mayBegin;
    private int failures;

    Connections(int total) {
        this.total = total;
    }

    int total() {
        return total;
    }

    /** When the connection that is being opened is there, or has failed. */
    double opened() {
        return opened;
    }

    /** Begins to open one if there are too few. */
    void fill(double now, int limit) {
        if (opened == NEVER && total < limit) {
            opened = Math.max(now, mayBegin) + CONNECT_SECONDS;
        }
    }

    /** The one that was being opened is there, is refused, or is wanted no more. */
    void finish(double now, int limit) {
        opened = NEVER;
        mayBegin = now + SPACING_SECONDS;
        if (!up) {
            failures++;
        } else if (total < limit) {
            total++;
        }
    }

    /** Closes what is idle beyond the limit. */
    void trim(int limit, int leased) {
        total = Math.max(Math.min(total, limit), Math.min(total, leased));
    }

    void up(boolean answers) {
        if (!answers) {
            total = 0;
        }
        up = answers;
    }

    /** Refused since the last call. */
    int failures() {
        int seen = failures;
        failures = 0;
        return seen;
    }
}
