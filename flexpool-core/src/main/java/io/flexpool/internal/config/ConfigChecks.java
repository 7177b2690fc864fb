// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.internal.config.PoolConfig.Consulted;
import io.flexpool.internal.sizing.SizingSettings;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.AcquisitionStrategy.Requirements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The checks that depend on the pool. Changes nothing. */
public final class ConfigChecks {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final Duration SHORTEST_USUAL = Duration.ofSeconds(30);
    private static final long NEVER = Long.MAX_VALUE;
    /** The keys that can make flexpool limit the pool. */
    private static final List<CoreKey> LIMITING = List.of(
            CoreKey.CLASSES,
            CoreKey.CEILING,
            CoreKey.GROW_ON_WAIT_ENABLED,
            CoreKey.FAIL_FAST_MAX_PENDING,
            CoreKey.ACQUISITION_TIMEOUT,
            CoreKey.MODE);
    /** The keys that require an acquisition timeout. */
    private static final List<CoreKey> WAITING = List.of(
            CoreKey.CLASSES,
            CoreKey.GROW_ON_WAIT_ENABLED,
            CoreKey.FAIL_FAST_MAX_PENDING,
            CoreKey.RETRY_DEADLINE,
            CoreKey.CIRCUIT_BREAKER_FAILURES,
            CoreKey.BASE,
            CoreKey.MODE);

    private final Settings settings;
    private final Problems problems;
    private Values values;
    /** The requirements of each strategy, in order. */
    private final List<Requirements> requirements;

    private final DataSource target;
    private final String poolName;
    private final List<String> otherNames;
    private final PoolAdapter pool;
    private final Refusals refusals;
    /** The keys of parts that make flexpool limit the pool. */
    private List<SettingKey> limiting = List.of();

    public ConfigChecks(Settings settings, DataSource target, String poolName, PoolAdapter pool) {
        this.settings = settings;
        this.problems = settings.problems;
        this.values = settings.values;
        this.requirements = new ArrayList<>();
        for (AcquisitionStrategy strategy : settings.strategies) {
            requirements.add(strategy.requirements());
        }
        this.target = target;
        this.poolName = poolName;
        this.otherNames = settings.otherNames(poolName, pool);
        this.pool = pool;
        this.refusals = settings.refusals(poolName);
    }

    /**
     * Checks the settings and creates the pool's configuration.
     *
     * @throws IllegalArgumentException with all problems, including those that reading the settings found
     */
    public PoolConfig check() {
        checkDuplicates();
        values = values.checked(refusals, problems);
        limiting = settings.parts().limiting(values);
        PoolMode mode = values.need(CoreKey.MODE, PoolMode.class);
        OptionalInt grownTo = grownTo();
        OptionalInt ceilingGiven = ceilingGiven(grownTo, mode);
        boolean bound = values.has(CoreKey.BASE)
                || values.has(CoreKey.ACQUISITION_TIMEOUT)
                || grownTo.isPresent()
                || values.has(CoreKey.FAIL_FAST_MAX_PENDING)
                || !limiting.isEmpty()
                || !settings.classes.isEmpty();
        boolean gated = bound || ceilingGiven.isPresent();
        checkArtifact(gated);
        int first = gated ? base() : 0;
        int ceiling = ceilingGiven.orElse(first);
        if (ceiling < first) {
            refuse(CoreKey.CEILING, ceiling, "must not be below the base, " + first, CoreKey.BASE);
        }
        long timeoutNanos = timeout(bound || mode == PoolMode.ADAPT);
        long deadlineNanos = deadline(timeoutNanos);
        checkLeaks();
        checkNames(CoreKey.CALL_SITES_APPLICATION);
        checkNames(CoreKey.CALL_SITES_IGNORE);
        settings.parts().check(values, refusals, problems);
        if (!settings.classes.isEmpty()) {
            new ClassSettings(refusals, problems).check(settings.classes);
        }
        checkShed();
        SizingSettings sizing = sizing(first, timeoutNanos);
        List<Consulted> consultations = consultations(gated ? timeoutNanos : NEVER);
        problems.throwIfAny();
        if (mode == PoolMode.ADAPT || (bound && mode != PoolMode.MONITOR)) {
            logPhysical(first, ceiling);
        }
        return new PoolConfig(
                poolName,
                otherNames,
                target,
                pool,
                values,
                gated,
                bound,
                first,
                ceiling,
                ceilingGiven.isPresent(),
                sizing,
                settings.controller,
                values.duration(CoreKey.GROW_ON_WAIT_KEEP),
                timeoutNanos,
                deadlineNanos,
                grownTo.isPresent(),
                consultations,
                List.copyOf(settings.listeners),
                settings.classes,
                settings.observer,
                List.copyOf(settings.metrics),
                settings.ticker,
                settings.parts());
    }

