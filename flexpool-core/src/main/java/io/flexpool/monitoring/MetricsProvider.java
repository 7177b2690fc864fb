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
    /** {@return the name by which properties select it: lower case letters, digits and hyphens} */
    String name();

    /**
     * What can be configured. In properties each is called {@code flexpool.metrics.<name>.<key>}.
     *
     * @return keys without that prefix, in the order in which they are documented
     */
    List<ConfigKey> keys();

    /**
     * Creates the backend.
     *
     * @param values the configured values, by key without prefix
     * @return a new binder for each pool
     * @throws IllegalArgumentException if a value is out of range; the message names key, value and what is allowed.
     *     For a {@link RefusedValueException} key and value are reported as written, with their source
     */
    MetricsBinder create(ConfigKey.Values values);

    /**
     * How many of a pool's metrics a backend shows that pays for each of them: every series is stored, and read by those who
     * look for one. What a pool cannot have ({@link PoolView#supports}) is not shown at any level.
     */
    enum MetricLevel {
        /** What dashboards, alerts and a look at an incident need; by default. */
        ESSENTIAL,
        /** Everything. */
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
        /** Most requests and the worst one; for the usual one there is the mean, the sum by the count. */
        private static final List<Double> ESSENTIAL_QUANTILES = List.of(0.95, 1.0);

        /**
         * What was configured.
         *
         * @param values of a backend with the key {@link #KEY}
         * @return by default {@link #ESSENTIAL}
         * @throws RefusedValueException if it is neither
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
         * @param metric which
         * @return true at {@link #ALL}
         */
        public boolean shows(PoolMetric metric) {
            return this == ALL || !DETAILS.contains(metric);
        }

        /**
         * The percentiles of the last minute that are shown of a timer or a distribution.
         *
         * @param metric of the kind {@link PoolMetric.Kind#TIMER} or {@link PoolMetric.Kind#DISTRIBUTION}
         * @param outcome of an acquisition; else {@code OK}
         * @return as shares, ascending; 1 is the maximum. 0.5, 0.95, 0.99 and 1 at {@link #ALL}; else 0.95 and 1 of successful
         *     acquisitions, of those of each class and of leases, and none of the others. Unmodifiable
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
