// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The time with a queue, from ends and begins that may come in the wrong order. */
class QueueTimeTest {
    /** Near the end of long's range, where times wrap. */
    private static final long START = Long.MAX_VALUE - 50;

    private final QueueTime time = new QueueTime(START);

    /** Some nanoseconds after the start; most are past the range's end. */
    private static long at(long nanos) {
        return START + nanos;
    }

    @Test
    void countsWhatIsOver() {
        time.begins(at(10));
        time.ends(at(30));
        assertThat(time.nanos(at(99))).isEqualTo(20);
    }

    @Test
    void countsWhatStillLasts() {
        assertThat(time.nanos(at(10))).isZero();
        time.begins(at(10));
        assertThat(time.nanos(at(15))).isEqualTo(5);
        time.ends(at(30));
        time.begins(at(100));
        assertThat(time.nanos(at(107))).isEqualTo(27);
    }

    @Test
    void aLateEndIsWrongForThatMomentOnly() {
        time.begins(at(10));
        time.begins(at(31));
        assertThat(time.nanos(at(33))).as("both, for 2 ns").isEqualTo(25);
        time.ends(at(30));
        assertThat(time.nanos(at(41))).isEqualTo(30);
        time.ends(at(51));
        assertThat(time.nanos(at(60))).isEqualTo(40);
    }

    @Test
    void anEndBeforeItsBeginDoesNoHarmEither() {
        time.ends(at(12));
        assertThat(time.nanos(at(12))).isZero();
        time.begins(at(10));
        assertThat(time.nanos(at(500))).isEqualTo(2);
    }
}