    /** Adds a problem, unless the key itself, or a key that the rule refers to, already has one. */
    private void refuse(CoreKey key, Object value, String rule, CoreKey... about) {
        if (!problems.about(key) && !problems.about(about)) {
            problems.add(key, refusals.of(key, value, rule));
        }
    }

    /** As {@link #refuse}, for a key without a value that other keys need. */
    private void refuseMissing(CoreKey key, String rule, List<? extends SettingKey> neededBy, CoreKey... about) {
        if (!problems.about(key) && !problems.about(about)) {
            problems.add(key, refusals.ofMissing(key, rule, neededBy.toArray(SettingKey[]::new)));
        }
    }

    /** Refuses a text that no class name begins with, such as {@code com.acme.*}. */
    private void checkNames(CoreKey key) {
        for (String name : values.texts(key)) {
            if (!name.matches("[\\p{javaJavaIdentifierPart}.]+")) {
                refuse(key, name, "must be " + key.key().allowed());
            }
        }
    }

    private OptionalInt grownTo() {
        OptionalInt highest = OptionalInt.empty();
        for (Requirements one : requirements) {
            OptionalInt ceiling = one.ceiling();
            if (ceiling.isPresent() && (highest.isEmpty() || ceiling.getAsInt() > highest.getAsInt())) {
                highest = ceiling;
            }
        }
        return highest;
    }

    private void logPhysical(int first, int ceiling) {
        if (ceiling > first && !pool.capabilities().contains(Capability.PHYSICAL_FOLLOWS_LIMIT)) {
            boolean resizes = pool.capabilities().contains(Capability.LIVE_RESIZE);
            LOG.info(
                    "{}: the pool may keep up to {} connections open while the limit is {}: {}",
                    poolName,
                    ceiling,
                    first,
                    resizes
                            ? "flexpool cannot close the idle connections of this " + pool.type() + " pool"
                            : "the max of this " + pool.type() + " pool cannot be changed at run time");
        }
    }

    private void checkDuplicates() {
        refuseDuplicate("strategy", settings.strategies, true);
        refuseDuplicate("listener", settings.listeners, false);
        refuseDuplicate("metrics", settings.metrics, false);
    }

