// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.opentelemetry;

import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.PartView;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolMetric.Kind;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.monitoring.PoolView;
import io.flexpool.monitoring.RequestClass;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.Ticker;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/** One pool in the API: figures read when the SDK collects, and an observer of each call. Thread-safe. */
final class PushedPool {
    private final String shownAs;
    private final PoolReading.Shared readings;
    private final Map<String, ObservableMeasurement> instruments = new HashMap<>();
    private final List<Consumer<PoolReading>> observations = new ArrayList<>();
    private final BatchCallback callback;
    private final @Nullable CallHistograms calls;
    private final @Nullable AcquireSpans spans;

    /**
     * Shows a pool.
     *
     * @param agent the metrics that are left to the agent
     * @param maxBefore whether the pool's max size is shown by its former name too
     */
    PushedPool(
            PoolView pool,
            String shownAs,
            Meter meter,
            AgentSeries agent,
            boolean histograms,
            boolean maxBefore,
            @Nullable AcquireSpans spans) {
        this.shownAs = shownAs;
        this.spans = spans;
        this.readings = new PoolReading.Shared(pool, Ticker.SYSTEM);
        this.calls = histograms ? new CallHistograms(meter, shownAs, agent) : null;
        for (PoolMetric metric : PoolMetric.values()) {
            String name = agent.name(metric);
            if (name != null
                    && (metric.kind() == Kind.GAUGE || metric.kind() == Kind.COUNTER)
                    && pool.supports(metric)) {
                observations.add(observation(meter, metric, name));
            }
        }
        if (maxBefore && pool.supports(PoolMetric.MAX)) {
            observations.add(observation(meter, PoolMetric.MAX, Conventions.MAX_BEFORE));
        }
        for (PartView part : pool.parts()) {
            for (PartMetric metric : part.metrics()) {
                if (!instruments.containsKey(metric.conventionName())) {
                    observations.add(observation(meter, metric));
                }
            }
        }
        String createTime = agent.name(PoolMetric.CONNECT);
        if (histograms && createTime != null && pool.supports(PoolMetric.CONNECT)) {
            DoubleHistogram connects = CallHistograms.histogram(meter, PoolMetric.CONNECT, createTime);
            observations.add(new ReadConnects(connects, shownAs)::record);
        }
        ObservableMeasurement[] all = instruments.values().toArray(ObservableMeasurement[]::new);
        this.callback = meter.batchCallback(this::observe, all[0], Arrays.copyOfRange(all, 1, all.length));
    }

    /** One callback for all instruments, so that one collection shows one reading. */
    private void observe() {
        PoolReading reading = readings.get();
        observations.forEach(each -> each.accept(reading));
    }

    private Consumer<PoolReading> observation(Meter meter, PoolMetric metric, String shown) {
        ObservableMeasurement instrument = instruments.computeIfAbsent(
                shown,
                name -> instrument(
                        meter, name, metric.unit().ucum(), Conventions.description(metric), Conventions.form(metric)));
        if (metric.perClass()) {
            ObservableLongMeasurement whole = (ObservableLongMeasurement) instrument;
            return reading -> reading.classes().forEach(figures -> observe(metric, figures, whole));
        }
        Attributes attributes = Conventions.attributes(shownAs, metric, AcquisitionOutcome.OK);
        // Casts by form: the SDK's measurements have the long and the double type, but fail to record the wrong type.
        return switch (Conventions.form(metric)) {
            case COUNTER -> {
                ObservableLongMeasurement counter = (ObservableLongMeasurement) instrument;
                yield reading -> counter.record(reading.counter(metric), attributes);
            }
            case UP_DOWN_COUNTER -> {
                ObservableLongMeasurement whole = (ObservableLongMeasurement) instrument;
                yield ifReported(metric, value -> whole.record((long) value, attributes));
            }
            case GAUGE -> {
                ObservableDoubleMeasurement fraction = (ObservableDoubleMeasurement) instrument;
                yield ifReported(metric, value -> fraction.record(Conventions.shown(metric, value), attributes));
            }
            case HISTOGRAM -> throw isHistogram(shown);
        };
    }

    private Consumer<PoolReading> observation(Meter meter, PartMetric metric) {
        Conventions.Form form = Conventions.form(metric);
        ObservableMeasurement instrument =
                instrument(meter, metric.conventionName(), metric.unit(), metric.meaning(), form);
        instruments.put(metric.conventionName(), instrument);
        Attributes attributes = Conventions.attributes(shownAs);
        return reading -> {
            double value = metric.value();
            if (Double.isNaN(value)) {
                return;
            }
            if (form == Conventions.Form.GAUGE) {
                ((ObservableDoubleMeasurement) instrument).record(value, attributes);
            } else {
                ((ObservableLongMeasurement) instrument).record((long) value, attributes);
            }
        };
    }

    private void observe(PoolMetric metric, RequestClass figures, ObservableLongMeasurement whole) {
        double value = metric.kind() == Kind.COUNTER ? figures.counter(metric) : figures.gauge(metric);
        if (!Double.isNaN(value)) {
            whole.record((long) value, Conventions.attributes(shownAs, figures));
        }
    }

    /** Records nothing if the pool does not report the gauge. */
    private static Consumer<PoolReading> ifReported(PoolMetric gauge, DoubleConsumer observed) {
        return reading -> {
            double value = reading.gauge(gauge);
            if (!Double.isNaN(value)) {
                observed.accept(value);
            }
        };
    }

    private static IllegalArgumentException isHistogram(String metric) {
        return new IllegalArgumentException(metric + ": histograms are not observed");
    }

    private static ObservableMeasurement instrument(
            Meter meter, String name, String unit, String description, Conventions.Form form) {
        return switch (form) {
            case COUNTER ->
                meter.counterBuilder(name)
                        .setUnit(unit)
                        .setDescription(description)
                        .buildObserver();
            case UP_DOWN_COUNTER ->
                meter.upDownCounterBuilder(name)
                        .setUnit(unit)
                        .setDescription(description)
                        .buildObserver();
            case GAUGE ->
                meter.gaugeBuilder(name)
                        .setUnit(unit)
                        .setDescription(description)
                        .buildObserver();
            case HISTOGRAM -> throw isHistogram(name);
        };
    }

    /**
     * The binding that core uses.
     *
     * @param after called once the pool is no longer shown
     */
    Binding binding(Runnable after) {
        AtomicBoolean unbound = new AtomicBoolean();
        return new Binding() {
            @Override
            public LeaseObserver observer() {
                return perCallObserver();
            }

            @Override
            public @Nullable String traceId() {
                return Conventions.traceId();
            }

            @Override
            public void unbind() {
                if (unbound.compareAndSet(false, true)) {
                    callback.close();
                    after.run();
                }
            }
        };
    }

    private LeaseObserver perCallObserver() {
        if (calls == null) {
            return spans == null ? LeaseObserver.NONE : spans;
        }
        return spans == null ? calls : new Both(calls, spans);
    }

    private record Both(LeaseObserver first, LeaseObserver second) implements LeaseObserver {
        @Override
        public void acquired(long requestedNanos, long endedNanos, AcquisitionOutcome outcome) {
            first.acquired(requestedNanos, endedNanos, outcome);
            second.acquired(requestedNanos, endedNanos, outcome);
        }

        @Override
        public void released(long acquiredNanos, long releasedNanos) {
            first.released(acquiredNanos, releasedNanos);
            second.released(acquiredNanos, releasedNanos);
        }
    }
}
