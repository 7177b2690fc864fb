// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PauseWatchTest {
    private static final long SECOND = 1_000_000_000L;

    private final PauseWatch pauses = new PauseWatch(60 * SECOND);

    @Test
    void aPauseCountsForNoLeaseThatItWasSlept() {
        pauses.tick(100 * SECOND, 10 * SECOND);
        assertThat(pauses.ageNanos(85 * SECOND, 101 * SECOND)).as("from before").isEqualTo(6 * SECOND);
        assertThat(pauses.ageNanos(95 * SECOND, 101 * SECOND)).as("from within").isEqualTo(SECOND);
        assertThat(pauses.ageNanos(100 * SECOND, 101 * SECOND)).as("from after").isEqualTo(SECOND);
    }

    @Test
    void aTickThatIsOnlyALittleLateIsNoPause() {
        pauses.tick(100 * SECOND, PauseWatch.LATE_NANOS);
        assertThat(pauses.ageNanos(85 * SECOND, 101 * SECOND)).isEqualTo(16 * SECOND);
        pauses.tick(100 * SECOND, PauseWatch.LATE_NANOS + 1);
        assertThat(pauses.ageNanos(85 * SECOND, 101 * SECOND)).isEqualTo(14 * SECOND - 1);
    }

    @Test
    void pausesAddUpAndOldOnesAreForgotten() {
        pauses.tick(100 * SECOND, 10 * SECOND);
        pauses.tick(120 * SECOND, 5 * SECOND);
        assertThat(pauses.ageNanos(85 * SECOND, 121 * SECOND)).isEqualTo(21 * SECOND);
        pauses.tick(170 * SECOND, 5 * SECOND);
        assertThat(pauses.ageNanos(85 * SECOND, 171 * SECOND)).isEqualTo((86 - 10) * SECOND);
    }

    @Test
    void theClockMayOverflow() {
        long begin = Long.MAX_VALUE - 5 * SECOND;
        pauses.tick(begin + 12 * SECOND, 10 * SECOND);
        assertThat(pauses.ageNanos(begin, begin + 13 * SECOND)).isEqualTo(3 * SECOND);
    }
}
