// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Filters that request histograms or percentiles of read-only meters. */
class FilterTest {
    private static final String WAIT = "db.client.connection.wait_time";

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final Log log = new Log();

    @AfterEach
    void stopListening() {
        log.close();
    }

    @Test
    void aFilterForPercentilesIsLoggedOnce() {
        registry.config().meterFilter(asks(WAIT, percentiles()));
        Binding orders = MicrometerMetrics.into(registry).bind(new ScriptedPool("orders"));
        Binding customers = MicrometerMetrics.into(registry).bind(new ScriptedPool("customers"));
        orders.unbind();
        customers.unbind();
        MicrometerMetrics.into(registry).bind(new ScriptedPool("redeployed"));
        assertThat(log.warnings())
                .singleElement()
                .asString()
                .contains("[" + WAIT + "]", "micrometer.histogram = true", ".recent");
    }

    @Test
    void aFilterForServiceLevelsIsLogged() {
        registry.config()
                .meterFilter(asks(
                        "db.client.connection.use_time",
                        DistributionStatisticConfig.builder()
                                .serviceLevelObjectives(
                                        (double) Duration.ofMillis(50).toNanos())
                                .build()));
        MicrometerMetrics.into(registry).bind(new ScriptedPool("orders"));
        assertThat(log.warnings()).singleElement().asString().contains("[db.client.connection.use_time]");
    }

    @Test
    void aFilterForAHistogramIsLoggedIfSupported() {
        // A simple registry has no histograms.
        registry.config().meterFilter(asks(WAIT, histogram()));
        MicrometerMetrics.into(registry).bind(new ScriptedPool("orders"));
        assertThat(log.warnings()).isEmpty();
        MeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        prometheus.config().meterFilter(asks(WAIT, histogram()));
        MicrometerMetrics.into(prometheus).bind(new ScriptedPool("orders"));
        assertThat(log.warnings()).singleElement().asString().contains(WAIT);
    }

    @Test
    void aFilterOfAPartOfACompositeIsLogged() {
        CompositeMeterRegistry composite = new CompositeMeterRegistry();
        composite.add(new SimpleMeterRegistry());
        composite.add(registry);
        registry.config().meterFilter(asks(WAIT, percentiles()));
        MicrometerMetrics.into(composite).bind(new ScriptedPool("orders"));
        assertThat(log.warnings()).singleElement().asString().contains(WAIT);
    }

    @Test
    void realTimersFulfilFilters() {
        registry.config().meterFilter(asks(WAIT, percentiles()));
        Binding binding = MicrometerMetrics.into(registry).histogram().bind(new ScriptedPool("orders"));
        assertThat(registry.get(WAIT)
                        .tag("outcome", "ok")
                        .timer()
                        .takeSnapshot()
                        .percentileValues())
                .hasSize(2);
        assertThat(log.warnings()).isEmpty();
        binding.unbind();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void onlySomeTimersAreReal() {
        registry.config().meterFilter(asks("", percentiles()));
        MicrometerMetrics.into(registry).histogram().level(MetricLevel.ALL).bind(new ScriptedPool("orders"));
        assertThat(log.warnings())
                .singleElement()
                .asString()
                .contains(
                        "[db.client.connection.create_time, flexpool.attempt_time]",
                        "Only acquisition and lease times can be real timers");
    }

    @Test
    void theProbeIsRemovedBeforeTheFirstMeter() {
        registry.config().meterFilter(asks(WAIT, percentiles()));
        List<String> seen = new ArrayList<>();
        registry.config().onMeterAdded(meter -> seen.add(kind(meter) + " added"));
        registry.config().onMeterRemoved(meter -> seen.add(kind(meter) + " removed"));
        MicrometerMetrics.into(registry).bind(new ScriptedPool("orders"));
        int firstOfOurs = seen.indexOf("other added");
        assertThat(seen.subList(0, firstOfOurs)).contains("probe added", "probe removed");
        assertThat(seen.subList(firstOfOurs, seen.size())).containsOnly("other added");
        assertThat(registry.find(WAIT).timers()).isEmpty();
    }

    private static String kind(Meter meter) {
        return "probe".equals(meter.getId().getTag("pool")) ? "probe" : "other";
    }

    private static DistributionStatisticConfig percentiles() {
        return DistributionStatisticConfig.builder().percentiles(0.9, 0.999).build();
    }

    private static DistributionStatisticConfig histogram() {
        return DistributionStatisticConfig.builder().percentilesHistogram(true).build();
    }

    static MeterFilter asks(String prefix, DistributionStatisticConfig what) {
        return new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return id.getName().startsWith(prefix) ? what.merge(config) : config;
            }
        };
    }
}
