// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.util.Arrays;

/** The distribution of one hour's demand over time, and the number of requests. For one thread at a time. */
final class DemandHour {
    private static final int MOST = 4_095;
    private static final long MILLI = 1_000_000;

    /** The time at each demand, in milliseconds. */
    private int[] millis = {};

    private long requests;
    private long timedOut;
    private long lost;

    /** Adds a time at one demand. */
    void add(int demand, long nanos) {
        int at = Math.min(demand, MOST);
        if (at >= millis.length) {
            millis = Arrays.copyOf(millis, at + 1);
        }
        millis[at] += (int) Math.min(nanos / MILLI, Integer.MAX_VALUE - millis[at]);
    }

    void count(boolean late) {
        requests++;
        timedOut += late ? 1 : 0;
    }

    /** Adds served requests that were not recorded. */
    void count(long served) {
        requests += served;
    }

    void lose(long more) {
        lost += more;
    }

    long requests() {
        return requests;
    }

    long timedOut() {
        return timedOut;
    }

    long lost() {
        return lost;
    }

    /** Adds the figures of another hour. */
    void add(DemandHour other) {
        millis = Arrays.copyOf(millis, Math.max(millis.length, other.millis.length));
        for (int at = 0; at < other.millis.length; at++) {
            millis[at] += Math.min(other.millis[at], Integer.MAX_VALUE - millis[at]);
        }
        requests += other.requests;
        timedOut += other.timedOut;
        lost += other.lost;
    }

    /** The highest demand; 0 without requests. */
    int max() {
        return Math.max(0, millis.length - 1);
    }

    /** The demand at a quantile of time. */
    int percentile(double quantile) {
        double wanted = quantile * Arrays.stream(millis).asLongStream().sum();
        long below = 0;
        for (int at = 0; at < millis.length; at++) {
            below += millis[at];
            if (below >= wanted) {
                return at;
            }
        }
        return max();
    }
}
