// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.discovery.Providers;
import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.MetricsProvider;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All keys that can be given: core's, and those of the metrics backends on the class path. */
public final class ConfigTable {
    private final Map<String, MetricsProvider> providers = new LinkedHashMap<>();
    private final Map<String, ConfigKey> keys = new LinkedHashMap<>();

    public ConfigTable() {
        this(List.of());
    }

    /** With backends that code gave: they stand for those of the same name on the class path. */
    public ConfigTable(List<MetricsProvider> given) {
        CoreKey.keys().forEach(key -> keys.put(key.name(), key));
        given.forEach(this::add);
        Providers.each(MetricsProvider.class, this::add);
    }

    /** All or nothing: of a provider that throws nothing is kept, and {@link Providers} leaves it out with a warning. */
    private void add(MetricsProvider provider) {
        String backend = provider.name();
        if (providers.containsKey(backend)) {
            return;
        }
        Map<String, ConfigKey> its = new LinkedHashMap<>();
        provider.keys().forEach(key -> {
            String name = prefix(backend) + key.name();
            its.put(name, new ConfigKey(name, key.kind(), key.fallback(), key.allowed(), key.meaning()));
        });
        keys.putAll(its);
        providers.put(backend, provider);
    }

    static String prefix(String backend) {
        return CoreKey.METRICS.key().name() + "." + backend + ".";
    }

    @Nullable
    ConfigKey key(String name) {
        return keys.get(name);
    }

    public Collection<ConfigKey> keys() {
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
