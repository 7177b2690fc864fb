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
 * Real timers, which record every call. Filled while the meters are registered: before the first call, but for outcomes
 * that have not happened then. Thread-safe.
 */
final class CallTimers implements LeaseObserver {
    /** Replaced by each registration, which are one after the other; never changed. */
    private volatile Map<AcquisitionOutcome, Timer> acquisitions = new EnumMap<>(AcquisitionOutcome.class);

    private final Consumer<AcquisitionOutcome> seen;
    private @Nullable Timer leases;

    /** Passes on each outcome before it is recorded: the first of its kind may get its timer then. */
    CallTimers(Consumer<AcquisitionOutcome> seen) {
        this.seen = seen;
    }

    /** Whether a {@link LeaseObserver} is notified of it. */
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
