// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.adapter.Capability;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.internal.Adapters;
import io.flexpool.internal.MonitoredPool;
import io.flexpool.internal.PoolParts;
import io.flexpool.internal.WrappedPools;
import io.flexpool.pool.LeaseObserver;
import io.flexpool.pool.MetricsBinder;
import io.flexpool.pool.PoolListener;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.Ticker;
import io.flexpool.strategy.AcquisitionStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says how a pool is to be wrapped. Every check happens in {@link #build()}, which names the key, the value and what is
 * allowed; until then the pool is untouched. For one thread.
 */
public final class FlexPoolBuilder {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final AtomicInteger UNNAMED = new AtomicInteger();
    private static final int LARGEST_BASE = 10_000;
    private static final long NEVER = Long.MAX_VALUE;

    private final DataSource target;
    private @Nullable String name;
    private boolean enabled = true;
    private @Nullable Integer base;
    private @Nullable Duration acquisitionTimeout;
    private @Nullable Duration slowAcquisition;
    private @Nullable Duration longLease;
    private @Nullable PoolAdapter adapter;
    private LeaseObserver observer = LeaseObserver.NONE;
    private Ticker ticker = Ticker.SYSTEM;
    private final List<AcquisitionStrategy> strategies = new ArrayList<>();
    private final List<PoolListener> listeners = new ArrayList<>();
    private final List<MetricsBinder> metrics = new ArrayList<>();

    FlexPoolBuilder(DataSource target) {
        this.target = target;
    }

    /**
     * Names the pool in logs, metrics and reports.
     *
     * @param poolName 1 to 100 characters, no control characters; by default the kind of pool and a number
     * @return this builder
     */
    public FlexPoolBuilder name(String poolName) {
        this.name = Objects.requireNonNull(poolName, "name is null");
        return this;
    }

    /**
     * Whether flexpool does anything at all.
     *
     * @param on false for plain delegation: no gate, no thread, the pool untouched; by default true
     * @return this builder
     */
    public FlexPoolBuilder enabled(boolean on) {
        this.enabled = on;
        return this;
    }

    /**
     * How many connections may be out at first and after calm. Makes the gate limit the pool.
     *
     * @param connections 1 to 10,000; by default the pool's own max
     * @return this builder
     */
    public FlexPoolBuilder base(int connections) {
        this.base = connections;
        return this;
    }

    /**
     * How long a request waits for a connection. Makes the gate limit the pool.
     *
     * @param timeout 1 ms to 1 h; by default the pool's own
     * @return this builder
     */
    public FlexPoolBuilder acquisitionTimeout(Duration timeout) {
        this.acquisitionTimeout = Objects.requireNonNull(timeout, "acquisition-timeout is null");
        return this;
    }

    /**
     * From what time on a successful acquisition raises an event.
     *
     * @param threshold more than zero; by default none does
     * @return this builder
     */
    public FlexPoolBuilder slowAcquisition(Duration threshold) {
        this.slowAcquisition = Objects.requireNonNull(threshold, "slow-acquisition is null");
        return this;
    }

    /**
     * From what time on a lease raises an event when it ends.
     *
     * @param threshold more than zero; by default none does
     * @return this builder
     */
    public FlexPoolBuilder longLease(Duration threshold) {
        this.longLease = Objects.requireNonNull(threshold, "long-lease is null");
        return this;
    }

    /**
     * Adds a strategy. Strategies are asked in the order in which they were added.
     *
     * @param strategy for example {@link io.flexpool.strategy.GrowOnWait}; each class once
     * @return this builder
     */
    public FlexPoolBuilder strategy(AcquisitionStrategy strategy) {
        strategies.add(Objects.requireNonNull(strategy, "strategy is null"));
        return this;
    }

    /**
     * Adds a listener. Listeners are told in the order in which they were added.
     *
     * @param listener each object once
     * @return this builder
     */
    public FlexPoolBuilder listener(PoolListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener is null"));
        return this;
    }

    /**
     * Adds a metrics backend: bound once the pool stands, unbound when it is closed.
     *
     * @param binder for example the one of flexpool-metrics-dropwizard
     * @return this builder
     */
    public FlexPoolBuilder metrics(MetricsBinder binder) {
        metrics.add(Objects.requireNonNull(binder, "metrics is null"));
        return this;
    }

    /**
     * Has every acquisition and release told to an observer, which costs what the observer does.
     *
     * @param leaseObserver by default {@link LeaseObserver#NONE}
     * @return this builder
     */
    public FlexPoolBuilder observer(LeaseObserver leaseObserver) {
        this.observer = Objects.requireNonNull(leaseObserver, "observer is null");
        return this;
    }

    /**
     * Gives the adapter, instead of looking for one on the class path.
     *
     * @param poolAdapter an adapter of the very pool that is wrapped
     * @return this builder
     */
    public FlexPoolBuilder adapter(PoolAdapter poolAdapter) {
        this.adapter = Objects.requireNonNull(poolAdapter, "adapter is null");
        return this;
    }

    /**
     * Gives the clock, for tests.
     *
     * @param clock by default {@link Ticker#SYSTEM}
     * @return this builder
     */
    public FlexPoolBuilder ticker(Ticker clock) {
        this.ticker = Objects.requireNonNull(clock, "ticker is null");
        return this;
    }

    /**
     * Checks everything and wraps the pool. If anything is wrong the pool is as it was.
     *
     * @return the wrapped pool
     * @throws IllegalArgumentException naming key, value and what is allowed
     * @throws IllegalStateException if this very pool is wrapped already
     */
    public FlexPoolDataSource build() {
        if (name != null) {
            checkName(name);
        }
        if (target instanceof FlexPoolDataSource wrapped) {
            throw new IllegalStateException("the data source to wrap is flexpool '" + wrapped.name() + "' itself");
        }
        Adapters.Found found = adapter != null ? new Adapters.Found(adapter, null) : Adapters.find(target);
        PoolAdapter pool = found.adapter();
        String poolName = name != null ? name : pool.type() + "-" + UNNAMED.incrementAndGet();
        if (!enabled) {
            LOG.info("{}: flexpool is disabled and only delegates", poolName);
            return new FlexPoolDataSource(target, poolName, null);
        }
        PoolParts parts = new Plan(poolName, pool, found.missingArtifact()).check();
        String before = WrappedPools.add(target, poolName);
        if (before != null) {
            throw new IllegalStateException("flexpool '" + poolName + "': this " + pool.type()
                    + " pool is wrapped already, as '" + before + "'; two wrappers would each allow all of it");
        }
        boolean prepared = false;
        try {
            if (parts.bound()) {
                pool.prepare(parts.base(), parts.ceiling());
                prepared = true;
            }
            MonitoredPool monitored = new MonitoredPool(parts);
            monitored.start();
            LOG.info("{}: {} is {}", poolName, pool.type(), describe(parts));
            return new FlexPoolDataSource(target, poolName, monitored);
        } catch (RuntimeException | Error failed) {
            WrappedPools.remove(target);
            if (prepared) {
                pool.restore();
            }
            throw failed;
        }
    }

    private static String describe(PoolParts parts) {
        return parts.bound()
                ? "bound: at most " + parts.base() + " connections out, growing to " + parts.ceiling() + " at most"
                : "watched and left as it is";
    }

    private static void checkName(String name) {
        if (name.isBlank() || name.length() > 100 || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("name = '" + name.replaceAll("\\p{Cntrl}", "?")
                    + "': must be 1 to 100 characters, not blank, no control characters");
        }
    }

    /** The checks that need to know the pool. */
    private final class Plan {
        private final String poolName;
        private final PoolAdapter pool;
        private final @Nullable String missingArtifact;

        Plan(String poolName, PoolAdapter pool, @Nullable String missingArtifact) {
            this.poolName = poolName;
            this.pool = pool;
            this.missingArtifact = missingArtifact;
        }

        PoolParts check() {
            checkDuplicates();
            OptionalInt asked = ceilings();
            boolean bound = base != null || acquisitionTimeout != null || asked.isPresent();
            if (missingArtifact != null) {
                checkArtifact(bound);
            }
            int first = bound ? checkBase() : 0;
            int ceiling = bound ? checkCeiling(first, asked) : 0;
            long timeoutNanos = checkTimeout(bound);
            long deadlineNanos = checkDeadline(timeoutNanos);
            if (bound && ceiling > first && !pool.capabilities().contains(Capability.PHYSICAL_FOLLOWS_LIMIT)) {
                LOG.info(
                        "{}: up to {} physical connections may be open while {} may be out: {} gives no way to change its max at run time",
                        poolName,
                        ceiling,
                        first,
                        pool.type());
            }
            return new PoolParts(
                    poolName,
                    target,
                    pool,
                    bound,
                    first,
                    ceiling,
                    timeoutNanos,
                    deadlineNanos,
                    bound ? consultEvery(timeoutNanos) : NEVER,
                    threshold("slow-acquisition", slowAcquisition),
                    threshold("long-lease", longLease),
                    List.copyOf(strategies),
                    List.copyOf(listeners),
                    observer,
                    List.copyOf(metrics),
                    ticker);
        }

        private void checkDuplicates() {
            refuseDuplicate("strategy", strategies, Object::getClass);
            refuseDuplicate("listener", listeners, listener -> listener);
        }

        private <T> void refuseDuplicate(String key, List<T> given, Function<T, Object> identity) {
            Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
            for (T one : given) {
                if (!seen.add(identity.apply(one))) {
                    throw bad(key, one.getClass().getSimpleName(), "given twice, must be given once");
                }
            }
        }

        private OptionalInt ceilings() {
            return strategies.stream()
                    .map(AcquisitionStrategy::ceiling)
                    .filter(OptionalInt::isPresent)
                    .mapToInt(OptionalInt::getAsInt)
                    .max();
        }

        private void checkArtifact(boolean bound) {
            String advice = "add the module " + missingArtifact + ", which knows this pool";
            if (bound || !strategies.isEmpty()) {
                throw bad("data source", target.getClass().getName(), advice + "; a strategy or a limit needs it");
            }
            LOG.warn("{}: {}; until then only times are seen, not the pool's own figures", poolName, advice);
        }

        private int checkBase() {
            int max = pool.snapshot().max();
            Integer wanted = base;
            if (wanted == null) {
                if (max == PoolSnapshot.UNKNOWN) {
                    throw bad("base", "none", "must be given, for a " + pool.type() + " does not tell its max size");
                }
                return max;
            }
            if (wanted < 1 || wanted > LARGEST_BASE) {
                throw bad("base", wanted, "must be from 1 to " + LARGEST_BASE);
            }
            return wanted;
        }

        private int checkCeiling(int first, OptionalInt asked) {
            int ceiling = asked.orElse(first);
            if (ceiling < first) {
                throw bad("grow-on-wait.ceiling", ceiling, "must not be below the base, " + first);
            }
            return ceiling;
        }

        private long checkTimeout(boolean bound) {
            Duration given = acquisitionTimeout;
            if (given != null) {
                if (given.compareTo(Duration.ofMillis(1)) < 0 || given.compareTo(Duration.ofHours(1)) > 0) {
                    throw bad("acquisition-timeout", given, "must be from PT0.001S to PT1H");
                }
                return given.toNanos();
            }
            Optional<Duration> own = pool.acquisitionTimeout();
            if (own.isEmpty() && (bound || !strategies.isEmpty())) {
                throw bad(
                        "acquisition-timeout",
                        "none",
                        "must be given, or the pool's " + pool.acquisitionTimeoutKey()
                                + " set: a strategy or a limit needs to know when a request gives up");
            }
            return own.map(Duration::toNanos).orElse(NEVER);
        }

        private long checkDeadline(long timeoutNanos) {
            long longest = timeoutNanos;
            for (AcquisitionStrategy strategy : strategies) {
                Optional<Duration> deadline = strategy.deadline();
                if (deadline.isPresent()) {
                    long nanos = deadline.get().toNanos();
                    if (nanos <= timeoutNanos) {
                        throw bad(
                                "retry.deadline",
                                deadline.get(),
                                "must be longer than the acquisition timeout, " + Duration.ofNanos(timeoutNanos));
                    }
                    longest = Math.max(longest, nanos);
                }
            }
            return longest;
        }

        private long consultEvery(long timeoutNanos) {
            Duration timeout = Duration.ofNanos(timeoutNanos);
            long soonest = NEVER;
            for (AcquisitionStrategy strategy : strategies) {
                Optional<Duration> after = strategy.consultAfter(timeout);
                if (after.isPresent()) {
                    if (after.get().compareTo(timeout) >= 0) {
                        throw bad(
                                "grow-on-wait.after",
                                after.get(),
                                "must be shorter than the acquisition timeout, " + timeout);
                    }
                    soonest = Math.min(soonest, after.get().toNanos());
                }
            }
            return soonest;
        }

        private long threshold(String key, @Nullable Duration given) {
            if (given == null) {
                return NEVER;
            }
            if (given.isZero() || given.isNegative() || given.compareTo(Duration.ofDays(1)) > 0) {
                throw bad(key, given, "must be above PT0S and at most P1D");
            }
            return given.toNanos();
        }

        private IllegalArgumentException bad(String key, Object value, String rule) {
            return new IllegalArgumentException("flexpool '" + poolName + "': " + key + " = " + value + ": " + rule);
        }
    }
}
