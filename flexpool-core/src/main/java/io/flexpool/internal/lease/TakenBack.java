// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.event.ListenerGuard;
import io.flexpool.internal.event.PoolExecutor;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.pool.PoolState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the leases of overdue connections that the pool itself has reclaimed: no close would end them, and the pool's
 * free connections would lack permits. Used by the tick's thread.
 *
 * <p>A reclaimed handle never becomes valid again, so a late end is correct. A helper thread ends the lease by a
 * compare-and-set, because listeners may block; the holder's close is either first, or has no effect.
 */
final class TakenBack {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /** No pool reclaims a connection leased in this tick, and most leases are shorter. */
    private static final long YOUNGEST_NANOS = 250_000_000;
    /** Added to the pool's age limit for a lease: the request waits at the gate, so the pool reclaims later. */
    private static final long GRACE_NANOS = 500_000_000;
    /** Limits the log lines for a pool with many reclaimed connections. */
    private static final int MOST_LINES = 20;
    /** An end that hangs in a listener does not block the next end. */
    private static final int MOST_HELPERS = 8;

    private final PoolContext context;
    private final PoolAdapter adapter;
    private final LeaseTable table;
    private final Predicate<Connection> test;
    private final ListenerGuard listeners;
    private final PoolExecutor ends;
    final PoolExecutor helper;
    private final LeaseTable.Visitor visitor = this::visit;
    // The reclaimed connections of one tick.
    private final List<LeasedConnection> found = new ArrayList<>();
    private final List<OpenLease> views = new ArrayList<>();
    private Function<Slot, @Nullable OpenLease> reader = slot -> null;
    private long nowNanos;
    private long oldestNanos;

    private TakenBack(PoolContext context, LeaseTable table, Predicate<Connection> test) {
        this.context = context;
        this.adapter = context.adapter();
        this.table = table;
        this.test = test;
        this.listeners = context.listeners();
        this.ends = new PoolExecutor(context.name(), MOST_HELPERS, listeners, context.ticker());
        this.helper = new PoolExecutor(context.name(), MOST_HELPERS, listeners, context.ticker());
    }

    /** Creates the check for a pool that reclaims leased connections; null for other pools. */
    static @Nullable TakenBack of(PoolContext context, LeaseTable table) {
        try {
            Predicate<Connection> test = context.adapter().takenBack();
            return test == null ? null : new TakenBack(context, table, test);
        } catch (UnsupportedOperationException notShown) {
            context.listeners()
                    .guard(
                            "the log appender",
                            () -> LOG.info(
                                    "{}: flexpool cannot see when the pool reclaims a connection, so a lease"
                                            + " ends only when its connection is closed: {}",
                                    context.name(),
                                    notShown.getMessage()));
            return null;
        }
    }

    /** One tick; returns whether a lease was found. The reader creates the reported view of a lease. */
    boolean tick(long now, PoolState state, Function<Slot, @Nullable OpenLease> slotReader) {
        nowNanos = now;
        oldestNanos = 0;
        reader = slotReader;
        ends.reportHanging(now);
        helper.reportHanging(now);
        table.forEach(visitor);
        boolean any = !found.isEmpty();
        if (any) {
            List<LeasedConnection> ended = List.copyOf(found);
            // If the call is dropped, the next tick finds the leases again.
            if (ends.run("the end of a lease", () -> ended.forEach(LeasedConnection::takenBack))) {
                report();
            }
            found.clear();
            views.clear();
        } else if (state.bound() && state.waiting() > 0 && state.leased() >= state.limit() && overdue()) {
            helper.run("the reclaim of connections", this::takeBackOverdue);
        }
        return any;
    }

    /** Whether a lease has lasted so long that a request would have the pool take its connection back. */
    private boolean overdue() {
        Optional<Duration> after = adapter.overdueAfter();
        return after.isPresent() && oldestNanos - GRACE_NANOS >= after.get().toNanos();
    }

    private void visit(Slot slot, long generation) {
        LeasedConnection lease = slot.lease;
        long age = nowNanos - slot.acquiredNanos;
        if (lease == null || age < YOUNGEST_NANOS || !slot.unchanged(generation)) {
            return;
        }
        oldestNanos = Math.max(oldestNanos, age);
        listeners.guard("the adapter's check of a leased connection", () -> {
            if (lease.isOpenOn(test)) {
                OpenLease view = reader.apply(slot);
                found.add(lease);
                if (view != null && slot.unchanged(generation)) {
                    views.add(view);
                }
            }
        });
    }

    private void report() {
        List<OpenLease> lines = List.copyOf(views.subList(0, Math.min(views.size(), MOST_LINES)));
        int more = found.size() - lines.size();
        listeners.guard("the log appender", () -> {
            for (OpenLease lease : lines) {
                LOG.warn(
                        "{}: the pool took back a connection that was not closed: {}",
                        context.name(),
                        lease.describe());
            }
            if (more > 0) {
                LOG.warn("{}: the pool took back {} more connections that were not closed", context.name(), more);
            }
        });
    }

    private void takeBackOverdue() {
        try {
            adapter.takeBackOverdue();
        } catch (SQLException thrown) {
            listeners.failed("the adapter's reclaim of connections", thrown);
        }
    }

    void close() {
        ends.close();
        helper.close();
    }
}
