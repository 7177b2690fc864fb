// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.adapter.Capability;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.internal.config.PoolConfig.Consulted;
import io.flexpool.internal.discovery.GenericAdapter;
import io.flexpool.internal.sizing.SizingSettings;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.Requirements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The checks that need to know the pool. Changes nothing. */
public final class ConfigChecks {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final Duration LONGEST_KEEP = Duration.ofMinutes(10);
    private static final Duration SHORTEST_THRESHOLD = Duration.ofSeconds(30);
    private static final long NEVER = Long.MAX_VALUE;

    private final Settings settings;
    private final Values values;
    /** Of each strategy, in their order. */
    private final List<Requirements> requirements;

    private final DataSource target;
    private final String poolName;
    private final PoolAdapter pool;
    private final Refusals refusals;

    public ConfigChecks(Settings settings, DataSource target, String poolName, PoolAdapter pool) {
        this.settings = settings;
        this.values = settings.values;
        this.requirements = settings.strategies.stream()
                .map(AcquisitionStrategy::requirements)
                .toList();
        this.target = target;
        this.poolName = poolName;
        this.pool = pool;
        this.refusals = settings.refusals(poolName);
    }

    public PoolConfig check() {
        checkDuplicates();
        values.check(refusals);
        PoolMode mode = values.need(CoreKey.MODE, PoolMode.class);
        OptionalInt grownTo = requirements.stream()
                .flatMapToInt(one -> one.ceiling().stream())
                .max();
        OptionalInt ceilingGiven = ceilingGiven(grownTo, mode);
        boolean bound = values.has(CoreKey.BASE)
                || values.has(CoreKey.ACQUISITION_TIMEOUT)
                || grownTo.isPresent()
                || requirements.stream().anyMatch(Requirements::limitsWaiting);
        boolean gated = bound || ceilingGiven.isPresent();
        checkArtifact(gated);
        int first = gated ? base() : 0;
        int ceiling = ceilingGiven.orElse(first);
        if (ceiling < first) {
            throw refusals.of(CoreKey.CEILING, ceiling, "must not be below the base, " + first);
        }
        long timeoutNanos = timeout(bound || mode == PoolMode.ADAPT);
        long deadlineNanos = deadline(timeoutNanos);
        if (mode == PoolMode.ADAPT || (bound && mode != PoolMode.MONITOR)) {
            logPhysical(first, ceiling);
        }
        checkLeaks();
        SizingSettings sizing = sizing(first, timeoutNanos);
        return new PoolConfig(
                poolName,
                target,
                pool,
                values,
                gated,
                bound,
                first,
                ceiling,
                ceilingGiven.isPresent(),
                sizing,
                in -> settings.controller.apply(sizing, in),
                keep(),
                timeoutNanos,
                deadlineNanos,
                grownTo.isPresent(),
                consultations(gated ? timeoutNanos : NEVER),
                List.copyOf(settings.listeners),
                settings.observer,
                List.copyOf(settings.metrics),
                settings.ticker);
    }

    private void logPhysical(int first, int ceiling) {
        if (ceiling > first && !pool.capabilities().contains(Capability.PHYSICAL_FOLLOWS_LIMIT)) {
            LOG.info(
                    "{}: up to {} physical connections may be open while {} may be leased: {} gives no way to change its max at run time",
                    poolName,
                    ceiling,
                    first,
                    pool.type());
        }
    }

    private void checkDuplicates() {
        refuseDuplicate("strategy", settings.strategies, Object::getClass);
        refuseDuplicate("listener", settings.listeners, listener -> listener);
        refuseDuplicate("metrics", settings.metrics, binder -> binder);
    }

    private <T> void refuseDuplicate(String key, List<T> given, Function<T, Object> identity) {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (T one : given) {
            if (!seen.add(identity.apply(one))) {
                throw refusals.of(key, one.getClass().getSimpleName(), "given twice, must be given once");
            }
        }
    }

    /** The one ceiling of a pool, from the key or from a strategy; empty if there is none. */
    private OptionalInt ceilingGiven(OptionalInt ofStrategies, PoolMode mode) {
        if (!values.has(CoreKey.CEILING)) {
            if (ofStrategies.isEmpty() && mode == PoolMode.ADAPT) {
                String rule = "must be given with mode = adapt: the sizing controller needs a limit";
                throw refusals.of(CoreKey.CEILING, "none", rule);
            }
            return ofStrategies;
        }
        int own = values.count(CoreKey.CEILING);
        if (ofStrategies.isPresent()) {
            String rule = "must be left out beside a strategy that grows up to " + ofStrategies.getAsInt()
                    + ": a pool has one ceiling";
            throw refusals.of(CoreKey.CEILING, own, rule);
        }
        return OptionalInt.of(own);
    }

