// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.dropwizard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.Histogram;
import com.codahale.metrics.Metric;
import com.codahale.metrics.Snapshot;
import com.codahale.metrics.Timer;
import io.flexpool.metrics.tck.ScriptedPool;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolReading;
import io.flexpool.pool.AcquisitionOutcome;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FiguresTest {
    private final AtomicLong clock = new AtomicLong(1);
    private final ScriptedPool pool = new ScriptedPool("orders").withClasses().withoutParts();
    private final Map<String, Metric> metrics = PoolMetrics.of(pool, new RatedReadings(pool, clock::get));

    @ParameterizedTest
    @EnumSource(PoolMetric.class)
    void everyFigureHasAnEntryOfItsKind(PoolMetric figure) {
        Class<? extends Metric> kind = switch (figure.kind()) {
            case TIMER -> Timer.class;
            case DISTRIBUTION -> Histogram.class;
            case GAUGE -> Gauge.class;
            case COUNTER -> Counter.class;
        };
        if (figure == PoolMetric.ACQUISITION) {
            for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
                assertThat(metrics.get("acquisition." + outcome.label())).isInstanceOf(kind);
            }
        } else if (figure.perClass()) {
            for (String name : ScriptedPool.CLASSES) {
                assertThat(metrics.get(figure.shortName(name))).as(name).isInstanceOf(kind);
            }
        } else {
            assertThat(metrics.get(figure.shortName())).isInstanceOf(kind);
        }
    }

    @Test
    void nothingElseIsRegistered() {
        int all = Arrays.stream(PoolMetric.values())
                .mapToInt(metric -> metric.perClass() ? ScriptedPool.CLASSES.size() : 1)
                .sum();
        assertThat(metrics).hasSize(all - 1 + AcquisitionOutcome.values().length);
    }

    @ParameterizedTest
    @CsvSource({
        "acquisition.ok, 1",
        "acquisition.connect_failure, 3",
        "acquisition.interrupted, 4",
        "acquisition.rejected, 5",
        "acquisition.error, 6",
        "attempt, 20",
        "lease, 30",
        "connect, 40"
    })
    void timersShowTheLastMinuteInNanoseconds(String name, long unitMillis) {
        Timer timer = timer(name);
        double unit = unitMillis * 1e6;
        assertThat(timer.getCount()).isEqualTo(1_000);
        Snapshot times = timer.getSnapshot();
        assertThat(times.getMax()).isEqualTo((long) (100 * unit));
        assertThat(times.getMean()).isEqualTo(50.5 * unit);
        assertThat(times.getMin()).isEqualTo((long) unit);
        assertThat(times.getValue(0)).isGreaterThanOrEqualTo(unit);
        assertThat(times.getMedian()).isCloseTo(50 * unit, withinPercentage(4.6));
        assertThat(times.get75thPercentile()).isCloseTo(75 * unit, withinPercentage(4.6));
        assertThat(times.get95thPercentile()).isCloseTo(95 * unit, withinPercentage(4.6));
        assertThat(times.get98thPercentile()).isCloseTo(98 * unit, withinPercentage(4.6));
        assertThat(times.get99thPercentile()).isCloseTo(99 * unit, withinPercentage(4.6));
        assertThat(times.get999thPercentile()).isCloseTo(100 * unit, withinPercentage(4.6));
        // For 1 to 100 it is 29.01; each value is represented by the middle of its bucket.
        assertThat(times.getStdDev()).isCloseTo(29.01 * unit, withinPercentage(3));
    }

    @ParameterizedTest
    @CsvSource({"active.sampled, 1", "pending.sampled, 2", "limit.sampled, 3", "grown.sampled, 4", "retries, 5"})
    void histogramsAreExact(String name, int first) {
        Histogram histogram = (Histogram) metric(name);
        assertThat(histogram.getCount()).isEqualTo(1_000);
        Snapshot numbers = histogram.getSnapshot();
        assertThat(numbers.getMin()).isEqualTo(first);
        assertThat(numbers.getMax()).isEqualTo(first + 99);
        assertThat(numbers.getMean()).isEqualTo(first + 49.5);
        assertThat(numbers.getMedian()).isEqualTo(first + 49);
        assertThat(numbers.get99thPercentile()).isEqualTo(first + 98);
        assertThat(numbers.getStdDev()).isCloseTo(29.01, within(0.01));
    }

    @ParameterizedTest
    @CsvSource({
        "active, 7",
        "active.mean, 50.5",
        "active.peak, 43",
        "pending.peak, 44",
        "saturation, 1.0833333333333333",
        "scale.out.helps, 0",
        "idle, 5",
        "pending, 5",
        "oldest.wait, 4000000",
        "limit, 12",
        "max, 13",
        "min.idle, 6",
        "foreign, 1"
    })
    void gaugesShowTheStateNow(String name, double value) {
        assertThat(((Number) gauge(name)).doubleValue()).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "timeouts, 1000",
        "growths, 110",
        "shrinks, 210",
        "growths.refused, 310",
        "connect.failures, 410",
        "leaks.suspected, 610",
        "nested.acquisitions, 710",
        "listener.errors, 510"
    })
    void countersCountSinceTheStart(String name, long value) {
        assertThat(((Counter) metric(name)).getCount()).isEqualTo(value);
    }

    @Test
    void unreportedFiguresAreNull() {
        pool.tellsNothing();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        for (String untold : new String[] {"idle", "limit", "max", "min.idle", "foreign"}) {
            assertThat(gauge(untold)).as(untold).isNull();
        }
        assertThat(gauge("active")).isEqualTo(7L);
        assertThat(gauge("pending")).isEqualTo(0L);
    }

    @Test
    void limitOfAWatchedPoolIsItsMax() {
        pool.watched();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(gauge("limit")).isEqualTo(13L);
    }

    @Test
    void ratesAreFlexpools() {
        for (String name : new String[] {"acquisition.ok", "attempt"}) {
            assertThat(timer(name).getMeanRate()).isEqualTo(1.5);
            assertThat(timer(name).getOneMinuteRate()).isEqualTo(2.5);
            assertThat(timer(name).getFiveMinuteRate()).isEqualTo(3.5);
            assertThat(timer(name).getFifteenMinuteRate()).isEqualTo(4.5);
        }
        assertThat(timer("lease").getMeanRate()).isEqualTo(5.5);
        assertThat(timer("lease").getOneMinuteRate()).isEqualTo(6.5);
        assertThat(timer("lease").getFiveMinuteRate()).isEqualTo(7.5);
        assertThat(timer("lease").getFifteenMinuteRate()).isEqualTo(8.5);
    }

    /** Each duration of the scripted pool is counted a hundred times. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "acquisition.timeout",
                "acquisition.connect_failure",
                "acquisition.interrupted",
                "acquisition.rejected",
                "acquisition.error",
                "connect"
            })
    void derivedRatesFollowTheCountAtAnyInterval(String name) {
        Timer timer = timer(name);
        assertThat(timer.getOneMinuteRate()).isZero();
        for (int second = 1; second <= 600; second++) {
            pool.times(10 + second);
            clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
            if (second % 7 == 0 || second == 600) {
                timer.getOneMinuteRate();
            }
        }
        assertThat(timer.getMeanRate()).isCloseTo(100, within(1e-6));
        assertThat(timer.getOneMinuteRate()).isCloseTo(100 * (1 - Math.exp(-10)), within(1e-6));
        assertThat(timer.getFiveMinuteRate()).isCloseTo(100 * (1 - Math.exp(-2)), within(1e-6));
        assertThat(timer.getFifteenMinuteRate()).isCloseTo(100 * (1 - Math.exp(-2 / 3.0)), within(1e-6));
        clock.addAndGet(TimeUnit.MINUTES.toNanos(10));
        assertThat(timer.getOneMinuteRate()).isLessThan(0.01);
    }

    @Test
    void oneReadingServesAWholeReport() {
        int before = pool.readings();
        clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
        for (int report = 1; report <= 3; report++) {
            metrics.keySet().forEach(this::readAll);
            assertThat(pool.readings()).isEqualTo(before + report);
            clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(PoolReading.Shared.FRESH_MILLIS));
        }
    }

    @Test
    void valuesAreThePercentiles() {
        Snapshot snapshot = ((Histogram) metric("active.sampled")).getSnapshot();
        assertThat(snapshot.size()).isEqualTo(101);
        assertThat(snapshot.getValues()).hasSize(101).startsWith(1, 1, 2).endsWith(99, 100);
        ByteArrayOutputStream dump = new ByteArrayOutputStream();
        snapshot.dump(dump);
        assertThat(dump.toString(StandardCharsets.UTF_8).lines()).hasSize(101).startsWith("1", "1", "2");
        assertThat(ReadSnapshot.EMPTY.getValues()).isEmpty();
    }

    @Test
    void otherUsersCannotWrite() {
        Timer timer = timer("lease");
        Histogram histogram = (Histogram) metric("retries");
        Counter counter = (Counter) metric("growths");
        refused(() -> timer.update(1, TimeUnit.SECONDS));
        refused(() -> timer.update(Duration.ofSeconds(1)));
        refused(() -> timer.time());
        refused(() -> timer.time(() -> {}));
        refused(() -> timer.time(() -> 1));
        refused(() -> timer.timeSupplier(() -> 1));
        refused(() -> histogram.update(1));
        refused(() -> histogram.update(1L));
        refused(counter::inc);
        refused(() -> counter.inc(1));
        refused(counter::dec);
        refused(() -> counter.dec(1));
        assertThat(timer.getCount()).isEqualTo(1_000);
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(UnsupportedOperationException.class);
    }

    private void readAll(String name) {
        Metric metric = metric(name);
        if (metric instanceof Timer timer) {
            timer.getCount();
            timer.getSnapshot().get99thPercentile();
            timer.getOneMinuteRate();
        } else if (metric instanceof Histogram histogram) {
            histogram.getCount();
            histogram.getSnapshot().get99thPercentile();
        } else if (metric instanceof Counter counter) {
            counter.getCount();
        } else {
            gauge(name);
        }
    }

    private Timer timer(String name) {
        return (Timer) metric(name);
    }

    private Metric metric(String name) {
        Metric metric = metrics.get(name);
        if (metric == null) {
            throw new AssertionError("no metric " + name);
        }
        return metric;
    }

    private Object gauge(String name) {
        return ((Gauge<?>) metric(name)).getValue();
    }
}
