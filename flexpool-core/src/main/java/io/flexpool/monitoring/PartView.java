// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * What one part of flexpool shows of a pool, for backends and frameworks, which need not know the part. Never throws. Thread-safe.
 * Made by flexpool alone; minor releases add methods.
 */
public interface PartView {
    /** {@return the name of the feature, for example {@code advisor}} */
    String name();

    /** {@return its metrics; always the same ones, unmodifiable} */
    List<PartMetric> metrics();

    /** {@return its lines in the report; without line breaks} */
    List<String> reportLines();

    /** {@return its fields in the actuator's endpoint and other JSON, by name, in their order} */
    Map<String, Object> fields();

    /** {@return what it shows in one text each, by name: lower case words with dots between} */
    Map<String, String> texts();

    /** {@return its details in the pool's health, by name} */
    default Map<String, String> health() {
        return Map.of();
    }

    /**
     * A metric of a part for one pool. Backends export it as they export a {@link PoolMetric}. Immutable; reading it is as thread-safe as
     * the part.
     */
    final class PartMetric {
        private final String shortName;
        private final String conventionName;
        private final PoolMetric.Kind kind;
        private final String unit;
        private final String meaning;
        private final DoubleSupplier value;
        private final boolean additive;

        private PartMetric(
                String shortName,
                String conventionName,
                PoolMetric.Kind kind,
                String unit,
                String meaning,
                DoubleSupplier value,
                boolean additive) {
            this.shortName = Objects.requireNonNull(shortName, "shortName is null");
            this.conventionName = Objects.requireNonNull(conventionName, "conventionName is null");
            this.kind = kind;
            this.unit = Objects.requireNonNull(unit, "unit is null");
            this.meaning = Objects.requireNonNull(meaning, "meaning is null");
            this.value = value;
            this.additive = additive;
        }

        /**
         * A value now.
         *
         * @param shortName see {@link #shortName()}
         * @param conventionName see {@link #conventionName()}
         * @param unit see {@link #unit()}
         * @param meaning see {@link #meaning()}
         * @param value reads it; NaN while there is none
         * @return the metric
         */
        public static PartMetric gauge(
                String shortName, String conventionName, String unit, String meaning, DoubleSupplier value) {
            Objects.requireNonNull(value, "value is null");
            return new PartMetric(shortName, conventionName, PoolMetric.Kind.GAUGE, unit, meaning, value, true);
        }

        /**
         * A sum that only grows.
         *
         * @param shortName see {@link #shortName()}
         * @param conventionName see {@link #conventionName()}
         * @param unit see {@link #unit()}
         * @param meaning see {@link #meaning()}
         * @param value reads it; never negative
         * @return the metric
         */
        public static PartMetric counter(
                String shortName, String conventionName, String unit, String meaning, LongSupplier value) {
            Objects.requireNonNull(value, "value is null");
            return new PartMetric(
                    shortName, conventionName, PoolMetric.Kind.COUNTER, unit, meaning, value::getAsLong, true);
        }

        /**
         * The same metric, whose values must not be summed over pools: several pools show the same one, or it is a maximum or a mean.
         *
         * @return a metric that is not {@linkplain #additive() additive}
         */
        public PartMetric nonAdditive() {
            return new PartMetric(shortName, conventionName, kind, unit, meaning, value, false);
        }

        /** {@return the name in hierarchical backends, after the pool's: lower case words with dots between} */
        public String shortName() {
            return shortName;
        }

        /** {@return the name in backends with attributes: {@code flexpool.} and lower case words with dots between} */
        public String conventionName() {
            return conventionName;
        }

        /** {@return a gauge or a counter} */
        public PoolMetric.Kind kind() {
            return kind;
        }

        /** {@return whether the values of several pools may be summed, by default true} */
        public boolean additive() {
            return additive;
        }

        /**
         * {@return the unit as OpenTelemetry's conventions write it, in UCUM, for example {@code s}; in braces it is a thing that is
         * counted, as in {@code {connection}}, and the values are whole numbers}
         */
        public String unit() {
            return unit;
        }

        /** {@return the metric's description, a sentence} */
        public String meaning() {
            return meaning;
        }

        /** {@return the value now; NaN if there is none} */
        public double value() {
            return value.getAsDouble();
        }
    }
}
