// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.event.PoolListener;
import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.ConfigValues;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.pool.CallSiteCapture;
import io.flexpool.pool.NestedPolicy;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.RefusedValueException;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.CircuitBreaker;
import io.flexpool.strategy.FailFast;
import io.flexpool.strategy.GrowOnWait;
import io.flexpool.strategy.RetryAcquisition;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What properties say, put together: keys that belong to one strategy or backend become that strategy or backend, in an
 * order that makes sense whatever the order in the file. For one thread.
 */
final class ConfigDraft {
    private static final Duration CIRCUIT_OPEN_FOR = Duration.ofSeconds(5);
    private static final Duration RETRY_BACKOFF = Duration.ofMillis(100);

    private final Settings settings;
    private final ConfigTable table;
    private final Refusals refusals;
    private final Map<String, Object> ofBackends = new LinkedHashMap<>();
    private List<String> backends;

    @Nullable
    Integer circuitFailures;

    @Nullable
    Duration circuitOpenFor;

    @Nullable
    Integer growthCeiling;

    @Nullable
    Duration growthAfter;

    @Nullable
    Duration growthKeep;

    @Nullable
    Integer maxPending;

    @Nullable
    Integer retryAttempts;

    @Nullable
    Duration retryBackoff;

    @Nullable
    Duration retryDeadline;

    @Nullable
    Boolean retryConnectFailures;

    ConfigDraft(Settings settings, ConfigTable table, String pool) {
        this.settings = settings;
        this.table = table;
        this.refusals = settings.refusals(pool);
        this.backends = settings.providers.stream()
                .map(MetricsProvider::name)
                .distinct()
                .toList();
    }

    Settings settings() {
        return settings;
    }

    void listeners(List<String> classNames) {
        for (String className : classNames) {
            settings.listeners.add(listener(className));
        }
    }

    void callSites(String written) {
        settings.leases.capture = choice(CoreKey.CALL_SITES_CAPTURE, CallSiteCapture.values(), written);
    }

    void nested(String written) {
        settings.leases.nested = choice(CoreKey.NESTED, NestedPolicy.values(), written);
    }

    void mode(String written) {
        PoolMode mode;
        try {
            mode = PoolMode.of(written);
        } catch (RefusedValueException unknown) {
            throw refusals.of("", unknown);
        }
        settings.sizing.mode = choice(CoreKey.MODE, new PoolMode[] {mode}, written);
    }

    private <E extends Enum<E>> E choice(CoreKey key, E[] values, String written) {
        for (E value : values) {
            if (Words.word(value).equals(written)) {
                return value;
            }
        }
        throw refusals.of(key, written, "must be " + key.key().allowed());
    }

    void metrics(List<String> names) {
        backends = names;
    }

    /** A value for a backend's key, by its full name. */
    void backendValue(String key, Object value) {
        ofBackends.put(key, value);
    }

    /** Makes the strategies and backends. */
    void finish() {
        try {
            makeStrategies();
        } catch (RefusedValueException refused) {
            throw refusals.of("", refused);
        }
        makeBackends();
    }

    private void makeStrategies() {
        needs(CoreKey.CIRCUIT_BREAKER_OPEN_FOR, circuitOpenFor, CoreKey.CIRCUIT_BREAKER_FAILURES, circuitFailures);
        needs(CoreKey.GROW_ON_WAIT_AFTER, growthAfter, CoreKey.GROW_ON_WAIT_CEILING, growthCeiling);
        needs(CoreKey.GROW_ON_WAIT_KEEP, growthKeep, CoreKey.GROW_ON_WAIT_CEILING, growthCeiling);
        needs(CoreKey.RETRY_BACKOFF, retryBackoff, CoreKey.RETRY_ATTEMPTS, retryAttempts);
        needs(CoreKey.RETRY_DEADLINE, retryDeadline, CoreKey.RETRY_ATTEMPTS, retryAttempts);
        needs(CoreKey.RETRY_CONNECT_FAILURES, retryConnectFailures, CoreKey.RETRY_ATTEMPTS, retryAttempts);
        needs(CoreKey.RETRY_ATTEMPTS, retryAttempts, CoreKey.RETRY_DEADLINE, retryDeadline);
        if (circuitFailures != null) {
            use(CircuitBreaker.after(circuitFailures, circuitOpenFor != null ? circuitOpenFor : CIRCUIT_OPEN_FOR));
        }
        if (growthCeiling != null) {
            use(new GrowOnWait(growthCeiling, growthAfter, growthKeep));
        }
        if (maxPending != null) {
            use(FailFast.above(maxPending));
        }
        if (retryAttempts != null && retryDeadline != null) {
            use(new RetryAcquisition(
                    retryAttempts,
                    retryBackoff != null ? retryBackoff : RETRY_BACKOFF,
                    retryDeadline,
                    Boolean.TRUE.equals(retryConnectFailures)));
        }
    }

