// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.monitoring.PoolDiagnosis.Housekeeping;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.pool.Ticker;
import java.util.List;
import java.util.Objects;

/**
 * One reading of a pool, and the value of each {@link PoolMetric} in it: the only place that defines a metric's source,
 * so that all backends show the same values. Immutable.
 */
public final class PoolReading {
    private final PoolState state;
    private final PoolStatistics statistics;
    private final Housekeeping housekeeping;
    private final List<RequestClass> classes;
    private final boolean scaleOutHelps;

    private PoolReading(PoolView pool) {
        this.state = pool.state();
        this.statistics = pool.statistics();
        this.housekeeping = pool.diagnosis().housekeeping();
        this.classes = List.copyOf(pool.classes());
        this.scaleOutHelps = pool.diagnosis().scaleOutHelps();
    }

    /**
     * Reads a pool.
     *
     * @param pool the pool to read
     * @return a fresh reading
     */
    public static PoolReading of(PoolView pool) {
        Objects.requireNonNull(pool, "pool is null");
        return new PoolReading(pool);
    }

    /** {@return the pool at that moment} */
    public PoolState state() {
        return state;
    }

    /** {@return the statistics up to the reading; its figures have the timers and distributions by metric} */
    public PoolStatistics statistics() {
        return statistics;
    }

    /** {@return the state of the monitoring} */
    public Housekeeping housekeeping() {
        return housekeeping;
    }

    /** {@return the figures of each class of requests; empty if there is one class for all} */
    public List<RequestClass> classes() {
        return classes;
    }

    /**
     * A gauge.
     *
     * @param metric a metric of the kind {@link PoolMetric.Kind#GAUGE}
     * @return in the metric's unit; NaN if the pool does not report it; for a metric
     *     {@linkplain PoolMetric#perClass() of classes} the sum of all classes, NaN without classes or if one has no
     *     such figure
     * @throws IllegalArgumentException if the metric is no gauge
     */
    public double gauge(PoolMetric metric) {
        Objects.requireNonNull(metric, "metric is null");
        return switch (metric) {
            case ACTIVE -> state.leased();
            case ACTIVE_MEAN ->
                statistics.recent().numbers(PoolMetric.ACTIVE_SAMPLED).mean();
            case ACTIVE_PEAK -> Math.max(state.leased(), statistics.activePeak());
            case PENDING_PEAK -> Math.max(state.pending(), statistics.pendingPeak());
            case SATURATION -> saturation();
            case SCALE_OUT_HELPS -> scaleOutHelps ? 1 : 0;
            case IDLE -> orNaN(state.pool().idle());
            case PENDING -> state.pending();
            case OLDEST_WAIT -> state.oldestWait().toNanos();
            case LIMIT -> orNaN(limit());
            case MAX -> orNaN(state.pool().max());
            case MIN_IDLE -> orNaN(state.pool().minIdle());
            // Without the pool's own count, 0 would claim that no connection is borrowed directly.
            case FOREIGN -> state.pool().active() == PoolSnapshot.UNKNOWN ? Double.NaN : state.foreign();
            case TICK_AGE -> housekeeping.tickAge().toNanos();
            case TROUBLE -> housekeeping.troubles().isEmpty() ? 0 : 1;
            case CLASS_USED, CLASS_WAITING, CLASS_GUARANTEED, CLASS_MAX -> {
                double sum = classes.isEmpty() ? Double.NaN : 0;
                for (RequestClass each : classes) {
                    sum += each.gauge(metric);
                }
                yield sum;
            }
            default -> throw metric.mustBe(PoolMetric.Kind.GAUGE);
        };
    }

    private int limit() {
        return state.bound() ? state.limit() : state.pool().max();
    }

    /** Connections borrowed without flexpool count towards the limit as well. */
    private double saturation() {
        int limit = limit();
        return limit == PoolSnapshot.UNKNOWN || limit < 1
                ? Double.NaN
                : (double) (state.leased() + state.foreign() + state.pending()) / limit;
    }

    private static double orNaN(int figure) {
        return figure == PoolSnapshot.UNKNOWN ? Double.NaN : figure;
    }

    /**
     * A counter, since the pool was wrapped.
     *
     * @param metric a metric of the kind {@link PoolMetric.Kind#COUNTER}
     * @return never negative; for a metric {@linkplain PoolMetric#perClass() of classes} the sum of all classes
     * @throws IllegalArgumentException if the metric is no counter
     */
    public long counter(PoolMetric metric) {
        Objects.requireNonNull(metric, "metric is null");
        return switch (metric) {
            case EVENTS_DROPPED -> housekeeping.droppedEvents();
            case CLASS_TIMEOUTS, CLASS_SHED ->
                classes.stream().mapToLong(each -> each.counter(metric)).sum();
            default -> statistics.total().counter(metric);
        };
    }

    /**
     * The readings of one pool, for backends that read metric by metric: a report needs about forty values, and one
     * reading copies a few kilobytes, so all calls within {@value #FRESH_MILLIS} ms share one reading.
     *
     * <p>Thread-safe and lock-free: two threads may both read the pool, and either reading is correct.
     */
    public static final class Shared {
        /** The maximum age of a reading, milliseconds. */
        public static final int FRESH_MILLIS = 100;

        private final PoolView pool;
        private final Ticker ticker;
        private volatile Timed latest;

        private record Timed(long nanos, PoolReading reading) {}

        /**
         * Reads the pool for the first time.
         *
         * @param pool the pool to read
         * @param ticker the clock
         */
        public Shared(PoolView pool, Ticker ticker) {
            Objects.requireNonNull(pool, "pool is null");
            Objects.requireNonNull(ticker, "ticker is null");
            this.pool = pool;
            this.ticker = ticker;
            this.latest = new Timed(ticker.nanos(), of(pool));
        }

        /**
         * The pool's current reading.
         *
         * @return a reading at most {@value #FRESH_MILLIS} ms old, older only if the pool cannot be read; the same
         *     object until the next reading
         */
        public PoolReading get() {
            long now = ticker.nanos();
            Timed before = latest;
            if (now - before.nanos() < FRESH_MILLIS * 1_000_000L) {
                return before.reading();
            }
            PoolReading fresh;
            try {
                fresh = of(pool);
            } catch (RuntimeException unreadable) {
                // Returns the last reading: an exception would end the scrape, which reads other pools too.
                fresh = before.reading();
            }
            latest = new Timed(now, fresh);
            return fresh;
        }
    }
}
