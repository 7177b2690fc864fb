// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Observes every acquisition and release, on the calling thread: for backends that must see each call. Its cost adds to
 * every call; backends that are scraped should read {@link PoolStatistics} instead.
 *
 * <p>Bound once, when the pool is built. Exceptions are logged and counted, and never reach the application.
 * Implementations must be thread-safe and quick.
 */
public interface LeaseObserver {
    /** Observes nothing. An object in place of null saves the hot path a branch. */
    LeaseObserver NONE = new LeaseObserver() {
        @Override
        public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {}

        @Override
        public void released(long acquiredNanos, long releasedNanos) {}
    };

    /**
     * A request ended.
     *
     * @param requestedNanos when it began, on the pool's {@link Ticker}
     * @param endedNanos when the request ended
     * @param outcome the request's outcome
     */
    void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome);

    /**
     * A lease ended. Called once for each {@link AcquisitionOutcome#OK}.
     *
     * @param acquiredNanos when the lease began, on the pool's {@link Ticker}
     * @param releasedNanos when it ended
     */
    void released(long acquiredNanos, long releasedNanos);

    /**
     * For observers that trace: the span in which each lease began, so that a long wait can be linked to the spans that
     * held the connections meanwhile. A lease writes four words into the slot of its thread, without an allocation or
     * an atomic instruction. While that slot has an open lease, the next one uses a second slot. Threads that share
     * slots overwrite each other, so holders may be missing, but never wrong. Thread-safe.
     *
     * @param <S> a span, or its context, of the tracing library
     */
    final class Holders<S> {
        /** Usually more than a pool's connections; a power of two. */
        private static final int SLOTS = 512;

        private static final int CACHE_LINE = 64;
        /** A slot fills a cache line, so that two threads do not write into the same line. */
        private static final int LONGS = CACHE_LINE / Long.BYTES;

        private static final int REFERENCES = CACHE_LINE / Integer.BYTES;

        /** When the last lease of the slot began; 0 while it is written. */
        private static final int ACQUIRED = 0;
        /** When a lease of the slot last ended; earlier than {@link #ACQUIRED} during a lease. */
        private static final int RELEASED = 1;

        private final AtomicLongArray times = new AtomicLongArray(SLOTS * LONGS);
        private final AtomicReferenceArray<@Nullable S> spans = new AtomicReferenceArray<>(SLOTS * REFERENCES);

        /** Creates an empty table of about 64 KiB, for one traced pool. */
        public Holders() {}

        /**
         * The calling thread got a connection.
         *
         * @param acquiredNanos when the lease began, on the pool's {@link Ticker}
         * @param span the span in which the lease began; null for a lease without a link
         */
        public void acquired(long acquiredNanos, @Nullable S span) {
            int own = slot(Thread.currentThread().getId());
            long open = times.getOpaque(own * LONGS + ACQUIRED);
            int slot = open == 0 || ended(open, times.getOpaque(own * LONGS + RELEASED)) ? own : second(own);
            int at = slot * LONGS + ACQUIRED;
            times.lazySet(at, 0);
            spans.lazySet(slot * REFERENCES, span);
            times.lazySet(at, acquiredNanos);
        }

        /**
         * The calling thread returned a connection. A lease of another thread is searched in all slots.
         *
         * @param acquiredNanos when the lease began, on the pool's {@link Ticker}
         * @param releasedNanos when it ended
         */
        public void released(long acquiredNanos, long releasedNanos) {
            int own = slot(Thread.currentThread().getId());
            boolean found =
                    released(own, acquiredNanos, releasedNanos) || released(second(own), acquiredNanos, releasedNanos);
            for (int slot = 0; slot < SLOTS && !found; slot++) {
                found = released(slot, acquiredNanos, releasedNanos);
            }
        }

        private boolean released(int slot, long acquiredNanos, long releasedNanos) {
            int at = slot * LONGS;
            boolean its = times.getOpaque(at + ACQUIRED) == acquiredNanos;
            if (its) {
                times.lazySet(at + RELEASED, releasedNanos);
            }
            return its;
        }

        /**
         * The leases that overlapped a wait. A lease without a return counts only if its thread still has an open lease
         * of this age: another thread may have returned it.
         *
         * @param requestedNanos when the wait began, on the pool's {@link Ticker}
         * @param endedNanos when the wait ended
         * @param open the open leases, read after the wait has ended
         * @param max the maximum number of returned holders, from 1
         * @return the holders, the longest overlap first
         */
        public List<Holder<S>> during(long requestedNanos, long endedNanos, List<OpenLease> open, int max) {
            List<Holder<S>> found = new ArrayList<>();
            for (int slot = 0; slot < SLOTS; slot++) {
                Holder<S> holder = holder(slot, requestedNanos, endedNanos, open);
                if (holder != null) {
                    found.add(holder);
                }
            }
            found.sort((one, other) -> Long.compare(other.overlapNanos, one.overlapNanos));
            return found.size() > max ? found.subList(0, max) : found;
        }

        private @Nullable Holder<S> holder(int slot, long requestedNanos, long endedNanos, List<OpenLease> open) {
            int at = slot * LONGS;
            long acquired = times.getAcquire(at + ACQUIRED);
            S span = spans.getAcquire(slot * REFERENCES);
            long released = times.getAcquire(at + RELEASED);
            if (span == null || acquired == 0 || times.getAcquire(at + ACQUIRED) != acquired) {
                return null;
            }
            boolean over = ended(acquired, released);
            long end = over && released - endedNanos < 0 ? released : endedNanos;
            long begin = acquired - requestedNanos > 0 ? acquired : requestedNanos;
            long overlap = end - begin;
            if (overlap <= 0) {
                return null;
            }
            long held = end - acquired;
            if (over) {
                return new Holder<>(span, held, null, overlap);
            }
            for (OpenLease lease : open) {
                int own = slot(lease.threadId());
                if ((own == slot || second(own) == slot) && lease.age().toNanos() >= held) {
                    return new Holder<>(span, held, lease.callSite(), overlap);
                }
            }
            return null;
        }

        /** Compares a difference, because the ticker may overflow. */
        private static boolean ended(long acquired, long released) {
            return released != 0 && released - acquired >= 0;
        }

        private static int slot(long thread) {
            return (int) (thread & (SLOTS - 1));
        }

        /** Far from the slots of the next threads, which are probably of the same executor. */
        private static int second(int slot) {
            return slot ^ (SLOTS / 2);
        }

        /**
         * A lease that overlapped a wait. Immutable.
         *
         * @param <S> a span, or its context, of the tracing library
         */
        public static final class Holder<S> {
            private final S span;
            private final long heldNanos;
            private final @Nullable String callSite;
            private final long overlapNanos;

            private Holder(S span, long heldNanos, @Nullable String callSite, long overlapNanos) {
                this.span = span;
                this.heldNanos = heldNanos;
                this.callSite = callSite;
                this.overlapNanos = overlapNanos;
            }

            /**
             * The span in which the lease began.
             *
             * @return the span given to {@link Holders#acquired}
             */
            public S span() {
                return span;
            }

            /**
             * How long the lease had lasted when the wait ended, or when the lease ended before that.
             *
             * @return nanoseconds, from 0
             */
            public long heldNanos() {
                return heldNanos;
            }

            /**
             * Where the lease began.
             *
             * @return the call site; null if not captured, or if the lease has ended
             */
            public @Nullable String callSite() {
                return callSite;
            }
        }
    }
}
