// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.session.LeaseBudget.Limit;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.BlockingCalls;
import io.flexpool.spi.PartContext.Leased;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the leases that exceed their budget, reports each once, and ends it if configured. The tick only compares
 * times. Another thread calls the driver and the pool, because a cancel or an abort may hang.
 */
final class LeaseMonitor {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /** The maximum number of threads: each hanging abort occupies one. */
    private static final int MOST_CALLS = 8;
    /** Limits the log lines of one tick in a pool with many overdue leases. */
    private static final int MOST_LINES = 20;

    private static final String UNCERTAIN =
            "; flexpool does not end it, because the driver does not show whether a transaction is open";

    private final PartContext pool;
    private final LeaseBudgets budgets;
    private final Supplier<List<Leased>> leases;
    private final BlockingCalls calls;
    private final Pauses pauses;
    /** The numbers of open leases that have been reported. */
    private final Set<Long> handled = ConcurrentHashMap.newKeySet();

    private final AtomicLong exceeded = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    /** The open leases without a running call, by number. Used by the tick's thread. */
    private Map<Long, Idle> idle = Map.of();

    LeaseMonitor(PartContext pool, LeaseBudgets budgets) {
        this.pool = pool;
        this.budgets = budgets;
        this.leases = pool.leasedConnections();
        this.calls = pool.calls(MOST_CALLS);
        this.pauses = new Pauses(budgets.longestNanos());
    }

    /**
     * A lease without a running call, and the first tick that found it so. A later call changes {@code inDatabase}, so
     * the record no longer matches.
     */
    private record Idle(Duration inDatabase, long sinceNanos) {
        boolean isOf(@Nullable OpenLease lease) {
            return lease != null && lease.activity() == Activity.IDLE && inDatabase.equals(lease.inDatabase());
        }
    }

    /**
     * A lease that exceeds its budget.
     *
     * @param lease the lease
     * @param limit the exceeded limit
     * @param idle the lease's idle state; null if the lease exceeds its maximum duration
     */
    private record Over(Leased lease, Limit limit, @Nullable Idle idle) {}

    void tick(long nowNanos) {
        pauses.tick(nowNanos);
        List<Over> over = new ArrayList<>();
        Map<Long, Idle> nowIdle = new HashMap<>();
        Set<Long> open = new HashSet<>();
        for (Leased lease : leases.get()) {
            long number = lease.lease();
            open.add(number);
            LeaseBudget budget = budgets.of(lease.requestClass());
            Limit max = budget.max();
            Limit idleLimit = budget.idle();
            Idle since = idleLimit == null ? null : idle(lease, nowNanos);
            if (since != null) {
                nowIdle.put(number, since);
            }
            if (handled.contains(number)) {
                continue;
            }
            if (max != null && pauses.ageNanos(lease.acquiredNanos(), nowNanos) > budget.maxNanos()) {
                over.add(new Over(lease, max, null));
            } else if (idleLimit != null
                    && since != null
                    && pauses.ageNanos(since.sinceNanos(), nowNanos) > budget.idleNanos()) {
                over.add(new Over(lease, idleLimit, since));
            }
        }
        idle = nowIdle;
        handled.retainAll(open);
        if (!over.isEmpty()) {
            // A call that is dropped because another runs is made up for: the next tick finds the same leases.
            calls.run("the end of a lease", () -> handle(over));
        }
    }

    private @Nullable Idle idle(Leased lease, long nowNanos) {
        OpenLease now = lease.read();
        if (now == null || now.activity() != Activity.IDLE) {
            return null;
        }
        Duration inDatabase = now.inDatabase();
        if (inDatabase == null || inDatabase.isZero()) {
            // Before the first call to the database there is no transaction.
            return null;
        }
        Idle known = idle.get(lease.lease());
        return known != null && known.isOf(now) ? known : new Idle(inDatabase, nowNanos);
    }

    // ---- on the thread of the calls ----

    private void handle(List<Over> over) {
        int lines = 0;
        for (Over each : over) {
            try {
                if (handle(each, lines < MOST_LINES)) {
                    lines++;
                }
            } catch (SQLException | RuntimeException | LinkageError ofOne) {
                // The other leases are still handled.
                failed(ofOne);
            }
        }
    }

    private void failed(Throwable thrown) {
        try {
            LOG.warn("{}: closing the connection of an ended lease failed", pool.name(), thrown);
        } catch (RuntimeException | LinkageError ofTheLog) {
            pool.failed("the log", ofTheLog);
        }
    }

    /**
     * Reports the lease, and ends it if configured. Returns false if it no longer exceeds its budget, or was reported
     * before.
     */
    private boolean handle(Over over, boolean logs) throws SQLException {
        Leased lease = over.lease();
        Idle idleSince = over.idle();
        Boolean inTransaction = idleSince == null ? null : inTransaction(lease.connection());
        if (idleSince != null && (Boolean.FALSE.equals(inTransaction) || !idleSince.isOf(lease.read()))) {
            return false;
        }
        boolean certain = idleSince == null || inTransaction != null;
        OpenLease view = lease.read();
        if (view == null || !handled.add(lease.lease())) {
            return false;
        }
        exceeded.incrementAndGet();
        boolean ends = budgets.cancels() && certain;
        report(view, over, ends ? "; flexpool ends the lease" : certain ? "" : UNCERTAIN, logs);
        if (ends) {
            end(lease, over.limit().words());
        }
        return true;
    }

    /**
     * Whether a transaction is open. Null if unknown: auto-commit is off, and the driver does not report its
     * transaction.
     */
    private static @Nullable Boolean inTransaction(Connection connection) {
        Boolean known = PostgresDriver.inTransaction(connection);
        if (known != null) {
            return known;
        }
        try {
            return connection.getAutoCommit() ? Boolean.FALSE : null;
        } catch (SQLException closed) {
            return Boolean.FALSE;
        }
    }

    private void end(Leased lease, String words) throws SQLException {
        boolean byThis = false;
        try {
            byThis = lease.end("flexpool ended its lease (" + words + ")", PostgresDriver::cancel);
        } catch (SQLException | RuntimeException | LinkageError thrown) {
            ended.incrementAndGet();
            throw thrown;
        }
        if (byThis) {
            ended.incrementAndGet();
        } else if (lease.read() != null) {
            LOG.warn("{}: a lease is not ended, because a JTA transaction owns it ({})", pool.name(), words);
        }
    }

    private void report(OpenLease lease, Over over, String action, boolean logs) {
        try {
            String words = "a lease exceeds " + over.limit().words() + ": "
                    + LeaseWords.of(lease, pool.showsStatements()) + action;
            Map<String, String> facts = new LinkedHashMap<>();
            facts.put("budget", over.limit().words());
            facts.put("thread", lease.thread());
            facts.put("heldMillis", Long.toString(lease.age().toMillis()));
            String callSite = lease.callSite();
            if (callSite != null) {
                facts.put("callSite", callSite);
            }
            pool.publish("lease-budget-exceeded", words, facts);
            if (logs) {
                LOG.warn("{}: {}", pool.name(), words);
            }
        } catch (RuntimeException | LinkageError ofTheLog) {
            pool.failed("the log", ofTheLog);
        }
    }

    // ---- views ----

    long exceeded() {
        return exceeded.get();
    }

    long ended() {
        return ended.get();
    }

    @Nullable
    String hanging(long nowNanos) {
        return calls.hanging(nowNanos);
    }

    void close() {
        calls.close();
    }
}
