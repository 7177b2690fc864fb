// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.adapter.Capability;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.internal.config.PoolConfig.Consulted;
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
    private static final long NEVER = Long.MAX_VALUE;

    private final Settings settings;
    private final DataSource target;
    private final String poolName;
    private final PoolAdapter pool;
    private final @Nullable String missingArtifact;
    private final Refusals refusals;

    public ConfigChecks(
            Settings settings, DataSource target, String poolName, PoolAdapter pool, @Nullable String missingArtifact) {
        this.settings = settings;
        this.target = target;
        this.poolName = poolName;
        this.pool = pool;
        this.missingArtifact = missingArtifact;
        this.refusals = settings.refusals(poolName);
    }

    public PoolConfig check() {
        checkDuplicates();
        OptionalInt ceilingOfStrategies = ceilings();
        OptionalInt asked = settings.sizing.ceiling(refusals, ceilingOfStrategies);
        settings.sizing.needCeiling(refusals, asked);
        boolean acts = settings.sizing.mode == PoolMode.ADAPT;
        boolean bound = settings.base != null
                || settings.acquisitionTimeout != null
                || ceilingOfStrategies.isPresent()
                || settings.strategies.stream()
                        .map(AcquisitionStrategy::requirements)
                        .anyMatch(Requirements::limitsWaiting);
        boolean gated = bound || asked.isPresent();
        checkArtifact(gated);
        int first = gated ? checkBase() : 0;
        int ceiling = gated ? checkCeiling(first, asked) : 0;
        long timeoutNanos = checkTimeout(bound || acts);
        long deadlineNanos = checkDeadline(timeoutNanos);
        if (acts || (bound && settings.sizing.mode != PoolMode.MONITOR)) {
            tellPhysical(first, ceiling);
        }
        return new PoolConfig(
                poolName,
                target,
                pool,
                gated,
                bound,
                first,
                ceiling,
                settings.sizing.check(refusals, first, asked.isPresent(), timeoutNanos),
                keep(),
                timeoutNanos,
                deadlineNanos,
                threshold(CoreKey.SLOW_ACQUISITION, settings.slowAcquisition),
                threshold(CoreKey.LONG_LEASE, settings.longLease),
                settings.leases.check(refusals),
                gated && timeoutNanos != NEVER ? consultations(timeoutNanos) : onlyAfterFailures(),
                List.copyOf(settings.listeners),
                settings.observer,
                List.copyOf(settings.metrics),
                settings.ticker);
    }

    private void tellPhysical(int first, int ceiling) {
        if (ceiling > first && !pool.capabilities().contains(Capability.PHYSICAL_FOLLOWS_LIMIT)) {
            LOG.info(
                    "{}: up to {} physical connections may be open while {} may be out: {} gives no way to change its max at run time",
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

    private OptionalInt ceilings() {
        return settings.strategies.stream()
                .map(strategy -> strategy.requirements().ceiling())
                .filter(OptionalInt::isPresent)
                .mapToInt(OptionalInt::getAsInt)
                .max();
    }

    private void checkArtifact(boolean bound) {
        if (missingArtifact == null) {
            return;
        }
        String advice = "add the module " + missingArtifact + ", which knows this pool";
        if (bound || !settings.strategies.isEmpty()) {
            throw refusals.of("data source", target.getClass().getName(), advice + "; a strategy or a limit needs it");
        }
        LOG.warn("{}: {}; until then only times are seen, not the pool's own figures", poolName, advice);
    }

    private int checkBase() {
        Integer wanted = settings.base;
        if (wanted == null) {
            int max = pool.snapshot().max();
            if (max == PoolSnapshot.UNKNOWN) {
                throw refusals.of(
                        CoreKey.BASE, "none", "must be given, for a " + pool.type() + " does not tell its max size");
            }
            return max;
        }
        if (wanted < 1 || wanted > PoolConfig.LARGEST_BASE) {
            throw refusals.of(CoreKey.BASE, wanted, "must be from 1 to " + PoolConfig.LARGEST_BASE);
        }
        return wanted;
    }

    private int checkCeiling(int first, OptionalInt asked) {
        int ceiling = asked.orElse(first);
        if (ceiling < first) {
            throw refusals.of(settings.ceilingKey(), ceiling, "must not be below the base, " + first);
        }
        return ceiling;
    }

    private @Nullable Duration keep() {
        Duration longest = settings.strategies.stream()
                .map(strategy -> strategy.requirements().keep())
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder())
                .orElse(null);
        // GrowOnWait has been checked already; this is for strategies of others.
        if (longest != null && (longest.isNegative() || longest.compareTo(LONGEST_KEEP) > 0)) {
            throw refusals.of(CoreKey.GROW_ON_WAIT_KEEP, longest, "must be from PT0S to PT10M");
        }
        return longest;
    }

    private long checkTimeout(boolean bound) {
        Duration given = settings.acquisitionTimeout;
        if (given != null) {
            if (given.compareTo(Duration.ofMillis(1)) < 0 || given.compareTo(Duration.ofHours(1)) > 0) {
                throw refusals.of(CoreKey.ACQUISITION_TIMEOUT, given, "must be from PT0.001S to PT1H");
            }
            return given.toNanos();
        }
        Optional<Duration> own = pool.acquisitionTimeout();
        if (own.isEmpty() && (bound || !settings.strategies.isEmpty())) {
            throw refusals.of(
                    CoreKey.ACQUISITION_TIMEOUT,
                    "none",
                    "must be given, or the pool's " + pool.acquisitionTimeoutKey()
                            + " set: a strategy or a limit needs to know when a request gives up");
        }
        return own.map(Duration::toNanos).orElse(NEVER);
    }

    private long checkDeadline(long timeoutNanos) {
        long longest = timeoutNanos;
        for (AcquisitionStrategy strategy : settings.strategies) {
            Optional<Duration> deadline = strategy.requirements().deadline();
            if (deadline.isPresent()) {
                long nanos = deadline.get().toNanos();
                if (nanos <= timeoutNanos) {
                    throw refusals.of(
                            CoreKey.RETRY_DEADLINE,
                            deadline.get(),
                            "must be longer than the acquisition timeout, " + Duration.ofNanos(timeoutNanos));
                }
                longest = Math.max(longest, nanos);
            }
        }
        return longest;
    }

    private List<Consulted> consultations(long timeoutNanos) {
        Duration timeout = Duration.ofNanos(timeoutNanos);
        List<Consulted> consultations = new ArrayList<>();
        for (AcquisitionStrategy strategy : settings.strategies) {
            Optional<Duration> after = strategy.requirements().consultAfter(timeout);
            if (after.isPresent() && after.get().compareTo(timeout) >= 0) {
                throw refusals.of(
                        CoreKey.GROW_ON_WAIT_AFTER,
                        after.get(),
                        "must be shorter than the acquisition timeout, " + timeout);
            }
            consultations.add(
                    new Consulted(strategy, after.map(Duration::toNanos).orElse(NEVER)));
        }
        return List.copyOf(consultations);
    }

    /** Of a pool without a gate: nobody waits where a strategy could be asked. */
    private List<Consulted> onlyAfterFailures() {
        return settings.strategies.stream()
                .map(strategy -> new Consulted(strategy, NEVER))
                .toList();
    }

    private long threshold(CoreKey key, @Nullable Duration given) {
        if (given == null) {
            return NEVER;
        }
        if (given.isZero() || given.isNegative() || given.compareTo(Duration.ofDays(1)) > 0) {
            throw refusals.of(key, given, "must be above PT0S and at most P1D");
        }
        return given.toNanos();
    }
}
