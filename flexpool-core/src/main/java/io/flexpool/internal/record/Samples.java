// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.CountDistribution;
import java.util.Arrays;

/** How often each small whole number was sampled: as long as the largest of them needs. For one thread at a time. */
final class Samples {
    private long[] seen = {};

    /** Counts a number; a negative one as 0, one that is not counted exactly as the largest that is. */
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
