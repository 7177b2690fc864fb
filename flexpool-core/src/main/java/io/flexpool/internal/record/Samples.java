// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.CountDistribution;
import java.util.Arrays;

/** A histogram of small integers; its array is as long as the largest sample requires. For one thread at a time. */
final class Samples {
    private long[] seen = {};

    /** Counts a number. Negative numbers count as 0, numbers above the range as the largest of the range. */
    void add(int number) {
        int at = Math.max(0, Math.min(number, CountDistribution.LARGEST));
        if (at >= seen.length) {
            seen = Arrays.copyOf(seen, at + 1);
        }
        seen[at]++;
    }

    /** A copy. */
    CountDistribution distribution() {
        return CountDistribution.of(seen);
    }
}
