// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.AcquisitionOutcome;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Real timers, which record every call. Filled while the meters are registered, before the first call. */
final class CallTimers implements LeaseObserver {
    private final Map<AcquisitionOutcome, Timer> acquisitions = new EnumMap<>(AcquisitionOutcome.class);
    private @Nullable Timer leases;

    /** Whether a {@link LeaseObserver} is notified of it. */
    static boolean records(PoolMetric metric) {
        return metric == PoolMetric.ACQUISITION || metric == PoolMetric.LEASE;
    }

    void set(PoolMetric metric, AcquisitionOutcome outcome, Timer timer) {
        if (metric == PoolMetric.LEASE) {
            leases = timer;
        } else {
            acquisitions.put(outcome, timer);
        }
    }

    @Override
    public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
        record(acquisitions.get(outcome), endedNanos - requestedNanos);
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
