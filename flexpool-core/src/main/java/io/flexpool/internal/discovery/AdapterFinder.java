// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.discovery;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapterProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Finds the adapter for a data source among the modules on the class path. */
public final class AdapterFinder {
    private AdapterFinder() {}

    /** Whether a module for this pool exists, on the class path or missing. */
    public static boolean knows(DataSource dataSource) {
        return !(find(dataSource) instanceof GenericAdapter generic) || generic.missingArtifact() != null;
    }

    /**
     * Consults every provider: the one adapter that matches, else the generic one.
     *
     * @throws IllegalArgumentException if two match, naming both
     */
    public static PoolAdapter find(DataSource dataSource) {
        Map<String, PoolAdapter> matches = new LinkedHashMap<>();
        Providers.each(PoolAdapterProvider.class, provider -> {
            String name = provider.getClass().getName();
            if (!matches.containsKey(name)) {
                provider.adapt(dataSource).ifPresent(adapter -> matches.put(name, adapter));
            }
        });
        if (matches.size() > 1) {
            throw new IllegalArgumentException(
                    "data source " + dataSource.getClass().getName() + ": two adapters match, "
                            + String.join(" and ", matches.keySet()) + "; keep one, or give one to adapter(…)");
        }
        return matches.isEmpty()
                ? new GenericAdapter(dataSource, missingArtifact(dataSource))
                : matches.values().iterator().next();
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
