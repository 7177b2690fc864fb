// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.RequestClass;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is counted by class, and the window over it. */
class ClassHistoryTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    private final ClassRecorder recorder = new ClassRecorder(2);
    private final ClassHistory history = new ClassHistory(recorder, 0);

    private RequestClass figures(int requestClass, long nowNanos) {
        return history.figures(
                        List.of(
                                new ClassHistory.State("web", 3, OptionalInt.empty(), 2, 0),
                                new ClassHistory.State("batch", 0, OptionalInt.of(8), 8, 32)),
                        nowNanos)
                .get(requestClass);
    }

    private void acquire(int requestClass, int atOnce, int waited, long nanos) {
        for (int at = 0; at < atOnce; at++) {
            recorder.acquiredAtOnce(requestClass);
        }
        for (int at = 0; at < waited; at++) {
            recorder.acquired(requestClass, nanos);
        }
    }

    @Test
    void eachClassHasItsOwnFigures() {
        acquire(0, 98, 2, 40 * MILLI);
        acquire(1, 0, 3, 7 * SECOND);
        recorder.failed(1, Kind.EXHAUSTED);
        RequestClass web = figures(0, SECOND);
        RequestClass batch = figures(1, SECOND);
        assertThat(web.waits().count()).isEqualTo(100);
        assertThat(web.waits().sumNanos()).isEqualTo(80 * MILLI);
        assertThat(web.waits().maxNanos()).isEqualTo(40 * MILLI);
        assertThat(web.waits().percentileNanos(0.98))
                .as("those that did not wait count")
                .isOne();
        assertThat(web.waits().percentileNanos(0.99)).isBetween(38 * MILLI, 40 * MILLI);
        assertThat(web.timeouts()).isZero();
        assertThat(batch.waits().count()).isEqualTo(3);
        assertThat(batch.timeouts()).isOne();
    }

    @Test
    void theRecentFiguresAreOfTheLastMinute() {
        acquire(0, 5, 1, 9 * SECOND);
        for (long at = 0; at <= 70; at++) {
            history.tick(at * SECOND);
        }
        acquire(0, 7, 1, 3 * MILLI);
        RequestClass web = figures(0, 70 * SECOND);
        assertThat(web.waits().count()).isEqualTo(14);
        assertThat(web.waits().maxNanos()).isEqualTo(9 * SECOND);
        assertThat(web.recentWaits().count()).isEqualTo(8);
        assertThat(web.recentWaits().sumNanos()).isEqualTo(3 * MILLI);
        assertThat(web.recentWaits().maxNanos()).isEqualTo(3 * MILLI);
        // Nobody ticks: the window ends all the same.
        assertThat(figures(0, TimeUnit.HOURS.toNanos(1)).recentWaits().count()).isEqualTo(8);
        for (long at = 71; at <= 140; at++) {
            history.tick(at * SECOND);
        }
        assertThat(figures(0, 140 * SECOND).recentWaits().count()).isZero();
        assertThat(figures(0, 140 * SECOND).waits().count()).isEqualTo(14);
    }

    @Test
    void theMetricsOfClassesAreInThem() {
        recorder.failed(1, Kind.EXHAUSTED);
        RequestClass batch = figures(1, SECOND);
        assertThat(batch.gauge(PoolMetric.CLASS_USED)).isEqualTo(8);
        assertThat(batch.gauge(PoolMetric.CLASS_WAITING)).isEqualTo(32);
        assertThat(batch.gauge(PoolMetric.CLASS_GUARANTEED)).isZero();
        assertThat(batch.gauge(PoolMetric.CLASS_MAX)).isEqualTo(8);
        assertThat(figures(0, SECOND).gauge(PoolMetric.CLASS_MAX)).isNaN();
        assertThat(batch.counter(PoolMetric.CLASS_TIMEOUTS)).isOne();
        assertThat(batch.counter(PoolMetric.CLASS_SHED)).isZero();
        assertThat(PoolMetric.CLASS_USED.shortName("batch")).isEqualTo("class.batch.used");
    }

    @Test
    void aRequestThatWasShedIsNoTimeout() {
        recorder.failed(1, Kind.SHED);
        recorder.failed(1, Kind.SHED);
        recorder.failed(1, Kind.REJECTED);
        recorder.failed(1, Kind.CONNECT_FAILED);
        assertThat(figures(1, SECOND).counter(PoolMetric.CLASS_SHED)).isEqualTo(2);
        assertThat(figures(1, SECOND).counter(PoolMetric.CLASS_TIMEOUTS)).isZero();
        assertThat(figures(0, SECOND).shed()).isZero();
    }
}
