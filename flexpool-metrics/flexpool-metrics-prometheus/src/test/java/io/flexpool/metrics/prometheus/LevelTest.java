// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.metrics.micrometer.MicrometerMetrics;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.MetricsBinder.Binding;
import io.flexpool.monitoring.MetricsProvider.MetricLevel;
import io.flexpool.monitoring.PoolMetric;
import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How many series one pool is: lines of the text format that do not begin with {@code #}, buckets included. The pool has
 * every figure that a pool can have.
 */
@Tag("micrometer")
class LevelTest {
    private static final int MOST = 44;
    /** Timeout, connect failure, interrupted, rejected, error. */
    private static final int FAILURES = 5;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    /** Micrometer holds what it reads weakly: a pool keeps its binding, and a collected one shows NaN. */
    private final List<Binding> bindings = new ArrayList<>();

    /** Without a type of Micrometer in its signature: the older versions are tested without it. */
    private MetricsBinder micrometer(boolean histogram) {
        MicrometerMetrics metrics =
                MicrometerMetrics.into(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, registry, Clock.SYSTEM));
        return histogram ? metrics.histogram() : metrics;
    }

    private long lines() {
        return Scrape.http(registry, Scrape.TEXT)
                .lines()
                .filter(line -> !line.startsWith("#"))
                .peek(line -> assertThat(line).doesNotContain("NaN"))
                .count();
    }

    /** In no fleet, and its server is not looked at each minute. */
    private static ScriptedPool alone() {
        return new ScriptedPool("orders").withoutFailures().withoutParts();
    }

    private void assertLines(MetricsBinder binder, int atFirst, int ofAFailure) {
        ScriptedPool pool = alone();
        bindings.add(binder.bind(pool));
        assertThat(lines()).isEqualTo(atFirst).isLessThanOrEqualTo(MOST);
        pool.fails();
        // A reading is used for 100 ms; with Micrometer it registers what it has seen for the next scrape.
        eventually(() -> lines() > atFirst);
        assertThat(lines())
                .as("after all kinds of failure")
                .isEqualTo(atFirst + (long) FAILURES * ofAFailure)
                .isLessThanOrEqualTo(MOST);
    }

    @Test
    void micrometerShowsFortyFourLinesOfAPoolAtMost() {
        assertLines(micrometer(false), 27, 2);
    }

    /** Each timer has a line more, its maximum. */
    @Test
    void withRealTimersTheMaximumIsOneLineMore() {
        assertLines(micrometer(true), 29, 3);
    }

    @Test
    void theClientShowsAHistogramInThreeLines() {
        assertLines(PrometheusMetrics.into(registry), 29, 3);
    }

    /** What an alert or a look at an incident needs, whatever else moves to the level of everything. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "db_client_connection_count{pool=\"orders\",state=\"used\"}",
                "db_client_connection_count{pool=\"orders\",state=\"idle\"}",
                "flexpool_limit{pool=\"orders\"}",
                "flexpool_saturation{pool=\"orders\"}",
                "flexpool_scale_out_helps{pool=\"orders\"}",
                "flexpool_active_peak{pool=\"orders\"}",
                "flexpool_pending_peak{pool=\"orders\"}",
                "db_client_connection_limit{pool=\"orders\"}",
                "db_client_connection_pending_requests{pool=\"orders\"}",
                "flexpool_oldest_wait_seconds{pool=\"orders\"}",
                "flexpool_foreign{pool=\"orders\"}",
                "flexpool_tick_age_seconds{pool=\"orders\"}",
                "flexpool_fleet_members{pool=\"orders\"}",
                "flexpool_fleet_free{pool=\"orders\"}",
                "db_client_connection_timeouts_total{pool=\"orders\"}",
                "flexpool_connect_failures_total{pool=\"orders\"}",
                "flexpool_growths_total{pool=\"orders\"}",
                "flexpool_growths_refused_total{pool=\"orders\"}",
                "db_client_connection_wait_time_seconds_count{outcome=\"connect_failure\",pool=\"orders\"}",
                "db_client_connection_wait_time_seconds_sum{outcome=\"timeout\",pool=\"orders\"}",
                "db_client_connection_wait_time_recent_seconds{outcome=\"ok\",pool=\"orders\",quantile=\"0.95\"}",
                "db_client_connection_use_time_recent_seconds{pool=\"orders\",quantile=\"1\"}"
            })
    void whatAnIncidentNeedsIsEssential(String series) {
        PrometheusMetrics.into(registry).bind(new ScriptedPool("orders"));
        assertThat(Scrape.http(registry, Scrape.TEXT).lines()).anyMatch(line -> line.startsWith(series + " "));
    }

    @Test
    void aFleetAndItsServerAreSevenLinesMore() {
        bindings.add(PrometheusMetrics.into(registry).bind(new ScriptedPool("orders").withoutFailures()));
        int ofFleet = 5;
        int ofServer = 2;
        assertThat(lines()).isEqualTo(29 + ofFleet + ofServer);
    }

    /** The first one has no most, and so one line less. */
    @Test
    void aClassIsElevenLinesMore() {
        bindings.add(PrometheusMetrics.into(registry).bind(alone().withClasses()));
        assertThat(lines()).isEqualTo(29 + 10 + 11);
    }

    @Test
    void withMicrometerAClassIsTenLinesMore() {
        bindings.add(micrometer(false).bind(alone().withClasses()));
        assertThat(lines()).isEqualTo(27 + 9 + 10);
    }

    @Test
    void allIsMuchMore() {
        PrometheusMetrics.into(registry).level(MetricLevel.ALL).bind(new ScriptedPool("orders"));
        assertThat(lines()).isGreaterThan(200);
    }

    /** A watched pool without leak detection, as the starter shows one that nothing is configured for. */
    @Test
    void whatAPoolCannotHaveIsNotShown() {
        ScriptedPool pool = alone();
        for (PoolMetric metric : new PoolMetric[] {
            PoolMetric.CONNECT,
            PoolMetric.OLDEST_WAIT,
            PoolMetric.FOREIGN,
            PoolMetric.GROWTHS,
            PoolMetric.SHRINKS,
            PoolMetric.REFUSED_GROWTHS,
            PoolMetric.LEAKS_SUSPECTED
        }) {
            pool.without(metric);
        }
        bindings.add(micrometer(false).bind(pool));
        assertThat(lines()).isEqualTo(22);
    }
}
