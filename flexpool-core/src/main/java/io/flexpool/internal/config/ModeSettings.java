// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.sizing.SizingController;
import io.flexpool.internal.sizing.SizingPolicy;
import io.flexpool.internal.sizing.SizingSettings;
import io.flexpool.pool.PoolMode;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** What was said of the sizing controller, in code or properties; checked all at once. */
public final class ModeSettings {
    private static final int MOST_INSTANCES = 1_000;
    private static final Duration SHORTEST_TARGET = Duration.ofMillis(1);
    private static final Duration LONGEST_TARGET = Duration.ofSeconds(10);

    public PoolMode mode = PoolMode.RECOMMEND;

    @Nullable
    public Integer ceiling;

    /** Of limits that are given at run time. */
    public boolean allowAboveCeiling;

    @Nullable
    public Integer min;

    @Nullable
    public Duration waitTarget;

    @Nullable
    public Integer instances;

    /** Makes the controller; another one only in tests. */
    public BiFunction<SizingSettings, PoolMode, SizingPolicy> controller = SizingController::new;

    public void copyFrom(ModeSettings other) {
        mode = other.mode;
        ceiling = other.ceiling;
        allowAboveCeiling = other.allowAboveCeiling;
        min = other.min;
        waitTarget = other.waitTarget;
        instances = other.instances;
        controller = other.controller;
    }

    /** The one ceiling of a pool, from here or from a strategy; empty if there is none. */
    OptionalInt ceiling(Refusals refusals, OptionalInt ofStrategies) {
        Integer own = ceiling;
        if (own == null) {
            return ofStrategies;
        }
        if (own < 2 || own > PoolConfig.LARGEST_CEILING) {
            throw refusals.of(CoreKey.CEILING, own, "must be from 2 to " + PoolConfig.LARGEST_CEILING);
        }
        if (ofStrategies.isPresent() && ofStrategies.getAsInt() != own) {
            throw refusals.of(
                    CoreKey.CEILING,
                    own,
                    "must be left out, or the same as "
                            + CoreKey.GROW_ON_WAIT_CEILING.key().name() + " = " + ofStrategies.getAsInt()
                            + ": a pool has one ceiling");
        }
        return OptionalInt.of(own);
    }

    /** To act there must be a limit to what the controller may do. */
    void needCeiling(Refusals refusals, OptionalInt known) {
        if (mode == PoolMode.ADAPT && known.isEmpty()) {
            throw refusals.of(
                    CoreKey.CEILING,
                    "none",
                    "must be given with " + CoreKey.MODE.key().name() + " = act, or "
                            + CoreKey.GROW_ON_WAIT_CEILING.key().name() + ": the sizing controller needs a limit");
        }
    }

    /**
     * Checks the rest.
     *
     * @param base the first lease limit; 0 if the pool will never be limited
     * @param timeoutNanos the acquisition timeout
     */
    public SizingConfig check(Refusals refusals, int base, boolean ceilingKnown, long timeoutNanos) {
        SizingSettings settings = new SizingSettings(
                checkMin(refusals, base),
                checkTarget(refusals, timeoutNanos),
                SizingSettings.DEFAULT.slowRatio(),
                checkInstances(refusals));
        return new SizingConfig(mode, ceilingKnown, allowAboveCeiling, settings, in -> controller.apply(settings, in));
    }

    private int checkMin(Refusals refusals, int base) {
        Integer given = min;
        if (given == null) {
            return base < 1 ? SizingSettings.DEFAULT.min() : Math.min(SizingSettings.DEFAULT.min(), base);
        }
        if (given < 1 || given > PoolConfig.LARGEST_CEILING) {
            throw refusals.of(CoreKey.SIZING_MIN, given, "must be from 1 to " + PoolConfig.LARGEST_CEILING);
        }
        if (base >= 1 && given > base) {
            throw refusals.of(CoreKey.SIZING_MIN, given, "must not be above the base, " + base);
        }
        return given;
    }

    private int checkInstances(Refusals refusals) {
        Integer given = instances;
        if (given == null) {
            return SizingSettings.DEFAULT.instances();
        }
        if (given < 1 || given > MOST_INSTANCES) {
            throw refusals.of(CoreKey.SIZING_INSTANCES, given, "must be from 1 to " + MOST_INSTANCES);
        }
        return given;
    }

    private Duration checkTarget(Refusals refusals, long timeoutNanos) {
        Duration given = waitTarget;
        if (given == null) {
            return SizingSettings.DEFAULT.waitTarget();
        }
        if (given.compareTo(SHORTEST_TARGET) < 0 || given.compareTo(LONGEST_TARGET) > 0) {
            throw refusals.of(
                    CoreKey.SIZING_WAIT_TARGET, given, "must be from " + SHORTEST_TARGET + " to " + LONGEST_TARGET);
        }
        if (given.toNanos() >= timeoutNanos) {
            throw refusals.of(
                    CoreKey.SIZING_WAIT_TARGET,
                    given,
                    "must be shorter than the acquisition timeout, " + Duration.ofNanos(timeoutNanos));
        }
        return given;
    }
}
