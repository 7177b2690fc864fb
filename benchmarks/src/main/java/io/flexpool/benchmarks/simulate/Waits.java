// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.Arrays;

/** Waiting times, kept to take a percentile of. */
final class Waits {
    private float[] seconds = new float[1024];
    private int count;

    void add(double wait) {
        if (count == seconds.length) {
            seconds = Arrays.copyOf(seconds, 2 * count);
        }
        seconds[count++] = (float) wait;
    }

    /** The 99th percentile, milliseconds; 0 without any. Sorts. */
    double p99Ms() {
        if (count == 0) {
            return 0;
        }
        Arrays.sort(seconds, 0, count);
        return seconds[Math.min(count - 1, (int) Math.ceil(0.99 * count) - 1)] * 1e3;
    }

    void clear() {
        count = 0;
    }
}
