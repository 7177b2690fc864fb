// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import io.flexpool.monitoring.PoolControl;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.Texts;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A requested change of a pool's mode or limits, for the endpoints of frameworks. Checked as far as possible without
 * the pool. Immutable.
 */
public final class PoolCommand {
    private static final String ALLOWED =
            "give mode = monitor, recommend or adapt; or give limits: base (1 to 10000), ceiling (at least the base)"
                    + " or both";

    private final @Nullable PoolMode mode;
    private final @Nullable Integer base;
    private final @Nullable Integer ceiling;

    private PoolCommand(@Nullable PoolMode mode, @Nullable Integer base, @Nullable Integer ceiling) {
        this.mode = mode;
        this.base = base;
        this.ceiling = ceiling;
    }

    /**
     * Parses a request.
     *
     * @param mode {@code monitor}, {@code recommend} or {@code adapt}; null for no change
     * @param base a whole number; null for no change
     * @param ceiling a whole number; null for no change
     * @return the command
     * @throws IllegalArgumentException if a value is wrong, nothing is changed, or mode and limits are changed at once;
     *     the message has key, value and allowed values
     */
    public static PoolCommand of(@Nullable String mode, @Nullable String base, @Nullable String ceiling) {
        PoolCommand command = new PoolCommand(
                mode == null ? null : PoolMode.of(mode), connections("base", base), connections("ceiling", ceiling));
        boolean limits = command.base != null || command.ceiling != null;
        if (command.mode == null && !limits) {
            throw new IllegalArgumentException("nothing to change: " + ALLOWED);
        }
        // Refused, because the second change could fail after the first was applied.
        if (command.mode != null && limits) {
            throw new IllegalArgumentException("more than one change at once: " + ALLOWED);
        }
        return command;
    }

    private static @Nullable Integer connections(String key, @Nullable String given) {
        if (given == null) {
            return null;
        }
        Integer number = Texts.wholeNumber(given.strip());
        if (number == null) {
            String shown = given.length() > 50 ? given.substring(0, 50) + "…" : given;
            throw new IllegalArgumentException(key + " = " + shown + ": must be a whole number; " + ALLOWED);
        }
        return number;
    }

    /**
     * Applies the change.
     *
     * @param pool the pool to change
     * @return true if something changed
     * @throws IllegalArgumentException if the pool refuses the value or the mode; nothing has changed then
     * @throws IllegalStateException if the pool has no limits
     */
    public boolean apply(PoolControl pool) {
        Objects.requireNonNull(pool, "pool is null");
        if (mode != null) {
            return pool.mode(mode);
        }
        PoolState before = pool.state();
        // Without limits both values are unknown, and the pool refuses the change.
        int wantedBase = base != null ? base : Math.max(1, before.base());
        int wantedCeiling = ceiling != null ? ceiling : before.bound() ? before.ceiling() : wantedBase;
        pool.limits(wantedBase, wantedCeiling);
        return before.base() != wantedBase || before.ceiling() != wantedCeiling;
    }
}
