// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.resize.Limiter;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.PartContext.Leased;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The inside of one pool, for its parts and inspectors; not loaded without any. Thread-safe. */
final class PoolInside implements PartPool {
    private final @Nullable Limiter limiter;
    private final LeaseTracker leases;
    private final Operations operations;
    private final PoolWatch watch;

    private PoolInside(@Nullable Limiter limiter, LeaseTracker leases, Operations operations, PoolWatch watch) {
        this.limiter = limiter;
        this.leases = leases;
        this.operations = operations;
        this.watch = watch;
    }

    /** The inside for the parts of a pool. */
    static PartPool of(@Nullable Limiter limiter, LeaseTracker leases, Operations operations, PoolWatch watch) {
        return new PoolInside(limiter, leases, operations, watch);
    }

    /** The leases during an inspection; {@code end} ends it. */
    static OpenLease.Inspection inspection(LeaseTracker leases, PoolContext context, Runnable end) {
        return new OpenLease.Inspection() {
            @Override
            public Map<Long, OpenLease> openLeases() {
                return leases.numbered(context.nanos());
            }

            @Override
            public void close() {
                end.run();
            }
        };
    }

    @Override
    public List<OpenLease> openLeases(long nowNanos) {
        return leases.open(nowNanos);
    }

    @Override
    public long[] begins() {
        return leases.begins();
    }

    @Override
    public void peaked(long nowNanos, int leased, int pending) {
        watch.parts().history().peaked(nowNanos, leased, pending);
    }

    @Override
    public void records() {
        leases.records();
    }

    @Override
    public @Nullable String callSite() {
        return leases.callSiteOfCall();
    }

    @Override
    public int knee() {
        return watch.parts().sizing().knee();
    }

    @Override
    public Supplier<List<Leased>> leasedConnections() {
        return leases.leasedConnections();
    }

    @Override
    public void capped(PoolMode mode, @Nullable String part, int from, int to, String words, PoolState state) {
        watch.parts().decisions().capped(mode, part, from, to, words, state);
    }

    @Override
    public void moved(String why) {
        if (limiter != null) {
            limiter.resizer().movesToAnotherServer();
        }
        operations.evict(why);
    }
}
