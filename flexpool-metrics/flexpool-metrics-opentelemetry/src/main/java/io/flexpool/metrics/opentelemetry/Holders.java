// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.diagnostics.OpenLease;
import io.opentelemetry.api.trace.SpanContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The span in which each lease began, by the thread that leased: a lease writes four words into the slot of its thread,
 * without an allocation or an atomic instruction. Threads that share a slot overwrite each other, so a holder
 * may be missing; none is invented. Thread-safe.
 */
final class Holders {
    /** More than the connections of a pool as a rule; a power of two. */
    private static final int SLOTS = 512;

    private static final int CACHE_LINE = 64;
    /** A slot fills a cache line, so that two threads do not write into the same one. */
    private static final int LONGS = CACHE_LINE / Long.BYTES;

    private static final int REFERENCES = CACHE_LINE / Integer.BYTES;

    /** When the last lease of the slot began; 0 while it is written. */
    private static final int ACQUIRED = 0;
    /** When a lease of the slot was returned last: before the last one began while that lasts. */
    private static final int RELEASED = 1;

    private final AtomicLongArray times = new AtomicLongArray(SLOTS * LONGS);
    private final AtomicReferenceArray<@Nullable SpanContext> spans = new AtomicReferenceArray<>(SLOTS * REFERENCES);

    /**
     * A lease that overlapped a wait.
     *
     * @param span in which it began
     * @param heldNanos how long it had lasted when the wait ended, or when it ended before that
     * @param callSite where it began; null if that was not captured, or the lease has ended
     */
    record Holder(
            SpanContext span, long heldNanos, @Nullable String callSite, long overlapNanos) {}

    private static int slot(long thread) {
        return (int) (thread & (SLOTS - 1));
    }

    /** The calling thread has a connection. */
    void acquired(long acquiredNanos, SpanContext span) {
        int slot = slot(Thread.currentThread().getId());
        int at = slot * LONGS + ACQUIRED;
        times.lazySet(at, 0);
        spans.lazySet(slot * REFERENCES, span);
        times.lazySet(at, acquiredNanos);
    }

    /** The calling thread returns a connection. One that another thread leased is not found. */
    void released(long acquiredNanos, long releasedNanos) {
        int at = slot(Thread.currentThread().getId()) * LONGS;
        if (times.getPlain(at + ACQUIRED) == acquiredNanos) {
            times.lazySet(at + RELEASED, releasedNanos);
        }
    }

    /**
     * The leases that lasted during a wait, longest overlap first. One that has not been returned counts only if its
     * thread still has an open lease of that age: it may have been returned by another thread.
     *
     * @param open the open leases, read after the wait has ended
     * @param limit how many at most
     */
    List<Holder> during(long requestedNanos, long endedNanos, List<OpenLease> open, int limit) {
        List<Holder> found = new ArrayList<>();
        for (int slot = 0; slot < SLOTS; slot++) {
            Holder holder = holder(slot, requestedNanos, endedNanos, open);
            if (holder != null) {
                found.add(holder);
            }
        }
        found.sort(Comparator.comparingLong(Holder::overlapNanos).reversed());
        return found.size() > limit ? found.subList(0, limit) : found;
    }

    private @Nullable Holder holder(int slot, long requestedNanos, long endedNanos, List<OpenLease> open) {
        int at = slot * LONGS;
        long acquired = times.getAcquire(at + ACQUIRED);
        SpanContext span = spans.getAcquire(slot * REFERENCES);
        long released = times.getAcquire(at + RELEASED);
        if (span == null || acquired == 0 || times.getAcquire(at + ACQUIRED) != acquired) {
            return null;
        }
        // Differences, because the ticker may overflow.
        boolean over = released != 0 && released - acquired >= 0;
        long end = over && released - endedNanos < 0 ? released : endedNanos;
        long begin = acquired - requestedNanos > 0 ? acquired : requestedNanos;
        long overlap = end - begin;
        if (overlap <= 0) {
            return null;
        }
        long held = end - acquired;
        if (over) {
            return new Holder(span, held, null, overlap);
        }
        for (OpenLease lease : open) {
            if (slot(lease.threadId()) == slot && lease.age().toNanos() >= held) {
                return new Holder(span, held, lease.callSite(), overlap);
            }
        }
        return null;
    }
}
