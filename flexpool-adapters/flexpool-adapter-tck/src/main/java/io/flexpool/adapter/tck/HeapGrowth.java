// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck;

import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * The heap in use, after a collection, early and late in one run.
 *
 * @param early bytes, the median of several looks
 * @param late bytes, the median of several looks
 */
record HeapGrowth(long early, long late) {
    private static final int LOOKS = 5;
    /** What a virtual machine needs for itself meanwhile is no leak; an object kept for each lease is soon more. */
    private static final long ALWAYS_ALLOWED = 1L << 20;

    /**
     * Looks at the heap.
     *
     * @return the median of several looks, bytes
     */
    static long used() {
        long[] looks = new long[LOOKS];
        for (int at = 0; at < LOOKS; at++) {
            System.gc();
            looks[at] = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }
        Arrays.sort(looks);
        return looks[LOOKS / 2];
    }

    /** The most that the late figure may be. */
    long allowed() {
        return early + early / 10 + ALWAYS_ALLOWED;
    }
}
