// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.pool.AcquisitionOutcome;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RegistrationTest {
    private static final String WAIT = "db.client.connection.wait_time";
    private static final String LEASE = "db.client.connection.use_time";
    /** 6 outcomes, 3 other timers, each with 4 percentiles; 5 distributions of 6; 10 gauges, 9 counters, 7 gauges of fleet and server. */
    private static final int METERS = 9 * 5 + 5 * 6 + 15 + 9 + 7;

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final Log log = new Log();

    @AfterEach
    void stopListening() {
        log.close();
    }

    @Test
    void theIntendedVersionIsTested() {
        URL from = MeterRegistry.class.getProtectionDomain().getCodeSource().getLocation();
        assertThat(from.getPath())
                .endsWith("micrometer-core-" + System.getProperty("expected.micrometer.version") + ".jar");
    }

    @Test
    void everyFigureIsAMeterUntilUnbound() {
        Binding binding = all(registry).bind(new ScriptedPool("orders"));
        assertThat(registry.getMeters()).hasSize(METERS);
        assertThat(binding.observer()).isSameAs(LeaseObserver.NONE);
        binding.unbind();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void bindingLogsNoWarning() {
        all(registry).bind(new ScriptedPool("orders")).unbind();
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void histogramRegistersTheSameIds() {
        MeterRegistry other = new SimpleMeterRegistry();
        all(registry).bind(new ScriptedPool("orders"));
        Binding binding = all(other).histogram().bind(new ScriptedPool("orders"));
        assertThat(ids(other)).isEqualTo(ids(registry)).hasSize(METERS);
        assertThat(other.get(WAIT).timers()).hasSize(6);
        binding.unbind();
        assertThat(other.getMeters()).isEmpty();
    }

    @Test
    void durationsAreSeconds() {
        all(registry).bind(new ScriptedPool("orders"));
        assertThat(unit("flexpool.oldest_wait")).isEqualTo("seconds");
        assertThat(unit(WAIT)).isEqualTo("seconds");
        assertThat(unit(WAIT + ".recent")).isEqualTo("seconds");
    }

    @Test
    void countsHaveNoUnit() {
        all(registry).bind(new ScriptedPool("orders"));
        assertThat(unit("db.client.connection.limit")).isNull();
        assertThat(unit("flexpool.retries.recent")).isNull();
    }

    @Test
    void theSecondPoolOfANameIsLoggedOnce() {
        MicrometerMetrics metrics = all(registry);
        metrics.bind(new ScriptedPool("orders"));
        Binding second;
        try (Log ofMicrometer = new Log("io.micrometer")) {
            second = metrics.bind(new ScriptedPool("orders"));
            assertThat(ofMicrometer.warnings()).isEmpty();
        }
        assertThat(registry.getMeters()).hasSize(2 * METERS);
        assertThat(log.warnings()).singleElement().asString().contains("orders#2");
        second.unbind();
        assertThat(registry.getMeters()).hasSize(METERS);
    }

    @Test
    void aMeterOfTheApplicationIsNotTouched() {
        Tags tags = Tags.of("pool", "orders");
        Gauge theirs = Gauge.builder("db.client.connection.limit", () -> 4711)
                .tags(tags)
                .register(registry);
        Timer ofAnotherType = Timer.builder("flexpool.limit")
                .tags(tags.and("pool", "orders#2"))
                .register(registry);
        Binding binding = all(registry).bind(new ScriptedPool("orders"));
        assertThat(theirs.value()).isEqualTo(4711);
        assertThat(registry.get("db.client.connection.limit")
                        .tag("pool", "orders#3")
                        .gauge()
                        .value())
                .isEqualTo(13);
        binding.unbind();
        assertThat(registry.getMeters()).containsExactlyInAnyOrder(theirs, ofAnotherType);
    }

    @Test
    void aReplacedMeterIsNotRemoved() {
        Binding binding = all(registry).bind(new ScriptedPool("orders"));
        registry.remove(registry.get("flexpool.limit").gauge());
        Gauge theirs = Gauge.builder("flexpool.limit", () -> 4711)
                .tags("pool", "orders")
                .register(registry);
        binding.unbind();
        assertThat(registry.getMeters()).containsExactly(theirs);
    }

    @Test
    void aCompositeIsCleanedInAllParts() {
        CompositeMeterRegistry composite = new CompositeMeterRegistry();
        composite.add(registry);
        Binding binding = all(composite).histogram().bind(new ScriptedPool("orders"));
        binding.observer().acquired(0, 3_000_000, AcquisitionOutcome.OK);
        SimpleMeterRegistry later = new SimpleMeterRegistry();
        composite.add(later);
        assertThat(registry.get(WAIT).tag("outcome", "ok").timer().count()).isEqualTo(1);
        assertThat(later.getMeters()).hasSize(METERS);
        assertThat(later.get("flexpool.limit").gauge().value()).isEqualTo(12);
        binding.unbind();
        assertThat(registry.getMeters()).isEmpty();
        assertThat(later.getMeters()).isEmpty();
    }

    @Test
    void aDeniedMeterIsMissing() {
        registry.config().meterFilter(MeterFilter.denyNameStartsWith("flexpool."));
        Binding binding = all(registry).bind(new ScriptedPool("orders"));
        assertThat(registry.getMeters())
                .isNotEmpty()
                .allSatisfy(meter -> assertThat(meter.getId().getName()).startsWith("db.client."));
        assertThat(log.warnings()).isEmpty();
        binding.unbind();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void withoutTheTagPoolOnlyOnePoolIsVisible() {
        registry.config().meterFilter(MeterFilter.ignoreTags("pool"));
        MicrometerMetrics metrics = all(registry);
        Binding first = metrics.bind(new ScriptedPool("orders"));
        assertThat(log.warnings()).isEmpty();
        Binding second = metrics.bind(new ScriptedPool("customers"));
        assertThat(log.warnings()).singleElement().asString().contains("customers", WAIT);
        second.unbind();
        assertThat(registry.getMeters()).hasSize(METERS);
        first.unbind();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void withoutTheTagOutcomeRealTimersAddUp() {
        registry.config().meterFilter(MeterFilter.ignoreTags("outcome"));
        Binding binding = all(registry).histogram().bind(new ScriptedPool("orders"));
        binding.observer().acquired(0, 3_000_000, AcquisitionOutcome.OK);
        binding.observer().acquired(0, 4_000_000, AcquisitionOutcome.TIMEOUT);
        assertThat(registry.get(WAIT).timer().count()).isEqualTo(2);
        assertThat(log.warnings())
                .singleElement()
                .asString()
                .contains(WAIT + ".recent")
                .doesNotContain(WAIT + ",");
        binding.unbind();
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void aRegistryHasOneKindOfTimerForAllPools() {
        Binding reads = all(registry).bind(new ScriptedPool("orders"));
        Binding follows = all(registry).histogram().bind(new ScriptedPool("customers"));
        assertThat(registry.get(WAIT).functionTimers()).hasSize(12);
        assertThat(follows.observer()).isSameAs(LeaseObserver.NONE);
        assertThat(log.warnings()).singleElement().asString().contains("customers", "without histogram");
        reads.unbind();
        follows.unbind();
        all(registry).histogram().bind(new ScriptedPool("orders"));
        Binding binding = all(registry).bind(new ScriptedPool("customers"));
        binding.observer().released(0, 5_000_000);
        assertThat(registry.get(LEASE).tag("pool", "customers").timer().count()).isEqualTo(1);
        assertThat(log.warnings()).hasSize(2).last().asString().contains("customers", "with histogram");
    }

    /** Micrometer references the objects behind its meters weakly. */
    @Test
    void figuresAreThereAfterAGarbageCollection() throws InterruptedException {
        Binding binding = all(registry).bind(new ScriptedPool("orders"));
        ReferenceQueue<Object> collected = new ReferenceQueue<>();
        WeakReference<Object> garbage = new WeakReference<>(new Object(), collected);
        Reference<?> gone = null;
        for (int tries = 0; tries < 100 && gone == null; tries++) {
            System.gc();
            gone = collected.remove(100);
        }
        assertThat(gone).isSameAs(garbage);
        assertThat(registry.get("flexpool.limit").gauge().value()).isEqualTo(12);
        binding.unbind();
    }

    @Test
    void functionTimersHaveOnlyCountAndSum() {
        all(registry).bind(new ScriptedPool("orders"));
        FunctionTimer lease = registry.get(LEASE).functionTimer();
        assertThat(lease.count()).isEqualTo(1000);
    }

    private static MicrometerMetrics all(MeterRegistry into) {
        return MicrometerMetrics.into(into).level(MetricLevel.ALL);
    }

    private @Nullable String unit(String name) {
        return registry.get(name).meters().iterator().next().getId().getBaseUnit();
    }

    private static Set<Meter.Id> ids(MeterRegistry registry) {
        return registry.getMeters().stream().map(Meter::getId).collect(Collectors.toSet());
    }
}
