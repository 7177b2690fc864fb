// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.faults;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;

/**
 * The used heap after a garbage collection, early and late in one run.
 *
 * @param early bytes, the minimum of several collections
 * @param late bytes, the minimum of several collections
 */
public record HeapGrowth(long early, long late) {
    private static final int COLLECTIONS = 5;
    /** The allowed growth of the virtual machine itself; a leak of an object per lease soon exceeds it. */
    private static final long ALWAYS_ALLOWED = 1L << 20;

    /**
     * Collects, while other threads allocate.
     *
     * @return the used heap after a collection, the minimum of several, bytes
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
     * The used heap at the end of the collection. The current heap would also have the later allocations of fifty
     * threads: up to 50 MB on a busy machine, on which this thread waits for a processor, compared with 7 MB.
     */
    private static long left() {
        long left = 0;
        for (MemoryPoolMXBean each : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage collected = each.getType() == MemoryType.HEAP ? each.getCollectionUsage() : null;
            left += collected == null ? 0 : collected.getUsed();
        }
        return left;
    }

    /** The highest allowed late figure. */
    public long allowed() {
        return early + early / 10 + ALWAYS_ALLOWED;
    }
}
