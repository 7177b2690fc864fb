// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.RefusedValueException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * Creates a metrics backend that properties select ({@code flexpool.metrics = dropwizard}). Loaded by
 * {@link java.util.ServiceLoader}; needs a public no-argument constructor.
 */
public interface MetricsProvider {
    /** {@return the backend's name in properties: lower case letters, digits and hyphens} */
    String name();

    /**
     * The backend's keys. In properties a key is called {@code flexpool.metrics.<name>.<key>}.
     *
     * @return the keys without this prefix, in the order of the documentation
     */
    List<ConfigKey> keys();

    /**
     * Creates the backend.
     *
     * @param values the configured values, by key without prefix
     * @return a new binder for each pool
     * @throws IllegalArgumentException if a value is out of range; the message names key, value and allowed values. For
     *     a {@link RefusedValueException} key and value are reported as written, with their source
     */
    MetricsBinder create(ConfigKey.Values values);

    /**
     * The selection of metrics for backends in which each series costs memory and attention. A metric that a pool
     * cannot have ({@link PoolView#supports}) is not shown at any level.
     */
    enum MetricLevel {
        /** The metrics for dashboards, alerts and incidents; the default. */
        ESSENTIAL,
        /** All metrics. */
        ALL;

        /** The key of backends with levels. */
        public static final ConfigKey KEY = new ConfigKey(
                "level",
                ConfigKey.Kind.TEXT,
                "essential",
                "essential or all",
                "Shows only the essential metrics of a pool, or all of them.");

        private static final Set<PoolMetric> DETAILS = EnumSet.of(
                PoolMetric.ATTEMPT,
                PoolMetric.CONNECT,
                PoolMetric.ACTIVE_SAMPLED,
                PoolMetric.PENDING_SAMPLED,
                PoolMetric.LIMIT_SAMPLED,
                PoolMetric.GROWN_BY_SAMPLED,
                PoolMetric.RETRIES,
                PoolMetric.MIN_IDLE,
                PoolMetric.SHRINKS,
                PoolMetric.LISTENER_ERRORS,
                PoolMetric.EVENTS_DROPPED,
                PoolMetric.TROUBLE);

        private static final List<Double> QUANTILES = List.of(0.5, 0.95, 0.99, 1.0);
        /** The 95th percentile and the maximum; the mean is the sum divided by the count. */
        private static final List<Double> ESSENTIAL_QUANTILES = List.of(0.95, 1.0);

        /**
         * What was configured.
         *
         * @param values the values of a backend with the key {@link #KEY}
         * @return by default {@link #ESSENTIAL}
         * @throws RefusedValueException if the value is no level
         */
        public static MetricLevel of(ConfigKey.Values values) {
            Objects.requireNonNull(values, "values is null");
            Object given = values.byName().get(KEY.name());
            if (given == null) {
                return ESSENTIAL;
            }
            for (MetricLevel level : values()) {
                if (level.name().toLowerCase(Locale.ROOT).equals(given)) {
                    return level;
                }
            }
            throw new RefusedValueException(KEY.name(), given, "must be " + KEY.allowed());
        }

        /**
         * Whether a metric is shown.
         *
         * @param metric the metric
         * @return true at {@link #ALL}
         */
        public boolean shows(PoolMetric metric) {
            return this == ALL || !DETAILS.contains(metric);
        }

        /**
         * The percentiles of the last minute that are shown for a timer or a distribution.
         *
         * @param metric a metric of the kind {@link PoolMetric.Kind#TIMER} or {@link PoolMetric.Kind#DISTRIBUTION}
         * @param outcome the outcome of an acquisition; otherwise {@code OK}
         * @return the shares, ascending; 1 is the maximum. At {@link #ALL} 0.5, 0.95, 0.99 and 1; otherwise 0.95 and 1
         *     for leases and successful acquisitions, also per class, and none for other metrics. Unmodifiable
         */
        public List<Double> recentQuantiles(PoolMetric metric, AcquisitionOutcome outcome) {
            Objects.requireNonNull(metric, "metric is null");
            if (this == ALL) {
                return QUANTILES;
            }
            boolean usual = metric == PoolMetric.LEASE
                    || metric == PoolMetric.CLASS_WAIT
                    || (metric == PoolMetric.ACQUISITION && outcome == AcquisitionOutcome.OK);
            return usual ? ESSENTIAL_QUANTILES : List.of();
        }
    }
}
