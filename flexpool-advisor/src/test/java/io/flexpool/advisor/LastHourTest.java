// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.flexpool.advice.PoolHistory;
import io.flexpool.advice.PoolHistory.Interval;
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

    private final FakeContext context = new FakeContext();
    private final LastHour hour = new LastHour(context);

    private record Sampled(
            int limit,
            int base,
            int ceiling,
            int leased,
            int entering,
            int waiting,
            int foreign,
            Duration oldestWait,
            PoolSnapshot pool)
            implements PoolState {}

    private static PoolState state(int active, int pending, int idle) {
        PoolSnapshot pool = new PoolSnapshot(12, 10, active, idle, active + idle, 0);
        return new Sampled(11, 10, 20, active, pending, 0, 0, Duration.ZERO, pool);
    }

    private void live(Duration time, PoolState state) {
        for (long at = 0; at < time.toMillis(); at += TICK.toMillis()) {
            hour.tick(state, context.nanos());
            context.advance(TICK);
        }
    }

    private List<Interval> history() {
        return hour.intervals(Duration.ZERO);
    }

    private void ended(AcquisitionOutcome outcome) {
        context.endedBy.merge(outcome, 1L, Long::sum);
    }

    private Interval at(long second) {
        return history().stream()
                .filter(one -> one.begin().toSeconds() == second)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void isReadAsAViewOfThePool() {
        assertThat(hour.view(PoolHistory.class)).containsSame(hour);
        assertThat(hour.view(String.class)).isEmpty();
    }

    @Test
    void beforeTheFirstTickThereIsNothing() {
        context.advance(SECOND);
        ended(AcquisitionOutcome.OK);
        assertThat(history()).isEmpty();
        assertThat(hour.lived()).isEqualTo(SECOND);
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
                new Sampled(
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
        ended(AcquisitionOutcome.OK);
        ended(AcquisitionOutcome.TIMEOUT);
        ended(AcquisitionOutcome.TIMEOUT);
        live(SECOND, state(1, 0, 0));
        ended(AcquisitionOutcome.OK);
        // Seen at once, and not counted twice for that.
        assertThat(at(1).acquisitions(AcquisitionOutcome.OK)).isEqualTo(1);
        live(SECOND, state(1, 0, 0));
        ended(AcquisitionOutcome.REJECTED);
        List<Interval> seconds = history();
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
            ended(AcquisitionOutcome.REJECTED);
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
        List<Interval> all = history();
        assertThat(all).hasSizeLessThanOrEqualTo(671);
        Duration end = Duration.ZERO;
        for (Interval one : all) {
            assertThat(end.isZero() || one.begin().equals(end)).isTrue();
            end = one.begin().plus(one.length());
        }
        assertThat(end).isEqualTo(hour.lived());
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
        List<Interval> news = hour.intervals(Duration.ofSeconds(597));
        assertThat(news).extracting(one -> one.begin().toSeconds()).containsExactly(597L, 598L, 599L);
        assertThat(hour.intervals(Duration.ofSeconds(105)).get(0).begin()).isEqualTo(Duration.ofSeconds(100));
        assertThat(hour.intervals(Duration.ofHours(2))).isEmpty();
    }

    @Test
    void aPauseLeavesAGapAndNothingOfWhatWasThereBefore() {
        live(Duration.ofSeconds(20), state(7, 7, 0));
        context.advance(Duration.ofSeconds(40));
        live(Duration.ofSeconds(2), state(1, 0, 6));
        assertThat(history())
                .filteredOn(one -> one.begin().toSeconds() >= 20)
                .extracting(one -> one.begin().toSeconds(), Interval::active)
                .containsExactly(tuple(60L, 1), tuple(61L, 1));
    }

    /** A machine that slept for days: all of the past is gone, and it takes no longer than a second. */
    @Test
    void aJumpForwardForgetsTheHour() {
        live(Duration.ofMinutes(6), state(7, 7, 0));
        ended(AcquisitionOutcome.TIMEOUT);
        context.advance(Duration.ofDays(20_000));
        live(SECOND, state(1, 0, 6));
        assertThat(history()).singleElement().satisfies(one -> {
            assertThat(one.active()).isEqualTo(1);
            assertThat(one.acquisitions(AcquisitionOutcome.TIMEOUT)).isZero();
        });
    }

    @Test
    void aStepBackCountsAsTheLastTime() {
        live(Duration.ofSeconds(30), state(2, 0, 1));
        context.advance(Duration.ofSeconds(-20));
        live(SECOND, state(5, 0, 1));
        assertThat(at(29).active()).isEqualTo(5);
        assertThat(at(10).active()).isEqualTo(2);
        context.advance(Duration.ofSeconds(30));
        live(SECOND, state(3, 0, 1));
        assertThat(at(41).active()).isEqualTo(3);
        assertThat(at(29).active()).isEqualTo(5);
    }

    @Test
    void itsMemoryIsBoundedAndTakenWhenItIsNeeded() throws Exception {
        assertThat(bytes()).isZero();
        live(TICK, state(1, 0, 1));
        assertThat(bytes()).isBetween(1L, 1_000L);
        live(Duration.ofHours(2), state(1, 0, 1));
        long calm = bytes();
        assertThat(calm).isBetween(1L, 10_000L);
        live(Duration.ofHours(2), state(1, 0, 1));
        assertThat(bytes()).isEqualTo(calm);
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            if (outcome != AcquisitionOutcome.OK) {
                ended(outcome);
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
