// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Finds the adapter for a data source among the modules on the class path. */
public final class AdapterFinder {
    private AdapterFinder() {}

    /** Whether flexpool has a module for this pool, on the class path or not. */
    public static boolean knows(DataSource dataSource) {
        return !(find(dataSource) instanceof GenericAdapter generic) || generic.missingArtifact() != null;
    }

    /**
     * Consults every provider: returns the only matching adapter, otherwise the generic adapter.
     *
     * @throws IllegalArgumentException if two match, naming both
     */
    public static PoolAdapter find(DataSource dataSource) {
        Consultation consulted = new Consultation(dataSource);
        Providers.each(PoolAdapterProvider.class, consulted);
        Map<String, PoolAdapter> matches = consulted.matches;
        if (matches.size() > 1) {
            throw new IllegalArgumentException(
                    "data source " + dataSource.getClass().getName() + ": two adapters match, "
                            + String.join(" and ", matches.keySet()) + "; keep one, or give one to adapter(…)");
        }
        return matches.isEmpty()
                ? new GenericAdapter(dataSource, missingArtifact(dataSource))
                : matches.values().iterator().next();
    }

    /** The adapters that match one data source, by their providers' names. For one thread. */
    private static final class Consultation implements Consumer<PoolAdapterProvider> {
        private final DataSource dataSource;
        private final Map<String, PoolAdapter> matches = new LinkedHashMap<>();

        Consultation(DataSource dataSource) {
            this.dataSource = dataSource;
        }

        @Override
        public void accept(PoolAdapterProvider provider) {
            String name = provider.getClass().getName();
            PoolAdapter adapter = matches.containsKey(name)
                    ? null
                    : provider.adapt(dataSource).orElse(null);
            if (adapter != null) {
                matches.put(name, adapter);
            }
        }
    }

    private static @Nullable String missingArtifact(DataSource dataSource) {
        Properties known = new Properties();
        try (InputStream in =
                AdapterFinder.class.getResourceAsStream("/io/flexpool/internal/adapter-artifacts.properties")) {
            if (in != null) {
                known.load(in);
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        for (Class<?> type = dataSource.getClass(); type != null; type = type.getSuperclass()) {
            String artifact = known.getProperty(type.getName());
            if (artifact != null) {
                return "io.flexpool:" + artifact;
            }
        }
        return null;
    }
}
