// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * The information of one part of flexpool on a pool, for backends and frameworks without knowledge of the part. Never
 * throws. Thread-safe. Made by flexpool alone; minor releases add methods.
 */
public interface PartView {
    /** {@return the name of the feature, for example {@code advisor}} */
    String name();

    /** {@return the part's metrics; always the same, unmodifiable} */
    List<PartMetric> metrics();

    /** {@return the part's lines in the report; without line breaks} */
    List<String> reportLines();

    /** {@return the part's fields in the actuator's endpoint and other JSON, by name, in their order} */
    Map<String, Object> fields();

    /** {@return the part's texts by name: lower case words separated by dots} */
    Map<String, String> texts();

    /** {@return the part's details in the pool's health, by name} */
    default Map<String, String> health() {
        return Map.of();
    }

    /**
     * A metric of a part for one pool. Backends export it like a {@link PoolMetric}. Immutable; reading is as
     * thread-safe as the part.
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
         * @param value reads the value; NaN without a value
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
         * @param value reads the value; never negative
         * @return the metric
         */
        public static PartMetric counter(
                String shortName, String conventionName, String unit, String meaning, LongSupplier value) {
            Objects.requireNonNull(value, "value is null");
            return new PartMetric(
                    shortName, conventionName, PoolMetric.Kind.COUNTER, unit, meaning, value::getAsLong, true);
        }

        /**
         * The same metric with values that must not be summed over pools: shared values, maxima or means.
         *
         * @return a metric that is not {@linkplain #additive() additive}
         */
        public PartMetric nonAdditive() {
            return new PartMetric(shortName, conventionName, kind, unit, meaning, value, false);
        }

        /** {@return the name in hierarchical backends, after the pool's name: lower case words separated by dots} */
        public String shortName() {
            return shortName;
        }

        /** {@return the name in backends with attributes: {@code flexpool.} and lower case words separated by dots} */
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
         * {@return the unit as OpenTelemetry's conventions write it, in UCUM, for example {@code s}; in braces the
         * counted thing, as in {@code {connection}}, with whole numbers as values}
         */
        public String unit() {
            return unit;
        }

        /** {@return the metric's description, a sentence} */
        public String meaning() {
            return meaning;
        }

        /** {@return the value now; NaN without a value} */
        public double value() {
            return value.getAsDouble();
        }
    }
}
