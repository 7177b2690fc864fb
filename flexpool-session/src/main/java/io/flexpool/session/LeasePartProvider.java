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
    // A tick takes 250 ms. A budget below 100 ms would suspect single statements, and be noticed no sooner.
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofDays(1);

    static final PartKey<Duration> MAX = PartKey.duration(
                    "lease.max", SHORTEST, LONGEST, "The longest time that a lease may last. See lease.action.")
            .orElse("none: leases are not limited");

    static final PartKey<Duration> IDLE = PartKey.duration(
                    "lease.idle-in-transaction",
                    SHORTEST,
                    LONGEST,
                    "The longest time that a lease may keep a transaction open without a call to the database."
                            + " Needs time-in-database = true. See lease.action.")
            .allowed("from " + SHORTEST + " to " + LONGEST + ", shorter than lease.max")
            .orElse("none");

    static final PartKey<LeaseAction> ACTION = PartKey.choice(
            "lease.action",
            LeaseAction.WARN,
            "The action for a lease that exceeds its budget. warn: flexpool logs it once. cancel: flexpool also cancels the"
                    + " running statement and closes the connection, even if it is in use. On PostgreSQL and"
                    + " MariaDB the server itself ends a transaction that is open 3 s beyond the budget.");

    /** For the service loader. */
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
        return List.of(MAX, IDLE, ACTION);
    }

    @Override
    public void check(PartSettings settings, PartSettings.Refusals refusals) {
        Optional<Duration> max = settings.get(MAX);
        Optional<Duration> idle = settings.get(IDLE);
        if (max.isPresent() && idle.isPresent() && idle.get().compareTo(max.get()) >= 0) {
            refusals.refuse(IDLE, idle.get(), "must be shorter than lease.max, " + max.get());
        }
        if (idle.isPresent() && !settings.words("time-in-database").equals(Optional.of("true"))) {
            refusals.refuse(IDLE, idle.get(), "needs time-in-database = true, which shows when a lease is idle");
        }
        if (settings.given(ACTION.name()) && max.isEmpty() && idle.isEmpty()) {
            refusals.refuse(
                    ACTION,
                    settings.words(ACTION.name()).orElse(""),
                    "needs a budget: lease.max or lease.idle-in-transaction");
        }
    }

    /** None without a budget. */
    @Override
    public @Nullable PoolPart create(PartContext pool) {
        Duration max = pool.settings().get(MAX).orElse(null);
        Duration idle = pool.settings().get(IDLE).orElse(null);
        return max == null && idle == null
                ? null
                : new LeasePart(pool, new LeaseBudget(max, idle, pool.settings().need(ACTION)));
    }
}
