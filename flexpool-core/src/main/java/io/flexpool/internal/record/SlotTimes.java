// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.HistogramSnapshot;
import java.lang.invoke.VarHandle;
import java.util.List;

/** The acquisitions, or the leases, of all slots of a pool. Only reads: the slots write. */
final class SlotTimes implements Histogram {
    private final List<SlotRecords> slots;
    private final boolean leases;
    private final LongSum total = new LongSum();

    SlotTimes(List<SlotRecords> slots, boolean leases) {
        this.slots = slots;
        this.leases = leases;
    }

    @Override
    public long count() {
        long count = 0;
        for (SlotRecords slot : slots) {
            count += leases ? slot.releases() : slot.acquisitions();
        }
        return count;
    }

    @Override
    public long sum() {
        long sum = 0;
        for (SlotRecords slot : slots) {
            sum += leases ? slot.leaseNanos() : slot.acquisitionNanos();
        }
        return sum;
    }

    @Override
    public long longest(boolean reset) {
        long longest = 0;
        for (SlotRecords slot : slots) {
            longest = Math.max(longest, slot.longest(leases, reset));
        }
        return longest;
    }

    @Override
    public long shortest(boolean reset) {
        long shortest = Long.MAX_VALUE;
        for (SlotRecords slot : slots) {
            shortest = Math.min(shortest, slot.shortest(leases, reset));
        }
        return shortest;
    }

    @Override
    public HistogramSnapshot snapshot(long minNanos, long maxNanos) {
        long[] counts = new long[HistogramSnapshot.BUCKETS];
        for (SlotRecords slot : slots) {
            slot.addTo(counts, leases);
        }
        // Later reads are not older than earlier reads.
        VarHandle.acquireFence();
        return HistogramSnapshot.of(counts, total.of(sum()), minNanos, maxNanos);
    }
}