    private void needs(CoreKey key, @Nullable Object value, CoreKey other, @Nullable Object otherValue) {
        if (value != null && otherValue == null) {
            throw refusals.of(
                    key,
                    value,
                    "needs " + ConfigReader.PREFIX + other.key().name() + " too, which must be "
                            + other.key().allowed());
        }
    }

    /** What properties say of a strategy replaces what code said of it. */
    private void use(AcquisitionStrategy strategy) {
        for (int at = 0; at < settings.strategies.size(); at++) {
            if (settings.strategies.get(at).getClass() == strategy.getClass()) {
                // In its place: the order is the order of precedence.
                settings.strategies.set(at, strategy);
                return;
            }
        }
        settings.strategies.add(strategy);
    }

    private void makeBackends() {
        Map<String, Object> unused = new LinkedHashMap<>(ofBackends);
        for (String name : backends) {
            MetricsProvider provider = table.provider(name);
            if (provider == null) {
                throw refusals.of(
                        CoreKey.METRICS,
                        name,
                        table.providerNames().isEmpty()
                                ? "no metrics backend is on the class path; add a flexpool-metrics module"
                                : "must be one of " + String.join(", ", table.providerNames())
                                        + ", or a flexpool-metrics module is missing");
            }
            String prefix = ConfigTable.prefix(name);
            Map<String, Object> values = new LinkedHashMap<>();
            ofBackends.forEach((key, value) -> {
                if (key.startsWith(prefix)) {
                    values.put(key.substring(prefix.length()), value);
                    unused.remove(key);
                }
            });
            settings.metrics.add(made(provider, prefix, values));
        }
        unused.forEach((key, value) -> {
            throw refusals.of(key, value, "has no effect without that backend in " + ConfigReader.PREFIX + "metrics");
        });
    }

    private MetricsBinder made(MetricsProvider provider, String prefix, Map<String, Object> values) {
        try {
            return provider.create(new ConfigValues(values));
        } catch (RefusedValueException refused) {
            throw refusals.of(prefix, refused);
        } catch (IllegalArgumentException refused) {
            // Of a backend that words its refusals itself.
            throw refusals.of(CoreKey.METRICS, provider.name(), "refused: " + refused.getMessage(), refused);
        }
    }

    private PoolListener listener(String className) {
        try {
            return load(className)
                    .asSubclass(PoolListener.class)
                    .getConstructor()
                    .newInstance();
        } catch (ClassNotFoundException absent) {
            throw badListener(className, "no such class on the class path", absent);
        } catch (ClassCastException other) {
            throw badListener(className, "must implement " + PoolListener.class.getName(), other);
        } catch (NoSuchMethodException | IllegalAccessException | InstantiationException hidden) {
            throw badListener(className, "must be a public class with a public constructor without arguments", hidden);
        } catch (ReflectiveOperationException | LinkageError threw) {
            throw badListener(className, "could not be made: its constructor or its class threw", threw);
        }
    }

    /** By the thread's context class loader, as frameworks want it, else by flexpool's own. */
    private static Class<?> load(String className) throws ClassNotFoundException {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        if (context != null) {
            try {
                return context.loadClass(className);
            } catch (ClassNotFoundException notThere) {
                return ConfigDraft.class.getClassLoader().loadClass(className);
            }
        }
        return ConfigDraft.class.getClassLoader().loadClass(className);
    }

    private IllegalArgumentException badListener(String className, String rule, Throwable cause) {
        return refusals.of(CoreKey.LISTENERS, className, rule, cause);
    }
}
