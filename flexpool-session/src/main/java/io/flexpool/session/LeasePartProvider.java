// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.spi.PartContext;
import io.flexpool.spi.PartContext.PartSettings;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PoolPart;
import io.flexpool.spi.PoolPartProvider;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gives the leases of each wrapped pool a budget of time. Found by {@link java.util.ServiceLoader}; not meant to be called. */
public final class LeasePartProvider implements PoolPartProvider {
    // Ticks are 250 ms apart: a budget below 100 ms would not act sooner, and single statements would exceed it.
    static final Duration SHORTEST = Duration.ofMillis(100);
    static final Duration LONGEST = Duration.ofDays(1);
    /** The allowed budgets of classes. */
    static final String BY_CLASS = "class=duration or class=none, from " + SHORTEST + " to " + LONGEST;

    static final PartKey<Duration> MAX = PartKey.duration(
                    "lease.max", SHORTEST, LONGEST, "The longest time that a lease may last. See lease.action.")
            .orElse("none");

    static final PartKey<Duration> IDLE = PartKey.duration(
                    "lease.idle-in-transaction",
                    SHORTEST,
                    LONGEST,
                    "The longest time that a lease may keep a transaction open without a call to the database."
                            + " Needs time-in-database = true. See lease.action.")
            .allowed("from " + SHORTEST + " to " + LONGEST + ", shorter than lease.max")
            .orElse("none");

    static final PartKey<List<String>> MAX_BY_CLASS =
            byClass("lease.max-by-class", "lease.max for single classes, for example batch=1h.");

    static final PartKey<List<String>> IDLE_BY_CLASS =
            byClass("lease.idle-in-transaction-by-class", "lease.idle-in-transaction for single classes.");

    static final PartKey<LeaseAction> ACTION = PartKey.choice(
            "lease.action",
            LeaseAction.WARN,
            "The action for a lease that exceeds its budget. warn: flexpool logs it once. cancel: flexpool also cancels the"
                    + " running statement and closes the connection. On PostgreSQL and"
                    + " MariaDB the server itself ends a transaction that is open 3 s beyond the budget.");

    private static PartKey<List<String>> byClass(String name, String meaning) {
        return PartKey.list(name, BY_CLASS, meaning).or(List.of(), "none").needing("classes");
    }

    /** Called by the service loader. */
    public LeasePartProvider() {}

    @Override
    public String name() {
        return "lease";
    }

    @Override
    public int order() {
        return 31;
    }

    @Override
    public List<PartKey<?>> keys() {
        return List.of(MAX, IDLE, MAX_BY_CLASS, IDLE_BY_CLASS, ACTION);
    }

    @Override
    public void check(PartSettings settings, PartSettings.Refusals refusals) {
        Optional<Duration> max = settings.get(MAX);
        Optional<Duration> idle = settings.get(IDLE);
        if (max.isPresent() && idle.isPresent() && idle.get().compareTo(max.get()) >= 0) {
            refusals.refuse(IDLE, idle.get(), "must be shorter than lease.max, " + max.get());
        }
        LeaseBudgets.check(settings, refusals);
        LeaseBudgets budgets = LeaseBudgets.of(settings);
        if (budgets.haveIdle() && !settings.words("time-in-database").equals(Optional.of("true"))) {
            refusals.refuse(
                    idle.isPresent() ? IDLE : IDLE_BY_CLASS,
                    idle.isPresent() ? idle.get() : settings.need(IDLE_BY_CLASS).get(0),
                    "needs time-in-database = true, which shows when a lease is idle");
        }
        if (settings.given(ACTION.name()) && budgets.isEmpty()) {
            refusals.refuse(
                    ACTION,
                    settings.words(ACTION.name()).orElse(""),
                    "needs a budget: lease.max or lease.idle-in-transaction");
        }
    }

    /** Creates no part if the pool has no budget. */
    @Override
    public @Nullable PoolPart create(PartContext pool) {
        LeaseBudgets budgets = LeaseBudgets.of(pool.settings());
        return budgets.isEmpty() ? null : new LeasePart(pool, budgets);
    }
}
