// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import io.flexpool.pool.ConfigKey;
import io.flexpool.pool.MetricsProvider;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All keys that can be given: core's, and those of the metrics backends on the class path. */
final class ConfigTable {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    private static final int MOST_PROVIDERS = 100;

    private final Map<String, MetricsProvider> providers = new LinkedHashMap<>();
    private final Map<String, ConfigKey> keys = new LinkedHashMap<>();

    ConfigTable() {
        CoreKey.keys().forEach(key -> keys.put(key.name(), key));
        collect(ConfigTable.class.getClassLoader());
        collect(Thread.currentThread().getContextClassLoader());
        providers
                .values()
                .forEach(provider -> provider.keys().forEach(key -> {
                    String name = prefix(provider.name()) + key.name();
                    keys.put(name, new ConfigKey(name, key.kind(), key.fallback(), key.allowed(), key.meaning()));
                }));
    }

    private void collect(@Nullable ClassLoader loader) {
        var found = ServiceLoader.load(MetricsProvider.class, loader).iterator();
        // A loader whose directories cannot be read fails at each call without getting on: not for ever.
        for (int at = 0; at < MOST_PROVIDERS; at++) {
            try {
                if (!found.hasNext()) {
                    return;
                }
                MetricsProvider provider = found.next();
                providers.putIfAbsent(provider.name(), provider);
            } catch (ServiceConfigurationError | LinkageError broken) {
                LOG.warn("a metrics module is broken and left out", broken);
            }
        }
    }

    static String prefix(String backend) {
        return CoreKey.METRICS.key().name() + "." + backend + ".";
    }

    @Nullable
    ConfigKey key(String name) {
        return keys.get(name);
    }

    Collection<ConfigKey> keys() {
        return List.copyOf(keys.values());
    }

    @Nullable
    MetricsProvider provider(String name) {
        return providers.get(name);
    }

    Collection<String> providerNames() {
        return List.copyOf(providers.keySet());
    }

    /** The known key that is written most like a given one. */
    static String nearest(String given, Collection<String> known) {
        String nearest = "";
        int least = Integer.MAX_VALUE;
        for (String one : known) {
            int distance = distance(given, one);
            if (distance < least) {
                least = distance;
                nearest = one;
            }
        }
        return nearest;
    }

    /** Levenshtein's: how many characters must be put in, left out or replaced. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int column = 0; column < row.length; column++) {
            row[column] = column;
        }
        for (int line = 1; line <= from.length(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column < row.length; column++) {
                int replaced = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(replaced, 1 + Math.min(row[column], row[column - 1]));
            }
        }
        return row[to.length()];
    }
}
