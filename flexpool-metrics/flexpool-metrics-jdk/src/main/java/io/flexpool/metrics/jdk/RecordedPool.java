// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolView;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.Ticker;
import io.flexpool.spi.UniqueNames;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pool's events. Besides the events the only class that needs JFR; not loaded if JFR is missing.
 *
 * <p>A call's event is created only if a recording wants it. Creating one and letting {@code commit()} decide costs two
 * clock readings per call while any recording runs (50 to 100 ns), and on JDK 25, once any recording has run, 88 bytes
 * per call even with none running: the compiler was seen not to remove the object.
 */
final class RecordedPool implements Binding {
    private static final Logger LOG = LoggerFactory.getLogger(JfrEvents.class);
    private static final UniqueNames NAMES = new UniqueNames();
    static final List<Class<? extends Event>> EVENTS = List.of(
            ConnectionAcquisition.class,
            ConnectionLease.class,
            AcquisitionTimeout.class,
            AcquisitionRejected.class,
            ConnectFailed.class,
            PoolResized.class,
            SizingDecided.class,
            CircuitChanged.class,
            LeakSuspected.class,
            PoolFigures.class,
            PoolDurations.class,
            ClassFiguresEvent.class,
            PartFigure.class);

    private final String name;
    private final PoolView pool;
    private final PoolReading.Shared readings;
    private final Runnable figures = this::recordFigures;
    private final Runnable durations = this::recordDurations;
    private final Runnable classes = this::recordClasses;
    private final Runnable parts = this::recordParts;
    private final AtomicBoolean unbound = new AtomicBoolean();

    private RecordedPool(PoolView pool, String name) {
        this.pool = pool;
        this.name = name;
        this.readings = new PoolReading.Shared(pool, Ticker.SYSTEM);
    }

    static Binding begin(PoolView pool) {
        String name = NAMES.take(pool.name());
        if (!name.equals(pool.name())) {
            LOG.warn(
                    "{}: another pool has this name; the events of this pool have the name {}. Give each pool its own name.",
                    pool.name(),
                    name);
        }
        try {
            // Loads the event classes now: otherwise the first request or the first timeout would load them.
            EVENTS.forEach(FlightRecorder::register);
            RecordedPool recorded = new RecordedPool(pool, name);
            FlightRecorder.addPeriodicEvent(PoolFigures.class, recorded.figures);
            FlightRecorder.addPeriodicEvent(PoolDurations.class, recorded.durations);
            FlightRecorder.addPeriodicEvent(ClassFiguresEvent.class, recorded.classes);
            FlightRecorder.addPeriodicEvent(PartFigure.class, recorded.parts);
            return recorded;
        } catch (RuntimeException | Error failed) {
            NAMES.free(name);
            throw failed;
        }
    }

    /** False if the JVM was built or started without JFR. */
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
            FlightRecorder.removePeriodicEvent(classes);
            FlightRecorder.removePeriodicEvent(parts);
            NAMES.free(name);
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
            if (metric.kind() == PoolMetric.Kind.TIMER
                    && metric != PoolMetric.ACQUISITION
                    && !metric.perClass()
                    && pool.supports(metric)) {
                new PoolDurations(name, metric, AcquisitionOutcome.OK, reading).commit();
            }
        }
        for (RequestClass figures : reading.classes()) {
            String figure = PoolMetric.CLASS_WAIT.shortName(figures.name());
            new PoolDurations(name, figure, null, figures.waits(), figures.recentWaits()).commit();
        }
    }

    private void recordClasses() {
        for (RequestClass figures : readings.get().classes()) {
            new ClassFiguresEvent(name, figures).commit();
        }
    }

    private void recordParts() {
        for (PartView part : pool.parts()) {
            for (PartMetric metric : part.metrics()) {
                double value = metric.value();
                if (!Double.isNaN(value)) {
                    new PartFigure(name, part.name(), metric, value).commit();
                }
            }
        }
    }

    private record Calls(String pool) implements LeaseObserver {
        @Override
        public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
            long waited = endedNanos - requestedNanos;
            if (ConnectionAcquisition.wanted(waited)) {
                new ConnectionAcquisition(pool, waited, outcome.label()).commit();
            }
        }

        @Override
        public void released(long acquiredNanos, long releasedNanos) {
            long held = releasedNanos - acquiredNanos;
            if (ConnectionLease.wanted(held)) {
                new ConnectionLease(pool, held).commit();
            }
        }
    }

    private record Events(String pool) implements PoolListener {
        @Override
        public void onEvent(PoolEvent event) {
            if (event instanceof PoolEvent.AcquisitionTimedOut timedOut) {
                new AcquisitionTimeout(pool, timedOut).commit();
            } else if (event instanceof PoolEvent.AcquisitionRejected rejected) {
                new AcquisitionRejected(pool, rejected).commit();
            } else if (event instanceof PoolEvent.ConnectFailed failed) {
                new ConnectFailed(pool, failed).commit();
            } else if (event instanceof PoolEvent.CircuitChanged changed) {
                new CircuitChanged(pool, changed).commit();
            } else if (event instanceof PoolEvent.Resized resized) {
                new PoolResized(pool, resized).commit();
            } else if (event instanceof PoolEvent.LeakSuspected suspected) {
                new LeakSuspected(pool, suspected).commit();
            } else if (event instanceof PoolEvent.SizingDecided decided) {
                new SizingDecided(pool, decided).commit();
            }
        }
    }
}
