// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.LeaseObserver;
import io.flexpool.pool.MetricsBinder.Binding;
import io.flexpool.pool.PoolEvent;
import io.flexpool.pool.PoolListener;
import io.flexpool.pool.PoolMetric;
import io.flexpool.pool.PoolReading;
import io.flexpool.pool.PoolReadings;
import io.flexpool.pool.PoolView;
import io.flexpool.pool.Ticker;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.FlightRecorder;

/**
 * One pool's events. The only class but the events that needs JFR; nobody touches it where JFR is missing.
 *
 * <p>An event that nobody records costs the look whether somebody does: JFR's {@code commit()} asks first, and the
 * compiler removes the object.
 */
final class RecordedPool implements Binding {
    private static final PoolNames NAMES = new PoolNames();

    private final String name;
    private final PoolView pool;
    private final PoolReadings readings;
    private final Runnable figures = this::recordFigures;
    private final Runnable durations = this::recordDurations;
    private final AtomicBoolean unbound = new AtomicBoolean();

    private RecordedPool(PoolView pool, String name) {
        this.pool = pool;
        this.name = name;
        this.readings = new PoolReadings(pool, Ticker.SYSTEM);
    }

    static Binding begin(PoolView pool) {
        String name = NAMES.take(pool.name());
        try {
            RecordedPool recorded = new RecordedPool(pool, name);
            FlightRecorder.addPeriodicEvent(PoolFigures.class, recorded.figures);
            FlightRecorder.addPeriodicEvent(PoolDurations.class, recorded.durations);
            return recorded;
        } catch (RuntimeException | Error failed) {
            NAMES.giveBack(name);
            throw failed;
        }
    }

    /** False where the JVM was built or started without. */
    static boolean possible() {
        return FlightRecorder.isAvailable();
    }

    @Override
    public LeaseObserver observer() {
        return new Calls(name);
    }

    @Override
    public PoolListener listener() {
        return new Events(name);
    }

    @Override
    public void unbind() {
        if (unbound.compareAndSet(false, true)) {
            FlightRecorder.removePeriodicEvent(figures);
            FlightRecorder.removePeriodicEvent(durations);
            NAMES.giveBack(name);
        }
    }

    private void recordFigures() {
        new PoolFigures(name, readings.get()).commit();
    }

    private void recordDurations() {
        PoolReading reading = readings.get();
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            new PoolDurations(name, PoolMetric.ACQUISITION, outcome, reading).commit();
        }
        for (PoolMetric metric : PoolMetric.values()) {
            if (metric.kind() == PoolMetric.Kind.TIMER && metric != PoolMetric.ACQUISITION && pool.tells(metric)) {
                new PoolDurations(name, metric, AcquisitionOutcome.OK, reading).commit();
            }
        }
    }

    private record Calls(String pool) implements LeaseObserver {
        @Override
        public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
            new ConnectionAcquisition(pool, endedNanos - requestedNanos, outcome.label()).commit();
        }

        @Override
        public void released(long acquiredNanos, long releasedNanos) {
            new ConnectionLease(pool, releasedNanos - acquiredNanos).commit();
        }
    }

    private record Events(String pool) implements PoolListener {
        @Override
        public void onAcquisitionTimedOut(PoolEvent.AcquisitionTimedOut event) {
            new AcquisitionTimeout(pool, event).commit();
        }

        @Override
        public void onAcquisitionRejected(PoolEvent.AcquisitionRejected event) {
            new AcquisitionRejected(pool, event).commit();
        }

        @Override
        public void onConnectFailed(PoolEvent.ConnectFailed event) {
            new ConnectFailed(pool, event).commit();
        }

        @Override
        public void onCircuitChanged(PoolEvent.CircuitChanged event) {
            new CircuitChanged(pool, event).commit();
        }

        @Override
        public void onResized(PoolEvent.Resized event) {
            new PoolResized(pool, event).commit();
        }
    }
}
