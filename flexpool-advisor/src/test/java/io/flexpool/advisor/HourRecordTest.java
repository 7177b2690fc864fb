// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.spi.LeaseSink.WantedArrivals;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an hour asks to be recorded. */
class HourRecordTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long HOUR = Duration.ofHours(1).toNanos();
    private static final long TICK = 250 * MILLI;
    private static final int TRIES = 20_000;

    private final HourRecord hour = new HourRecord(HourRecord.MOST);
    private final Random random = new Random(5);

    private void add(long arrival, long lease) {
        hour.add(arrival, 0, lease, Ending.RELEASED, 0, 0, false);
    }

    private static boolean within(@Nullable WantedArrivals wanted, long arrival) {
        return wanted == null || (arrival >= wanted.fromNanos() && arrival < wanted.untilNanos());
    }

    @Test
    void allIsWantedUntilThereAreTooMany() {
        for (long at = 0; at < HourRecord.MOST; at++) {
            add(at * MILLI, MILLI);
            assertThat(hour.wanted(at * MILLI)).isNull();
        }
        add(HourRecord.MOST * MILLI, MILLI);
        assertThat(hour.wanted(HourRecord.MOST * MILLI)).isNotNull();
    }

    /** Whatever moment the last tick before its end was, and also if that tick was half a second late. */
    @ParameterizedTest
    @ValueSource(longs = {TICK, 3 * TICK})
    void noRequestThatTheHourWouldKeepIsUnwanted(long tick) {
        for (int at = 0; at < 40 * HourRecord.MOST; at++) {
            add((long) (random.nextDouble() * HOUR), MILLI);
        }
        int unwanted = 0;
        for (int at = 0; at < TRIES; at++) {
            long arrival = (long) (random.nextDouble() * (HOUR - 2 * SECOND)) + SECOND;
            long took = (long) (random.nextDouble() * (WantedArrivals.LONG_NANOS - 1));
            long lastTick = (arrival + took) / tick * tick;
            if (!within(hour.wanted(lastTick), arrival)) {
                unwanted++;
                int before = hour.size();
                add(arrival, took);
                assertThat(hour.size()).as("arrival %d, took %d", arrival, took).isEqualTo(before);
            }
        }
        assertThat(unwanted).isGreaterThan(TRIES / 2);
    }

    /** A burst at the begin of the hour leaves the begins of windows that follow each other. */
    @Test
    void littleOfAVeryBusyBeginIsWanted() {
        for (int at = 0; at < 40 * HourRecord.MOST; at++) {
            add((long) (random.nextDouble() * 10 * SECOND), MILLI);
        }
        int wanted = 0;
        for (int at = 0; at < TRIES; at++) {
            long arrival = 20 * SECOND + (long) (random.nextDouble() * 60 * SECOND);
            wanted += within(hour.wanted(arrival / TICK * TICK), arrival) ? 1 : 0;
        }
        assertThat(wanted).isBetween(1, TRIES / 5);
    }
}
