// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import io.flexpool.metrics.micrometer.MicrometerMetrics;
import io.flexpool.monitoring.MetricsBinder;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.function.UnaryOperator;

/** flexpool's figures in a Micrometer registry. */
public final class MicrometerBackend {
    private MicrometerBackend() {}

    /**
     * With meters that read.
     *
     * @return the backend, with its own registry
     */
    public static Backend create() {
        return in(new SimpleMeterRegistry(), metrics -> metrics);
    }

    /**
     * With real timers, which observe every call.
     *
     * @return the backend, with its own registry
     */
    public static Backend histogram() {
        return in(new SimpleMeterRegistry(), MicrometerMetrics::histogram);
    }

    private static Backend in(MeterRegistry registry, UnaryOperator<MicrometerMetrics> mode) {
        MetricsBinder binder = mode.apply(MicrometerMetrics.into(registry));
        return new Backend(binder, () -> read(registry), registry::close);
    }

    /** What a registry that publishes reads. */
    static int read(MeterRegistry registry) {
        int figures = 0;
        for (Meter meter : registry.getMeters()) {
            for (Measurement measurement : meter.measure()) {
                figures += Double.isNaN(measurement.getValue()) ? 0 : 1;
            }
        }
        return figures;
    }
}
