// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.event.PoolListener;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider;
import io.flexpool.pool.RefusedValueException;
import io.flexpool.strategy.AcquisitionStrategy;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Creates the objects that properties name or describe: strategies, listeners, metrics backends. For one thread. */
final class PropertyObjects {
    private final Settings settings;
    private final ConfigTable table;
    private final Refusals refusals;
    private final Problems problems;

    PropertyObjects(Settings settings, ConfigTable table, Refusals refusals) {
        this.settings = settings;
        this.table = table;
        this.refusals = refusals;
        this.problems = settings.problems;
    }

    void make() {
        for (String name : settings.values.texts(CoreKey.LISTENERS)) {
            collected(CoreKey.LISTENERS, () -> settings.listeners.add(listener(name)));
        }
        for (CoreKey key : CoreKey.STRATEGIES) {
            makeStrategy(key);
        }
        useCeiling();
        makeBackends();
    }

    private void makeStrategy(CoreKey key) {
        String name = key.key().name();
        boolean bad = problems.aboutAny(name.substring(0, name.indexOf('.') + 1));
        if (!bad && !(key == CoreKey.GROW_ON_WAIT_ENABLED && problems.about(CoreKey.CEILING))) {
            collected(key, () -> {
                AcquisitionStrategy made = strategy(key, settings.values);
                if (made != null) {
                    settings.strategies.add(made);
                }
            });
        }
    }

    /** Creates an object; adds a refusal to the problems. */
    private void collected(CoreKey key, Runnable make) {
        try {
            make.run();
        } catch (RefusedValueException refused) {
            problems.add(refused.key(), refusals.of("", refused));
        } catch (IllegalArgumentException refused) {
            problems.add(key, refused);
        }
    }

    /** Removes the key's ceiling if a growth strategy has one: a pool has only one ceiling. */
    private void useCeiling() {
        for (AcquisitionStrategy one : settings.strategies) {
            if (one instanceof GrowOnWait) {
                settings.values = settings.values.without(CoreKey.CEILING);
            }
        }
    }

    private void makeBackends() {
        List<String> named = settings.values.has(CoreKey.METRICS)
                ? settings.values.texts(CoreKey.METRICS)
                : List.copyOf(givenBackends());
        if (problems.about(CoreKey.METRICS)) {
            return;
        }
        for (String name : named) {
            collected(CoreKey.METRICS, () -> makeBackend(name));
        }
        for (Map.Entry<String, Refusals.Given> one : settings.properties.entrySet()) {
            String key = one.getKey();
            if (key.startsWith(ConfigTable.BACKENDS) && !isOfAny(named, key)) {
                String rule = "only has an effect if " + ConfigReader.PREFIX + "metrics names this backend";
                problems.add(key, refusals.of(key, one.getValue().value(), rule));
            }
        }
    }

    private Set<String> givenBackends() {
        Set<String> names = new LinkedHashSet<>();
        for (MetricsProvider provider : settings.providers) {
            names.add(provider.name());
        }
        return names;
    }

    private static boolean isOfAny(List<String> backends, String key) {
        return backends.stream().anyMatch(name -> key.startsWith(ConfigTable.prefix(name)));
    }

    private void makeBackend(String name) {
        MetricsProvider provider = table.providers.get(name);
        if (provider == null) {
            String rule = "must be one of " + String.join(", ", table.providers.keySet())
                    + ", or a flexpool-metrics module is missing";
            throw refusals.of(CoreKey.METRICS, name, rule);
        }
        String prefix = ConfigTable.prefix(name);
        if (problems.aboutAny(prefix)) {
            return;
        }
        Map<String, Object> values = new LinkedHashMap<>();
        settings.properties.forEach((key, given) -> {
            if (key.startsWith(prefix)) {
                values.put(key.substring(prefix.length()), given.value());
            }
        });
        settings.metrics.add(made(provider, prefix, values));
    }

    private MetricsBinder made(MetricsProvider provider, String prefix, Map<String, Object> values) {
        try {
            return provider.create(new ConfigKey.Values(values));
        } catch (RefusedValueException refused) {
            throw refusals.of(prefix, refused);
        } catch (IllegalArgumentException refused) {
            // The refusal of a backend with its own message.
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

    /** Loads by the thread's context class loader, as frameworks require, otherwise by flexpool's. */
    private static Class<?> load(String className) throws ClassNotFoundException {
        ClassLoader own = PropertyObjects.class.getClassLoader();
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        try {
            return (context == null ? own : context).loadClass(className);
        } catch (ClassNotFoundException notThere) {
            return own.loadClass(className);
        }
    }

    private IllegalArgumentException badListener(String className, String rule, Throwable cause) {
        return refusals.of(CoreKey.LISTENERS, className, rule, cause);
    }

    /** The strategy of a key and its group; null if not enabled. */
    private static @Nullable AcquisitionStrategy strategy(CoreKey key, Values values) {
        return switch (key) {
            case CIRCUIT_BREAKER_FAILURES -> values.has(key) ? CircuitBreaker.after(values.count(key)) : null;
            case GROW_ON_WAIT_ENABLED ->
                values.flag(key)
                        ? GrowOnWait.upTo(values.count(CoreKey.CEILING))
                                .withAfter(values.duration(CoreKey.GROW_ON_WAIT_AFTER))
                                .withKeep(values.duration(CoreKey.GROW_ON_WAIT_KEEP))
                        : null;
            case FAIL_FAST_MAX_PENDING -> values.has(key) ? FailFast.above(values.count(key)) : null;
            case RETRY_DEADLINE -> values.has(key) ? retry(values) : null;
            default -> null;
        };
    }

    private static AcquisitionStrategy retry(Values values) {
        RetryAcquisition retry = RetryAcquisition.within(values.need(CoreKey.RETRY_DEADLINE, Duration.class));
        // In an outage the circuit breaker ends the attempts.
        return values.has(CoreKey.CIRCUIT_BREAKER_FAILURES) ? retry.withConnectFailures() : retry;
    }
}
