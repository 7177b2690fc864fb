// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What was configured for the keys of a {@link MetricsProvider}: read, and of the right kind. Immutable.
 *
 * @param byName values by {@link ConfigKey#name()}; a {@link Duration}, {@link Boolean}, {@link Integer}, {@link String}
 *     or list of strings, as the key's kind says
 */
public record ConfigValues(Map<String, Object> byName) {
    /** Copies. */
    public ConfigValues {
        byName = Map.copyOf(byName);
    }

    /**
     * A duration.
     *
     * @param key a key of the kind {@link ConfigKey.Kind#DURATION}
     * @return empty if it was not given
     */
    public Optional<Duration> duration(String key) {
        return Optional.ofNullable((Duration) byName.get(key));
    }

    /**
     * A switch.
     *
     * @param key a key of the kind {@link ConfigKey.Kind#FLAG}
     * @return empty if it was not given
     */
    public Optional<Boolean> flag(String key) {
        return Optional.ofNullable((Boolean) byName.get(key));
    }
}
