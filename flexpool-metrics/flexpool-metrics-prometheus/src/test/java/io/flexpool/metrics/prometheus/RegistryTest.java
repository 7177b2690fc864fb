// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.metrics.micrometer.MicrometerMetrics;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.LeaseObserver;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.monitoring.PoolMetric;
import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.MetricType;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Label;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RegistryTest {
    /** The method of newer registries and that of older ones. */
    private static final Class<?>[] REFUSALS = {IllegalArgumentException.class, IllegalStateException.class};

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool.metrics");

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    @Test
    void theSecondPoolOfANameIsLoggedOnce() {
        PrometheusMetrics metrics = PrometheusMetrics.into(registry);
        assertThat(metrics.bind(new ScriptedPool("orders")).observer()).isSameAs(LeaseObserver.NONE);
        metrics.bind(new ScriptedPool("orders"));
        registry.scrape();
        assertThat(log.list)
                .filteredOn(event -> event.getLevel() == Level.WARN)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .contains("orders#2");
    }

    @Test
    void theNamesAreFreeAgainAfterTheLastPool() {
        PrometheusMetrics metrics = PrometheusMetrics.into(registry);
        Binding first = metrics.bind(new ScriptedPool("orders"));
        Binding second = metrics.bind(new ScriptedPool("customers"));
        assertThatThrownBy(this::theirs).isInstanceOfAny(REFUSALS);
        first.unbind();
        assertThatThrownBy(this::theirs).isInstanceOfAny(REFUSALS);
        second.unbind();
        theirs();
        assertThat(registry.scrape().size()).isEqualTo(1);
    }

    private void theirs() {
        Gauge.builder()
                .name("flexpool_limit")
                .labelNames("pool")
                .register(registry)
                .labelValues("theirs")
                .set(4711);
    }

    @Test
    void existingMetricsAreKeptAndOursRefused() {
        Gauge theirs = Gauge.builder().name("flexpool_limit").register(registry);
        theirs.set(4711);
        PrometheusMetrics metrics = PrometheusMetrics.into(registry);
        assertThatThrownBy(() -> metrics.bind(new ScriptedPool("orders")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("already has flexpool_limit");
        assertThat(registry.scrape().size()).isEqualTo(1);
        registry.unregister(theirs);
        metrics.bind(new ScriptedPool("orders"));
        assertThat(names()).contains("flexpool_limit", "db_client_connection_count");
    }

    /** A part must not make the metrics of all pools, and those of the application, fail with each scrape. */
    @Test
    void aMetricOfAPartWhoseNameIsInUseIsLeftOut() {
        Gauge theirs = Gauge.builder().name("flexpool_sample_held").register(registry);
        theirs.set(4711);
        Binding binding = PrometheusMetrics.into(registry).bind(new ScriptedPool("orders").withPart());
        assertThat(names()).contains("flexpool_sample_held", "flexpool_sample_age_seconds", "flexpool_limit");
        assertThat(log.list)
                .filteredOn(event -> event.getLevel() == Level.WARN)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .isEqualTo("orders: the metric flexpool_sample_held of the part sample is not shown, because the"
                        + " Prometheus registry has another metric of this name or refuses it");
        binding.unbind();
        assertThat(names()).containsExactly("flexpool_sample_held");
    }

    /** By {@code ?name[]=…}, of which a registry asks the collectors that declare the name. */
    @Test
    void aMetricOfAPartIsScrapedByItsName() {
        PrometheusMetrics.into(registry).bind(new ScriptedPool("orders").withPart());
        assertThat(registry.scrape("flexpool_sample_calls"::equals).stream())
                .singleElement()
                .extracting(snapshot -> snapshot.getMetadata().getName())
                .isEqualTo("flexpool_sample_calls");
    }

    /** Metrics without values are not scraped, so the registry itself has to refuse. */
    @Test
    void declaredMetricsOfOthersAreRefused() {
        registry.register(new NothingYet());
        assertThatThrownBy(() -> PrometheusMetrics.into(registry).bind(new ScriptedPool("orders")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("the Prometheus registry already has ")
                .hasMessageContaining("flexpool_limit");
    }

    @SuppressWarnings("deprecation") // Its replacement is not in the oldest versions.
    private static final class NothingYet implements MultiCollector {
        @Override
        public MetricSnapshots collect() {
            return MetricSnapshots.of();
        }

        @Override
        public List<String> getPrometheusNames() {
            return List.of("flexpool_limit");
        }

        @Override
        public MetricType getMetricType(String name) {
            return MetricType.GAUGE;
        }

        @Override
        public Set<String> getLabelNames(String name) {
            return Set.of("pool");
        }
    }

    /** Micrometer's collectors do not declare their names, so the registry itself would accept both. */
    @Test
    @Tag("micrometer")
    void micrometersAndThisOneInOneRegistryAreRefused() {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, registry, Clock.SYSTEM);
        MicrometerMetrics.into(meters).bind(new ScriptedPool("orders"));
        assertThatThrownBy(() -> PrometheusMetrics.into(registry).bind(new ScriptedPool("orders")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Micrometer");
        assertThat(registry.scrape().size()).isPositive();
    }

    /** With type and labels: newer registries accept a second metric that differs in its labels. */
    @Test
    void everyMetricIsDeclared() {
        PrometheusMetrics.into(registry)
                .level(MetricLevel.ALL)
                .bind(new ScriptedPool("orders").withClasses().withoutParts());
        MetricSnapshots shown = registry.scrape();
        assertThat(Snapshots.FAMILIES.keySet()).isEqualTo(names());
        for (MetricSnapshot snapshot : shown) {
            assertThatThrownBy(() -> again(snapshot))
                    .as(snapshot.getMetadata().getName())
                    .isInstanceOfAny(REFUSALS);
        }
        assertThat(registry.scrape().size()).isEqualTo(shown.size());
    }

    private void again(MetricSnapshot snapshot) {
        String name = snapshot.getMetadata().getName();
        String[] labels = snapshot.getDataPoints().get(0).getLabels().stream()
                .map(Label::getName)
                .toArray(String[]::new);
        if (snapshot instanceof CounterSnapshot) {
            Counter.builder().name(name).labelNames(labels).register(registry);
        } else if (snapshot instanceof GaugeSnapshot) {
            Gauge.builder().name(name).labelNames(labels).register(registry);
        } else {
            Histogram.builder().name(name).labelNames(labels).register(registry);
        }
    }

    @Test
    void anUnreportedFigureDoesNotAffectOtherPools() {
        PrometheusMetrics metrics = PrometheusMetrics.into(registry).level(MetricLevel.ALL);
        metrics.bind(new ScriptedPool("silent").tellsNothing().without(PoolMetric.CONNECT));
        assertThat(names()).doesNotContain("db_client_connection_create_time_seconds", "db_client_connection_limit");
        metrics.bind(new ScriptedPool("orders"));
        assertThat(names()).contains("db_client_connection_create_time_seconds", "db_client_connection_limit");
    }

    @Test
    void propertiesBindToTheDefaultRegistry() throws SQLException {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setURL("jdbc:h2:mem:prometheus-test;DB_CLOSE_DELAY=-1");
        h2.setUser("sa");
        h2.setPassword("s3cret-of-this-test");
        try (FlexPoolDataSource pool = FlexPool.wrap(h2)
                .name("h2")
                .properties(Map.of("flexpool.metrics", "prometheus"))
                .build()) {
            pool.getConnection().close();
            assertThat(Scrape.http(PrometheusRegistry.defaultRegistry, Scrape.TEXT))
                    .contains("db_client_connection_wait_time_seconds_count{outcome=\"ok\",pool=\"h2\"}")
                    .doesNotContain("db_client_connection_count{pool=\"h2\",state=\"idle\"}", "s3cret-of-this-test")
                    // No request of the last minute has timed out.
                    .doesNotContain("recent_seconds{outcome=\"timeout\"");
        }
        assertThat(PrometheusRegistry.defaultRegistry.scrape().size()).isZero();
    }

    private Set<String> names() {
        return registry.scrape().stream()
                .map(snapshot -> snapshot.getMetadata().getPrometheusName())
                .collect(Collectors.toSet());
    }
}