    private void checkArtifact(boolean bound) {
        if (!(pool instanceof GenericAdapter generic) || generic.missingArtifact() == null) {
            return;
        }
        String advice = "add the module " + generic.missingArtifact() + ", which knows this pool";
        if (bound || !settings.strategies.isEmpty()) {
            throw refusals.of("data source", target.getClass().getName(), advice + "; a strategy or a limit needs it");
        }
        LOG.warn("{}: {}; until then only times are seen, not the pool's own figures", poolName, advice);
    }

    private int base() {
        int max = values.has(CoreKey.BASE)
                ? values.count(CoreKey.BASE)
                : pool.snapshot().max();
        if (max == PoolSnapshot.UNKNOWN) {
            String rule = "must be given, for a " + pool.type() + " does not report its max size";
            throw refusals.of(CoreKey.BASE, "none", rule);
        }
        return max;
    }

    private @Nullable Duration keep() {
        Duration longest = requirements.stream()
                .flatMap(one -> one.keep().stream())
                .max(Comparator.naturalOrder())
                .orElse(null);
        // GrowOnWait has been checked already; this is for strategies of others.
        if (longest != null && (longest.isNegative() || longest.compareTo(LONGEST_KEEP) > 0)) {
            throw refusals.of(CoreKey.GROW_ON_WAIT_KEEP, longest, "must be from PT0S to PT10M");
        }
        return longest;
    }

    private long timeout(boolean bound) {
        if (values.has(CoreKey.ACQUISITION_TIMEOUT)) {
            return values.nanos(CoreKey.ACQUISITION_TIMEOUT);
        }
        Optional<Duration> own = pool.acquisitionTimeout();
        if (own.isEmpty() && (bound || !settings.strategies.isEmpty())) {
            String rule = "must be given, or the pool's " + pool.acquisitionTimeoutKey()
                    + " set: a strategy or a limit needs to know when a request gives up";
            throw refusals.of(CoreKey.ACQUISITION_TIMEOUT, "none", rule);
        }
        return own.map(Duration::toNanos).orElse(NEVER);
    }

    private long deadline(long timeoutNanos) {
        List<Duration> deadlines =
                requirements.stream().flatMap(one -> one.deadline().stream()).toList();
        for (Duration deadline : deadlines) {
            if (deadline.toNanos() <= timeoutNanos) {
                throw refusals.of(CoreKey.RETRY_DEADLINE, deadline, "must be longer than " + timeout(timeoutNanos));
            }
        }
        return deadlines.stream().mapToLong(Duration::toNanos).max().orElse(timeoutNanos);
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
                throw refusals.of(CoreKey.GROW_ON_WAIT_AFTER, after, "must be shorter than " + timeout(timeoutNanos));
            }
            consultations.add(new Consulted(settings.strategies.get(at), after == null ? NEVER : after.toNanos()));
        }
        return List.copyOf(consultations);
    }

    private SizingSettings sizing(int base, long timeoutNanos) {
        int most = base < 1 ? Integer.MAX_VALUE : base;
        int least = values.has(CoreKey.SIZING_MIN)
                ? values.count(CoreKey.SIZING_MIN)
                : Math.min(SizingSettings.DEFAULT.min(), most);
        if (least > most) {
            throw refusals.of(CoreKey.SIZING_MIN, least, "must not be above the base, " + base);
        }
        Duration waitTarget = values.need(CoreKey.SIZING_WAIT_TARGET, Duration.class);
        if (values.has(CoreKey.SIZING_WAIT_TARGET) && waitTarget.toNanos() >= timeoutNanos) {
            throw refusals.of(CoreKey.SIZING_WAIT_TARGET, waitTarget, "must be shorter than " + timeout(timeoutNanos));
        }
        return new SizingSettings(least, waitTarget, values.count(CoreKey.SIZING_INSTANCES));
    }

    private void checkLeaks() {
        Duration threshold = values.duration(CoreKey.LEAK_THRESHOLD);
        boolean mayBeShort = values.flag(CoreKey.LEAK_ALLOW_SHORT);
        if (threshold != null && threshold.compareTo(SHORTEST_THRESHOLD) < 0 && !mayBeShort) {
            String rule = "must be at least " + SHORTEST_THRESHOLD
                    + ", or leak.allow-short = true given, which is meant for tests";
            throw refusals.of(CoreKey.LEAK_THRESHOLD, threshold, rule);
        }
        Duration reclaim = values.duration(CoreKey.LEAK_RECLAIM_AFTER);
        if (reclaim != null && (threshold == null || reclaim.compareTo(threshold) <= 0)) {
            String rule = "must be longer than leak.threshold, "
                    + (threshold == null ? "which must be given too" : threshold);
            throw refusals.of(CoreKey.LEAK_RECLAIM_AFTER, reclaim, rule);
        }
    }
}
