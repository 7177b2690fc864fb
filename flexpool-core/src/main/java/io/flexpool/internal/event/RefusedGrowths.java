// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import io.flexpool.diagnostics.Decision.RefusedGrowth;
import io.flexpool.diagnostics.Decision.RefusedGrowth.Reason;
import io.flexpool.pool.PoolState;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Why one pool did not grow for waiting requests: counts the reasons, and reports each at most once a minute.
 * Thread-safe.
 */
public final class RefusedGrowths {
    private static final long REPORT_SPAN_NANOS = 60_000_000_000L;

    private final String pool;
    private final ListenerGuard listeners;
    private final InstantSource clock = InstantSource.system();
    /** Empty for most pools. */
    private final Map<Reason, Refused> byReason = new ConcurrentHashMap<>();

    /** A part that caps a pool, and the configuration key, with its prefix, that changes the cap. */
    public record CappedBy(String part, String key) {}

    private static final class Refused {
        private final AtomicLong count = new AtomicLong();
        private final RateLimit reports;
        private volatile Instant last = Instant.EPOCH;
        private volatile @Nullable CappedBy cap;

        Refused(long nowNanos) {
            this.reports = new RateLimit(REPORT_SPAN_NANOS, nowNanos);
        }

        RefusedGrowth counted(Reason reason) {
            return new Counted(reason, count.get(), last, cap);
        }
    }

    private record Counted(
            Reason reason,
            long count,
            Instant last,
            @Nullable CappedBy cap) implements RefusedGrowth {
        @Override
        public String word() {
            return cap == null ? RefusedGrowth.super.word() : cap.part;
        }

        @Override
        public String words() {
            return cap == null ? RefusedGrowth.super.words() : "the " + cap.part + " allows no more connections";
        }

        @Override
        public @Nullable String key() {
            return cap == null ? RefusedGrowth.super.key() : cap.key;
        }
    }

    public RefusedGrowths(String pool, ListenerGuard listeners) {
        this.pool = pool;
        this.listeners = listeners;
    }

    public void add(Reason reason, PoolState state, long nowNanos) {
        add(reason, null, state, nowNanos);
    }

    /** Counts a request for which growth was refused, with the part that caps the pool if the cap is the reason. */
    public void add(Reason reason, @Nullable CappedBy cap, PoolState state, long nowNanos) {
        Refused refused = byReason.computeIfAbsent(reason, first -> new Refused(nowNanos));
        refused.last = clock.instant();
        refused.cap = cap;
        refused.count.getAndIncrement();
        if (refused.reports.permits(nowNanos)) {
            Events.GrowthRefused event = new Events.GrowthRefused(pool, refused.counted(reason), state);
            listeners.log(event, false);
            // Delivered by the tick: this request waits, and a slow listener would keep it from its connection.
            listeners.raise(event);
        }
    }

    /** The reasons so far, in the order of their constants. */
    public List<RefusedGrowth> all() {
        List<RefusedGrowth> all = new ArrayList<>();
        for (Reason reason : Reason.values()) {
            Refused refused = byReason.get(reason);
            if (refused != null && refused.count.get() > 0) {
                all.add(refused.counted(reason));
            }
        }
        return List.copyOf(all);
    }
}
