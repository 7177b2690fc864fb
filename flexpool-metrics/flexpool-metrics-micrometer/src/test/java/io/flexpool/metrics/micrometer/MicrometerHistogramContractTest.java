// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import io.flexpool.metrics.tck.Part;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.monitoring.PoolMetric;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The same names and figures, but acquisition and lease times are recorded call by call. */
class MicrometerHistogramContractTest extends MicrometerContractTest {
    @Override
    protected MetricsBinder binder() {
        return MicrometerMetrics.into(registry).histogram().level(MetricLevel.ALL);
    }

    @Override
    protected boolean hearsCalls(PoolMetric metric) {
        return metric == PoolMetric.ACQUISITION || metric == PoolMetric.LEASE;
    }

    @Override
    protected OptionalDouble time(String name, Tags tags, Part part) {
        boolean read = Stream.of(PoolMetric.ATTEMPT, PoolMetric.CONNECT, PoolMetric.CLASS_WAIT)
                .anyMatch(metric -> metric.conventionName().equals(name));
        if (read) {
            return super.time(name, tags, part);
        }
        Timer timer = registry.find(name).tags(tags).timer();
        if (timer == null) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(part == Part.COUNT ? timer.count() : timer.totalTime(TimeUnit.SECONDS));
    }
}
