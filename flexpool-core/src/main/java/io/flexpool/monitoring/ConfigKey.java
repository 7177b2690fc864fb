// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A configuration key. The check for unknown keys, the documentation and frameworks read the same keys.
 *
 * @param name its name without a prefix: lower case words with hyphens, groups with dots, as {@code retry.deadline}
 * @param kind the form of its values
 * @param fallback the value if the key is not given, in words
 * @param allowed the allowed values, as a phrase that follows "must be"
 * @param meaning the effect of the key, in one sentence
 */
public record ConfigKey(String name, Kind kind, String fallback, String allowed, String meaning) {
    /** How a value is written. */
    public enum Kind {
        /** Any text. */
        TEXT,
        /** {@code true} or {@code false}. */
        FLAG,
        /** A whole number. */
        COUNT,
        /** A duration as in {@code 250ms}, {@code 30s}, {@code 5m}, {@code 1h} or ISO 8601's {@code PT0.25S}. */
        DURATION,
        /** Texts separated by commas. */
        LIST
    }

    /**
     * The configured values of the keys of a {@link MetricsProvider}, each of its key's kind. Immutable.
     *
     * @param byName the values by {@link ConfigKey#name()}; a {@link Duration}, {@link Boolean}, {@link Integer},
     *     {@link String} or list of strings, by the key's kind
     */
    public record Values(Map<String, Object> byName) {
        /**
         * Copies.
         *
         * @param byName see {@link #byName()}
         */
        public Values {
            Objects.requireNonNull(byName, "byName is null");
            byName = Map.copyOf(byName);
        }

        /**
         * A duration.
         *
         * @param key a key of the kind {@link Kind#DURATION}
         * @return empty if it was not given
         */
        public Optional<Duration> duration(String key) {
            Objects.requireNonNull(key, "key is null");
            return Optional.ofNullable((Duration) byName.get(key));
        }

        /**
         * A switch.
         *
         * @param key a key of the kind {@link Kind#FLAG}
         * @return empty if it was not given
         */
        public Optional<Boolean> flag(String key) {
            Objects.requireNonNull(key, "key is null");
            return Optional.ofNullable((Boolean) byName.get(key));
        }
    }
}
