// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/**
 * The heap that a collection left, early and late in one run.
 *
 * @param early bytes, the least of several collections
 * @param late bytes, the least of several collections
 */
public record HeapGrowth(long early, long late) {
    private static final int COLLECTIONS = 5;
    /** What a virtual machine needs for itself meanwhile is no leak; an object kept for each lease is soon more. */
    private static final long ALWAYS_ALLOWED = 1L << 20;

    /**
     * Collects, while other threads allocate.
     *
     * @return what the collection left, the least of several, bytes
     */
    static long used() {
        long least = Long.MAX_VALUE;
        for (int at = 0; at < COLLECTIONS; at++) {
            System.gc();
            least = Math.min(least, left());
        }
        return least;
    }

    /**
     * As of the end of the collection. The heap in use now has what fifty threads have allocated since then: up to 50 MB on
     * a busy machine, where this thread waits for a processor, beside 7 MB that are left.
     */
    private static long left() {
        long left = 0;
        for (MemoryPoolMXBean each : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage collected = each.getType() == MemoryType.HEAP ? each.getCollectionUsage() : null;
            left += collected == null ? 0 : collected.getUsed();
        }
        return left;
    }

    /** The most that the late figure may be. */
    public long allowed() {
        return early + early / 10 + ALWAYS_ALLOWED;
    }
}
