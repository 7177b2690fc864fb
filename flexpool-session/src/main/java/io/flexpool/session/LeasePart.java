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
import org.jspecify.annotations.Nullable;

/** The budgets of one pool's leases: the check of each tick, and the figures. Thread-safe. */
final class LeasePart implements PoolPart {
    private final LeaseBudget budget;
    private final LeaseWatch watch;
    private final @Nullable ServerTimeouts server;

    LeasePart(PartContext pool, LeaseBudget budget) {
        this.budget = budget;
        this.watch = new LeaseWatch(pool, budget);
        this.server = ServerTimeouts.of(pool, budget);
    }

    @Override
    public void tick(PoolState state, long nowNanos) {
        watch.tick(nowNanos);
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
                        watch::exceeded),
                PartMetric.counter(
                        "lease.ended",
                        "flexpool.lease.ended",
                        "{lease}",
                        "Leases that flexpool ended because they exceeded their budget.",
                        watch::ended));
    }

    @Override
    public List<String> reportLines() {
        return watch.exceeded() == 0
                ? List.of()
                : List.of("lease budgets: " + Texts.count(watch.exceeded(), "lease") + " exceeded the budget"
                        + (budget.cancels() ? "; flexpool ended " + watch.ended() : ""));
    }

    @Override
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("action", Texts.word(budget.action()));
        if (budget.max() != null) {
            fields.put("maxMillis", budget.max().toMillis());
        }
        if (budget.idle() != null) {
            fields.put("idleInTransactionMillis", budget.idle().toMillis());
        }
        fields.put("exceeded", watch.exceeded());
        fields.put("ended", watch.ended());
        return Map.of("leaseBudgets", fields);
    }

    @Override
    public @Nullable String trouble(long nowNanos) {
        return watch.hanging(nowNanos);
    }

    @Override
    public void close() {
        watch.close();
    }
}
