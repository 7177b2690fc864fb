// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.AcquisitionOutcome;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Real timers, which record every call. They are added at registration, before the first call; the timers of outcomes
 * that occur later are added at their first call. Thread-safe.
 */
final class CallTimers implements LeaseObserver {
    /** An immutable map, replaced by each registration; registrations run one after another. */
    private volatile Map<AcquisitionOutcome, Timer> acquisitions = new EnumMap<>(AcquisitionOutcome.class);

    private final Consumer<AcquisitionOutcome> seen;
    private @Nullable Timer leases;

    /** Reports an outcome without a timer before it is recorded, so that its timer can be registered. */
    CallTimers(Consumer<AcquisitionOutcome> seen) {
        this.seen = seen;
    }

    /** Whether a {@link LeaseObserver} receives the values of a metric. */
    static boolean records(PoolMetric metric) {
        return metric == PoolMetric.ACQUISITION || metric == PoolMetric.LEASE;
    }

    void set(PoolMetric metric, AcquisitionOutcome outcome, Timer timer) {
        if (metric == PoolMetric.LEASE) {
            leases = timer;
        } else {
            Map<AcquisitionOutcome, Timer> more = new EnumMap<>(acquisitions);
            more.put(outcome, timer);
            acquisitions = more;
        }
    }

    @Override
    public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
        Timer timer = acquisitions.get(outcome);
        if (timer == null) {
            seen.accept(outcome);
            timer = acquisitions.get(outcome);
        }
        record(timer, endedNanos - requestedNanos);
    }

    @Override
    public void released(long acquiredNanos, long releasedNanos) {
        record(leases, releasedNanos - acquiredNanos);
    }

    private static void record(@Nullable Timer timer, long nanos) {
        if (timer != null) {
            timer.record(nanos, TimeUnit.NANOSECONDS);
        }
    }
}
