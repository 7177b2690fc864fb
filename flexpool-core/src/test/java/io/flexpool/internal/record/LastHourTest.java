// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.monitoring.PoolHistory;
import io.flexpool.monitoring.PoolHistory.Interval;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LastHourTest {
    private static final Duration TICK = Duration.ofMillis(250);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TEN = Duration.ofSeconds(10);

    private final ManualTicker ticker = new ManualTicker();
    private final Recorder recorder = new Recorder();
    private final SlotRecords slot = recorder.add(new SlotRecords());
    private final LastHour hour = new LastHour(recorder, ticker.nanos());

    private static PoolState state(int active, int pending, int idle) {
        PoolSnapshot pool = new PoolSnapshot(12, 10, active, idle, active + idle, 0);
        return new StateReader.State(11, 10, 20, active, pending, 0, 0, Duration.ZERO, pool);
    }

    private void live(Duration time, PoolState state) {
        for (long at = 0; at < time.toMillis(); at += TICK.toMillis()) {
            hour.tick(ticker.nanos(), state);
            ticker.advance(TICK);
        }
    }

    private PoolHistory history() {
        return hour.since(Duration.ZERO, ticker.nanos());
    }

    private Interval at(long second) {
        return history().intervals().stream()
                .filter(one -> one.begin().toSeconds() == second)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void beforeTheFirstTickThereIsNothing() {
        ticker.advance(SECOND);
        slot.acquired(5);
        assertThat(history().intervals()).isEmpty();
        assertThat(history().lived()).isEqualTo(SECOND);
    }

    @Test
    void aSecondHasTheExtremesOfItsSamples() {
        live(TICK, state(3, 0, 2));
        live(TICK, state(5, 4, 0));
        live(TICK, state(1, 1, 4));
        Interval first = at(0);
        assertThat(first.length()).isEqualTo(SECOND);
        assertThat(first.active()).isEqualTo(5);
        assertThat(first.pending()).isEqualTo(4);
        assertThat(first.idle()).isZero();
        assertThat(first.limit()).isEqualTo(11);
        assertThat(first.max()).isEqualTo(12);
        live(SECOND, state(1, 0, 4));
        assertThat(at(1).active()).isEqualTo(1);
        assertThat(at(1).pending()).isZero();
        assertThat(at(1).idle()).isEqualTo(4);
    }

    @Test
    void whatIsNotKnownStaysUnknown() {
        live(
                SECOND,
                new StateReader.State(
                        PoolSnapshot.UNKNOWN,
                        PoolSnapshot.UNKNOWN,
                        PoolSnapshot.UNKNOWN,
                        2,
                        0,
                        0,
                        0,
                        Duration.ZERO,
                        PoolSnapshot.NOTHING_KNOWN));
        assertThat(at(0).active()).isEqualTo(2);
        assertThat(List.of(at(0).idle(), at(0).limit(), at(0).max())).containsOnly(PoolSnapshot.UNKNOWN);
    }

    @Test
    void requestsBelongToTheIntervalInWhichTheyEnded() {
        live(SECOND, state(1, 0, 0));
        slot.acquired(5);
        recorder.failed(7, AcquisitionOutcome.TIMEOUT);
        recorder.failed(7, AcquisitionOutcome.TIMEOUT);
        live(SECOND, state(1, 0, 0));
        slot.acquired(5);
        // Seen at once, and not counted twice for that.
        assertThat(at(1).acquisitions(AcquisitionOutcome.OK)).isEqualTo(1);
        live(SECOND, state(1, 0, 0));
        recorder.failed(7, AcquisitionOutcome.REJECTED);
        List<Interval> seconds = history().intervals();
        assertThat(seconds)
                .extracting(one -> one.acquisitions(AcquisitionOutcome.OK))
                .containsExactly(1, 1, 0);
        assertThat(seconds)
                .extracting(one -> one.acquisitions(AcquisitionOutcome.TIMEOUT))
                .containsExactly(2, 0, 0);
        assertThat(seconds)
                .extracting(one -> one.acquisitions(AcquisitionOutcome.REJECTED))
                .containsExactly(0, 0, 1);
    }

    /** A storm of rejections must not wrap around to a small number. */
    @Test
    void countsThatDoNotFitStandForMore() {
        live(TICK, state(0, 0, 0));
        for (int at = 0; at < 70_000; at++) {
            recorder.failed(7, AcquisitionOutcome.REJECTED);
        }
        live(SECOND, state(40_000, 100_000, 50_000));
        assertThat(at(0).acquisitions(AcquisitionOutcome.REJECTED)).isEqualTo(65_535);
        assertThat(at(0).active()).isEqualTo(32_767);
        assertThat(at(0).pending()).isEqualTo(32_767);
        assertThat(at(1).idle()).isEqualTo(32_767);
    }

    @Test
    void anHourIsKeptInTensAndItsEndInSeconds() {
        live(Duration.ofMinutes(90), state(2, 0, 1));
        live(SECOND, state(9, 30, 0));
        live(Duration.ofMinutes(20), state(2, 0, 1));
        List<Interval> all = history().intervals();
        assertThat(all).hasSizeLessThanOrEqualTo(671);
        Duration end = Duration.ZERO;
        for (Interval one : all) {
            assertThat(end.isZero() || one.begin().equals(end)).isTrue();
            end = one.begin().plus(one.length());
        }
        assertThat(end).isEqualTo(history().lived());
        assertThat(end.minus(all.get(0).begin())).isBetween(Duration.ofMinutes(60), Duration.ofSeconds(3_620));
        assertThat(all.stream().filter(one -> one.length().equals(SECOND)).count())
                .isBetween(300L, 310L);
        Interval incident =
                all.stream().filter(one -> one.active() == 9).findFirst().orElseThrow();
        assertThat(incident.begin()).isEqualTo(Duration.ofMinutes(90));
        assertThat(incident.length()).isEqualTo(TEN);
        assertThat(incident.pending()).isEqualTo(30);
    }

    @Test
    void onlyWhatIsNewIsRead() {
        live(Duration.ofMinutes(10), state(2, 0, 1));
        PoolHistory news = hour.since(Duration.ofSeconds(597), ticker.nanos());
        assertThat(news.intervals()).extracting(one -> one.begin().toSeconds()).containsExactly(597L, 598L, 599L);
        assertThat(hour.since(Duration.ofSeconds(105), ticker.nanos())
                        .intervals()
                        .get(0)
                        .begin())
                .isEqualTo(Duration.ofSeconds(100));
        assertThat(hour.since(Duration.ofHours(2), ticker.nanos()).intervals()).isEmpty();
    }

    @Test
    void aPauseLeavesAGapAndNothingOfWhatWasThereBefore() {
        live(Duration.ofSeconds(20), state(7, 7, 0));
        ticker.advance(Duration.ofSeconds(40));
        live(Duration.ofSeconds(2), state(1, 0, 6));
        assertThat(history().intervals())
                .filteredOn(one -> one.begin().toSeconds() >= 20)
                .extracting(one -> one.begin().toSeconds(), Interval::active)
                .containsExactly(tuple(60L, 1), tuple(61L, 1));
    }

    /** A machine that slept for days: all of the past is gone, and it takes no longer than a second. */
    @Test
    void aJumpForwardForgetsTheHour() {
        live(Duration.ofMinutes(6), state(7, 7, 0));
        recorder.failed(7, AcquisitionOutcome.TIMEOUT);
        ticker.advance(Duration.ofDays(20_000));
        live(SECOND, state(1, 0, 6));
        assertThat(history().intervals()).singleElement().satisfies(one -> {
            assertThat(one.active()).isEqualTo(1);
            assertThat(one.acquisitions(AcquisitionOutcome.TIMEOUT)).isZero();
        });
    }

    @Test
    void aStepBackCountsAsTheLastTime() {
        live(Duration.ofSeconds(30), state(2, 0, 1));
        ticker.advance(Duration.ofSeconds(-20));
        live(SECOND, state(5, 0, 1));
        assertThat(at(29).active()).isEqualTo(5);
        assertThat(at(10).active()).isEqualTo(2);
        ticker.advance(Duration.ofSeconds(30));
        live(SECOND, state(3, 0, 1));
        assertThat(at(41).active()).isEqualTo(3);
        assertThat(at(29).active()).isEqualTo(5);
    }

    @Test
    void itsMemoryIsBoundedAndTakenWhenItIsNeeded() throws Exception {
        assertThat(bytes()).isZero();
        live(TICK, state(1, 0, 1));
        long calm = bytes();
        assertThat(calm).isBetween(1L, 10_000L);
        live(Duration.ofHours(2), state(1, 0, 1));
        assertThat(bytes()).isEqualTo(calm);
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            if (outcome != AcquisitionOutcome.OK) {
                recorder.failed(7, outcome);
            }
        }
        live(Duration.ofHours(2), state(1, 0, 1));
        assertThat(bytes()).isBetween(calm + 1, 17_000L);
    }

    /** What the arrays of both rings hold. */
    private long bytes() throws ReflectiveOperationException {
        long bytes = 0;
        for (String name : List.of("seconds", "tens")) {
            Object ring = read(hour, name);
            bytes += ((short[]) read(ring, "sampled")).length * (long) Short.BYTES;
            bytes += ((int[]) read(ring, "acquired")).length * (long) Integer.BYTES;
            for (Object counts : ((Map<?, ?>) read(ring, "failed")).values()) {
                bytes += ((char[]) counts).length * (long) Character.BYTES;
            }
        }
        return bytes;
    }

    private static Object read(Object from, String name) throws ReflectiveOperationException {
        Field field = from.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(from);
    }
}
