// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the adapter for a data source among the modules on the class path. */
public final class Adapters {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");

    private static final int MOST_PROVIDERS = 100;

    private Adapters() {}

    /**
     * An adapter, and which module is missing if it is only the generic one for a pool that has a module.
     *
     * @param adapter never null
     * @param missingArtifact the artifact to add, null if none is missing
     */
    public record Found(PoolAdapter adapter, @Nullable String missingArtifact) {}

    /**
     * Asks every provider.
     *
     * @param dataSource any data source
     * @return the one adapter that matches, else the generic one
     * @throws IllegalArgumentException if two match, naming both
     */
    public static Found find(DataSource dataSource) {
        Map<String, PoolAdapter> matches = new LinkedHashMap<>();
        collect(dataSource, Adapters.class.getClassLoader(), matches);
        collect(dataSource, Thread.currentThread().getContextClassLoader(), matches);
        if (matches.size() > 1) {
            throw new IllegalArgumentException(
                    "data source " + dataSource.getClass().getName() + ": two adapters match, "
                            + String.join(" and ", matches.keySet()) + "; keep one, or give one to adapter(…)");
        }
        if (!matches.isEmpty()) {
            return new Found(matches.values().iterator().next(), null);
        }
        return new Found(new GenericAdapter(dataSource), missingArtifact(dataSource));
    }

    private static void collect(DataSource dataSource, @Nullable ClassLoader loader, Map<String, PoolAdapter> matches) {
        ServiceLoader<PoolAdapterProvider> providers = ServiceLoader.load(PoolAdapterProvider.class, loader);
        var iterator = providers.iterator();
        // A loader whose directories cannot be read fails at each call without getting on: not for ever.
        for (int at = 0; at < MOST_PROVIDERS; at++) {
            try {
                if (!iterator.hasNext()) {
                    return;
                }
                PoolAdapterProvider provider = iterator.next();
                String name = provider.getClass().getName();
                Optional<PoolAdapter> adapter =
                        matches.containsKey(name) ? Optional.empty() : provider.adapt(dataSource);
                adapter.ifPresent(found -> matches.put(name, found));
            } catch (ServiceConfigurationError | RuntimeException | LinkageError broken) {
                // One broken module must not keep another pool from being wrapped.
                LOG.warn("an adapter module is broken and left out", broken);
            }
        }
    }

    private static @Nullable String missingArtifact(DataSource dataSource) {
        Properties known = new Properties();
        try (InputStream in =
                Adapters.class.getResourceAsStream("/io/flexpool/internal/adapter-artifacts.properties")) {
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
