// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import io.flexpool.monitoring.HistogramSnapshot;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A histogram that any thread records into, for rare or long operations: three atomic additions on memory that all
 * threads share. It takes 300 bytes, and 80 more for each octave of durations.
 */
public final class SharedHistogram implements Histogram {
    private final AtomicReferenceArray<@Nullable AtomicLongArray> blocks = new AtomicReferenceArray<>(Buckets.BLOCKS);
    private final AtomicLong sum = new AtomicLong();
    private final AtomicLong max = new AtomicLong();
    private final AtomicLong min = new AtomicLong(Long.MAX_VALUE);
    private final LongSum total = new LongSum();
    /** Whether there is a block. Most of these histograms stay empty, and a tick reads their counts several times. */
    private volatile boolean used;

    /** If it throws, nothing was counted. */
    public void record(long nanos) {
        int position = SlotRecords.position(nanos);
        AtomicLongArray block = blockOf(position >>> Buckets.SHIFT);
        block.getAndIncrement(position & Buckets.IN_BLOCK);
        try {
            sum.getAndAdd(nanos);
            if (nanos > max.getPlain()) {
                max.accumulateAndGet(nanos, Math::max);
            }
            if (nanos < min.getPlain()) {
                min.accumulateAndGet(nanos, Math::min);
            }
        } catch (VirtualMachineError counted) {
            // The sum lacks one of many durations. The count is correct, and other counts must match it.
            return;
        }
    }

    private AtomicLongArray blockOf(int at) {
        AtomicLongArray block = blocks.get(at);
        if (block == null) {
            // Set first: a thread that records into another thread's block must find its own record.
            used = true;
            blocks.compareAndSet(at, null, new AtomicLongArray(Buckets.PER_BLOCK));
            block = Objects.requireNonNull(blocks.get(at));
        }
        return block;
    }

    @Override
    public long count() {
        if (!used) {
            return 0;
        }
        long count = 0;
        for (int at = 0; at < Buckets.BLOCKS; at++) {
            AtomicLongArray block = blocks.get(at);
            for (int bucket = 0; block != null && bucket < Buckets.PER_BLOCK; bucket++) {
                count += block.get(bucket);
            }
        }
        return count;
    }

    /** The sum of all durations; does not overflow. */
    public Duration total() {
        return total.of(sum());
    }

    @Override
    public long sum() {
        return sum.get();
    }

    @Override
    public long longest(boolean reset) {
        long seen = max.get();
        return reset && seen != 0 ? max.getAndSet(0) : seen;
    }

    @Override
    public long shortest(boolean reset) {
        long seen = min.get();
        return reset && seen != Long.MAX_VALUE ? min.getAndSet(Long.MAX_VALUE) : seen;
    }

    @Override
    public HistogramSnapshot snapshot(long minNanos, long maxNanos) {
        long[] counts = new long[HistogramSnapshot.BUCKETS];
        for (int at = 0; at < Buckets.BLOCKS; at++) {
            AtomicLongArray block = blocks.get(at);
            for (int bucket = 0; block != null && bucket < Buckets.PER_BLOCK; bucket++) {
                counts[at * Buckets.PER_BLOCK + bucket] = block.get(bucket);
            }
        }
        return HistogramSnapshot.of(counts, total(), minNanos, maxNanos);
    }
}
