// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.record.Turnover.Answer;
import org.junit.jupiter.api.Test;

/** What looks at the number of acquisitions show, and what they do not. */
class TurnoverTest {
    private static final long MILLIS = 1_000_000;

    private final Recorder recorder = new Recorder();
    private final SlotRecords slot = recorder.add(new SlotRecords());
    private final Turnover turnover = new Turnover(recorder, 0);

    private Answer comesAt(long millis) {
        return turnover.comes(millis * MILLIS);
    }

    private void acquire() {
        slot.acquired(1);
    }

    @Test
    void acquisitionsBetweenTwoSamplesShowTurnover() {
        assertThat(comesAt(1_000)).as("never any").isEqualTo(Answer.NO);
        acquire();
        assertThat(comesAt(1_020)).isEqualTo(Answer.YES);
        assertThat(comesAt(1_049)).as("still not long ago").isEqualTo(Answer.YES);
        assertThat(comesAt(1_051)).as("it may have come at 1,000 ms").isEqualTo(Answer.NO);
    }

    /** The last look is too long ago to say whether it came before the database went away, or just now. */
    @Test
    void aSampleAfterALongTimeNeedsASecondOne() {
        acquire();
        assertThat(comesAt(5_000)).isEqualTo(Answer.UNKNOWN);
        assertThat(comesAt(5_020)).as("and none since").isEqualTo(Answer.NO);
        acquire();
        assertThat(comesAt(9_000)).isEqualTo(Answer.UNKNOWN);
        acquire();
        assertThat(comesAt(9_020)).isEqualTo(Answer.YES);
    }

    @Test
    void silenceIsAsLongAsTheSamplesShow() {
        assertThat(turnover.quietNanos(300 * MILLIS)).as("from the start").isEqualTo(300 * MILLIS);
        acquire();
        assertThat(turnover.quietNanos(400 * MILLIS)).isZero();
        assertThat(turnover.quietNanos(650 * MILLIS)).isEqualTo(250 * MILLIS);
    }

    @Test
    void anAcquisitionIsCertainOnlySinceASample() {
        turnover.quietNanos(100 * MILLIS);
        acquire();
        assertThat(turnover.cameSince(90 * MILLIS, 200 * MILLIS)).isTrue();
        assertThat(turnover.cameSince(110 * MILLIS, 200 * MILLIS))
                .as("perhaps it came before")
                .isFalse();
    }
}
