// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.prometheus;

import static io.flexpool.metrics.tck.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.metrics.micrometer.MicrometerMetrics;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.MetricLevel;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolMetric;
import io.micrometer.core.instrument.Clock;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How many series one pool is: lines of the text format that do not begin with {@code #}, buckets included. The pool has
 * every figure that a pool can have.
 */
@Tag("micrometer")
class LevelTest {
    private static final int MOST = 40;
    /** Timeout, connect failure, interrupted, rejected, error. */
    private static final int FAILURES = 5;

    private final PrometheusRegistry registry = new PrometheusRegistry();

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

    private void assertLines(MetricsBinder binder, int atFirst, int ofAFailure) {
        ScriptedPool pool = new ScriptedPool("orders").withoutFailures();
        binder.bind(pool);
        assertThat(lines()).isEqualTo(atFirst).isLessThanOrEqualTo(MOST);
        pool.fails();
        // A reading is used for 100 ms; with Micrometer it registers what it has seen for the next scrape.
        eventually(() -> lines() > atFirst);
        assertThat(lines()).isEqualTo(atFirst + (long) FAILURES * ofAFailure);
    }

    @Test
    void micrometerShowsFortyLinesOfAPoolAtMost() {
        assertLines(micrometer(false), 30, 2);
        assertThat(lines()).isLessThanOrEqualTo(MOST);
    }

    /** Each timer has a line more, its maximum. */
    @Test
    void withRealTimersTheMaximumIsOneLineMore() {
        ScriptedPool pool = new ScriptedPool("orders").withoutFailures();
        micrometer(true).bind(pool);
        assertThat(lines()).isEqualTo(32);
    }

    @Test
    void theClientShowsAHistogramInThreeLines() {
        assertLines(PrometheusMetrics.into(registry), 33, 3);
    }

    @Test
    void allIsMuchMore() {
        PrometheusMetrics.into(registry).level(MetricLevel.ALL).bind(new ScriptedPool("orders"));
        assertThat(lines()).isGreaterThan(200);
    }

    /** A watched pool without leak detection, as the starter shows one that nothing is configured for. */
    @Test
    void whatAPoolCannotHaveIsNotShown() {
        ScriptedPool pool = new ScriptedPool("orders").withoutFailures();
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
        micrometer(false).bind(pool);
        assertThat(lines()).isEqualTo(22);
    }
}
