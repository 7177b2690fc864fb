// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.Texts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The budgets of one pool's leases: the check of each tick, and the figures. Thread-safe. */
final class LeasePart implements PoolPart {
    private final LeaseBudgets budgets;
    private final LeaseMonitor monitor;
    private final @Nullable ServerTimeouts server;

    LeasePart(PartContext pool, LeaseBudgets budgets) {
        this.budgets = budgets;
        this.monitor = new LeaseMonitor(pool, budgets);
        this.server = ServerTimeouts.of(pool, budgets);
    }

    @Override
    public void tick(PoolState state, long nowNanos) {
        monitor.tick(nowNanos);
    }

    @Override
    public @Nullable ReturnCheck returns() {
        return server;
    }

    @Override
    public List<PartMetric> metrics() {
        return List.of(
                PartMetric.counter(
                        "lease.exceeded",
                        "flexpool.lease.exceeded",
                        "{lease}",
                        "Leases that exceeded their budget.",
                        monitor::exceeded),
                PartMetric.counter(
                        "lease.ended",
                        "flexpool.lease.ended",
                        "{lease}",
                        "Leases that flexpool ended because they exceeded their budget.",
                        monitor::ended));
    }

    @Override
    public List<String> reportLines() {
        return monitor.exceeded() == 0
                ? List.of()
                : List.of("lease budgets: " + Texts.count(monitor.exceeded(), "lease") + " exceeded the budget"
                        + (budgets.cancels() ? "; flexpool ended " + monitor.ended() : ""));
    }

    @Override
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("action", Texts.word(budgets.action()));
        fields.putAll(fields(budgets.others()));
        if (!budgets.byClass().isEmpty()) {
            Map<String, Object> classes = new TreeMap<>();
            budgets.byClass().forEach((name, budget) -> classes.put(name, fields(budget)));
            fields.put("classes", classes);
        }
        fields.put("exceeded", monitor.exceeded());
        fields.put("ended", monitor.ended());
        return Map.of("leaseBudgets", fields);
    }

    private static Map<String, Object> fields(LeaseBudget budget) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (budget.max() != null) {
            fields.put("maxMillis", budget.max().time().toMillis());
        }
        if (budget.idle() != null) {
            fields.put("idleInTransactionMillis", budget.idle().time().toMillis());
        }
        return fields;
    }

    @Override
    public @Nullable String trouble(long nowNanos) {
        return monitor.hanging(nowNanos);
    }

    @Override
    public void close() {
        monitor.close();
    }
}
