// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import com.codahale.metrics.MetricRegistry;
import io.flexpool.metrics.dropwizard.DropwizardMetrics;
import java.util.ArrayList;
import java.util.List;

/** flexpool's figures in a Dropwizard registry. */
public final class DropwizardBackend {
    private DropwizardBackend() {}

    /**
     * With its own registry.
     *
     * @return the backend
     */
    public static Backend create() {
        MetricRegistry registry = new MetricRegistry();
        return Backend.of(DropwizardMetrics.into(registry), () -> read(registry));
    }

    /** What each of Dropwizard's reporters reads. */
    static int read(MetricRegistry registry) {
        List<Object> read = new ArrayList<>();
        registry.getGauges().values().forEach(gauge -> read.add(gauge.getValue()));
        registry.getCounters().values().forEach(counter -> read.add(counter.getCount()));
        registry.getHistograms().values().forEach(histogram -> read.add(histogram.getSnapshot()));
        registry.getTimers().values().forEach(timer -> {
            read.add(timer.getSnapshot());
            read.add(timer.getOneMinuteRate());
        });
        return read.size();
    }
}
