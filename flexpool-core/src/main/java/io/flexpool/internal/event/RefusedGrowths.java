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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why one pool did not grow for requests that wait: counts the reasons, and reports each of them once a minute at most.
 * Thread-safe.
 */
public final class RefusedGrowths {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final long REPORT_SPAN_NANOS = 60_000_000_000L;

    private final String pool;
    private final ListenerGuard listeners;
    private final InstantSource clock = InstantSource.system();
    /** Empty of most pools. */
    private final Map<Reason, Refused> byReason = new ConcurrentHashMap<>();

    /** What is known of one reason. */
    private static final class Refused {
        private final AtomicLong count = new AtomicLong();
        private final RateLimit reports;
        private volatile Instant last = Instant.EPOCH;

        Refused(long nowNanos) {
            this.reports = new RateLimit(REPORT_SPAN_NANOS, nowNanos);
        }
    }

    private record Counted(Reason reason, long count, Instant last) implements RefusedGrowth {}

    public RefusedGrowths(String pool, ListenerGuard listeners) {
        this.pool = pool;
        this.listeners = listeners;
    }

    /** Growth was refused to one more request. */
    public void add(Reason reason, PoolState state, long nowNanos) {
        Refused refused = byReason.computeIfAbsent(reason, first -> new Refused(nowNanos));
        refused.last = clock.instant();
        refused.count.getAndIncrement();
        if (refused.reports.permits(nowNanos)) {
            Events.GrowthRefused event = new Events.GrowthRefused(pool, reason, state);
            listeners.guard("the log", () -> LOG.info("{}", event.describe()));
            // Delivered by the tick: this request waits, and a slow listener would keep it from its connection.
            listeners.raise(event);
        }
    }

    /** The reasons that there were, in the order of their constants. */
    public List<RefusedGrowth> all() {
        List<RefusedGrowth> all = new ArrayList<>();
        for (Reason reason : Reason.values()) {
            Refused refused = byReason.get(reason);
            long count = refused == null ? 0 : refused.count.get();
            if (refused != null && count > 0) {
                all.add(new Counted(reason, count, refused.last));
            }
        }
        return List.copyOf(all);
    }
}