    /** Refuses a second element of the same class, or the same object twice. */
    private void refuseDuplicate(String key, List<?> given, boolean byClass) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Object one : given) {
            if (!seen.add(byClass ? one.getClass() : one)) {
                problems.add(key, refusals.of(key, one.getClass().getSimpleName(), "given twice, must be given once"));
            }
        }
    }

    /** The ceiling of a pool, from the key or from a strategy; empty without one. */
    private OptionalInt ceilingGiven(OptionalInt ofStrategies, PoolMode mode) {
        if (!values.has(CoreKey.CEILING)) {
            if (ofStrategies.isEmpty() && mode == PoolMode.ADAPT) {
                String rule = "is required by mode = adapt";
                refuseMissing(
                        CoreKey.CEILING,
                        rule,
                        List.of(CoreKey.MODE),
                        CoreKey.GROW_ON_WAIT_AFTER,
                        CoreKey.GROW_ON_WAIT_KEEP);
            }
            return ofStrategies;
        }
        int own = values.count(CoreKey.CEILING);
        if (ofStrategies.isPresent()) {
            String rule = "cannot be combined with a strategy that grows up to " + ofStrategies.getAsInt()
                    + ": a pool has one ceiling";
            refuse(CoreKey.CEILING, own, rule);
        }
        return OptionalInt.of(own);
    }

    private void checkArtifact(boolean bound) {
        if (!(pool instanceof GenericAdapter generic) || generic.missingArtifact() == null) {
            return;
        }
        String advice = "add " + generic.missingArtifact();
        if (bound || !settings.strategies.isEmpty()) {
            String rule = advice + ": a strategy or a limit needs this adapter";
            problems.add(
                    "data source", refusals.of("data source", target.getClass().getName(), rule));
            return;
        }
        LOG.warn(
                "{}: no adapter for {}: {} for pool metrics and resizing",
                poolName,
                target.getClass().getName(),
                advice);
    }

    private List<SettingKey> with(List<CoreKey> keys) {
        List<SettingKey> all = new ArrayList<>(limiting);
        all.addAll(keys);
        return all;
    }

    private int base() {
        int max = values.has(CoreKey.BASE)
                ? values.count(CoreKey.BASE)
                : pool.snapshot().max();
        if (max == PoolSnapshot.UNKNOWN) {
            String rule = "must be given, because a " + pool.type() + " does not report its max size";
            refuseMissing(CoreKey.BASE, rule, with(LIMITING));
        }
        return max;
    }

    private long timeout(boolean bound) {
        if (values.has(CoreKey.ACQUISITION_TIMEOUT)) {
            return values.nanos(CoreKey.ACQUISITION_TIMEOUT);
        }
        Optional<Duration> own = pool.acquisitionTimeout();
        if (own.isEmpty() && (bound || !settings.strategies.isEmpty())) {
            String rule = "must be given, here or as the pool's " + pool.acquisitionTimeoutKey()
                    + ": a strategy or a limit needs a time limit for requests";
            refuseMissing(CoreKey.ACQUISITION_TIMEOUT, rule, with(WAITING));
        }
        return own.isPresent() ? own.get().toNanos() : NEVER;
    }

    private long deadline(long timeoutNanos) {
        long longest = timeoutNanos;
        for (Requirements one : requirements) {
            Duration deadline = one.deadline().orElse(null);
            if (deadline != null && deadline.toNanos() <= timeoutNanos) {
                String rule = "must be longer than " + timeout(timeoutNanos);
                refuse(CoreKey.RETRY_DEADLINE, deadline, rule, CoreKey.ACQUISITION_TIMEOUT);
            }
            longest = deadline == null ? longest : Math.max(longest, deadline.toNanos());
        }
        return longest;
    }

    private static String timeout(long nanos) {
        return "the acquisition timeout, " + Duration.ofNanos(nanos);
    }

    /**
     * When each strategy is consulted.
     *
     * @param timeoutNanos the acquisition timeout; Long.MAX_VALUE if no request waits where a strategy can be consulted
     */
    private List<Consulted> consultations(long timeoutNanos) {
        List<Consulted> consultations = new ArrayList<>();
        for (int at = 0; at < requirements.size(); at++) {
            Duration timeout = Duration.ofNanos(timeoutNanos);
            Duration after = timeoutNanos == NEVER
                    ? null
                    : requirements.get(at).consultAfter(timeout).orElse(null);
            if (after != null && after.compareTo(timeout) >= 0) {
                String rule = "must be shorter than " + timeout(timeoutNanos);
                refuse(CoreKey.GROW_ON_WAIT_AFTER, after, rule, CoreKey.ACQUISITION_TIMEOUT);
            }
            Duration least = after == null
                    ? null
                    : requirements.get(at).consultAfterAtLeast(timeout).orElse(after);
            consultations.add(new Consulted(settings.strategies.get(at), nanos(after), nanos(least)));
        }
        return List.copyOf(consultations);
    }

    private static long nanos(@Nullable Duration duration) {
        return duration == null ? NEVER : duration.toNanos();
    }

    private SizingSettings sizing(int base, long timeoutNanos) {
        int min = base < 1 ? SizingSettings.DEFAULT.min() : Math.min(SizingSettings.DEFAULT.min(), base);
        Duration waitTarget = values.need(CoreKey.SIZING_WAIT_TARGET, Duration.class);
        if (values.has(CoreKey.SIZING_WAIT_TARGET) && waitTarget.toNanos() >= timeoutNanos) {
            String rule = "must be shorter than " + timeout(timeoutNanos);
            refuse(CoreKey.SIZING_WAIT_TARGET, waitTarget, rule, CoreKey.ACQUISITION_TIMEOUT);
        }
        return new SizingSettings(min, waitTarget, values.count(CoreKey.SIZING_INSTANCES));
    }

    /** Checks that classes.shed has classes. A value for all pools passes if other pools have classes. */
    private void checkShed() {
        if (!values.flag(CoreKey.CLASSES_SHED) || !settings.classes.isEmpty()) {
            return;
        }
        Refusals.Given given =
                settings.properties.get(CoreKey.CLASSES_SHED.key().name());
        boolean ofAll = given != null && !given.ofCode() && !given.key().startsWith(ConfigReader.POOL_PREFIX);
        if (!ofAll || !settings.classesElsewhere) {
            refuse(CoreKey.CLASSES_SHED, true, "needs flexpool.classes, the names of the request classes");
        }
    }

    private void checkLeaks() {
        Duration threshold = values.duration(CoreKey.LEAK_THRESHOLD);
        if (threshold != null && threshold.compareTo(SHORTEST_USUAL) < 0) {
            LOG.warn(
                    "{}: leak.threshold = {} is below {}: normal work may be reported as a leak; use such a value only in tests",
                    poolName,
                    threshold,
                    SHORTEST_USUAL);
        }
    }
}
