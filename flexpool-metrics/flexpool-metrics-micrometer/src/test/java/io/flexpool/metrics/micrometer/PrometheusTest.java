// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.pool.AcquisitionOutcome;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.sql.SQLException;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The view of Prometheus. */
class PrometheusTest {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Log log = new Log();

    @AfterEach
    void stopListening() {
        log.close();
    }

    @Test
    void namesAreTheConventionsWithPrometheusSuffixes() {
        MicrometerMetrics.into(registry).level(MetricLevel.ALL).bind(new ScriptedPool("orders"));
        assertThat(registry.scrape().lines())
                .contains(
                        "# TYPE db_client_connection_wait_time_seconds summary",
                        "db_client_connection_wait_time_seconds_count{outcome=\"ok\",pool=\"orders\"} 1000",
                        "db_client_connection_use_time_seconds_count{pool=\"orders\"} 1000",
                        "db_client_connection_count{pool=\"orders\",state=\"used\"} 7.0",
                        "db_client_connection_count{pool=\"orders\",state=\"idle\"} 5.0",
                        "db_client_connection_limit{pool=\"orders\"} 13.0",
                        "db_client_connection_pending_requests{pool=\"orders\"} 5.0",
                        "db_client_connection_timeouts_total{pool=\"orders\"} 1000.0",
                        "flexpool_oldest_wait_seconds{pool=\"orders\"} 0.004",
                        "flexpool_retries_sum_total{pool=\"orders\"} 54500.0",
                        "flexpool_retries_recent{pool=\"orders\",quantile=\"0.5\"} 54.0")
                .anyMatch(
                        line -> line.startsWith(
                                "db_client_connection_wait_time_recent_seconds{outcome=\"ok\",pool=\"orders\",quantile=\"0.95\"} 0.0923"));
    }

    /** The meter was registered by the first reading, which is a scrape: only the second scrape showed it. */
    @Test
    @Timeout(300)
    void theFirstScrapeAfterAConnectFailureShowsIt() {
        JdbcDataSource nowhere = new JdbcDataSource();
        nowhere.setURL("jdbc:h2:mem:nowhere;IFEXISTS=TRUE");
        try (FlexPoolDataSource pool = FlexPool.wrap(nowhere)
                .name("orders")
                .metrics(MicrometerMetrics.into(registry))
                .build()) {
            assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
            assertThat(registry.getMeters())
                    .anyMatch(meter -> "connect_failure".equals(meter.getId().getTag("outcome")));
            String count = "db_client_connection_wait_time_seconds_count{outcome=\"connect_failure\",pool=\"orders\"} ";
            assertThat(registry.scrape()).contains(count);
            // Its value may be that of a reading before the failure, which is used again for a moment.
            while (!registry.scrape().contains(count + "1\n")) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void twoPoolsWithAFilterAreScrapedInBothWays() {
        registry.config()
                .meterFilter(FilterTest.asks(
                        "db.client",
                        DistributionStatisticConfig.builder()
                                .percentilesHistogram(true)
                                .build()));
        Binding reads = MicrometerMetrics.into(registry).bind(new ScriptedPool("orders"));
        Binding follows = MicrometerMetrics.into(registry).histogram().bind(new ScriptedPool("customers"));
        assertThat(registry.scrape()).contains("wait_time_seconds_count{").doesNotContain("_bucket");
        reads.unbind();
        follows.unbind();
        assertThat(registry.scrape()).isEmpty();
        Binding binding = MicrometerMetrics.into(registry).histogram().bind(new ScriptedPool("orders"));
        MicrometerMetrics.into(registry).bind(new ScriptedPool("customers"));
        binding.observer().acquired(0, 3_000_000, AcquisitionOutcome.OK);
        assertThat(registry.scrape())
                .contains(
                        "db_client_connection_wait_time_seconds_bucket{outcome=\"ok\",pool=\"orders\",le=\"+Inf\"} 1\n");
    }
}
