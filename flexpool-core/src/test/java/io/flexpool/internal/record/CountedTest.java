// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.pool.AcquisitionOutcome;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CountedTest {
    private final Recorder recorder = new Recorder();
    private final SlotRecords slot = recorder.add(new SlotRecords());
    private final Counted counted = new Counted(recorder);

    @Test
    void withoutARecordNothingMoves() {
        assertThat(counted.moved(0)).as("of a new recorder").isFalse();
        slot.acquired(5);
        assertThat(counted.moved(0)).isTrue();
        assertThat(counted.moved(0)).isFalse();
        assertThat(counted.moved(0)).isFalse();
    }

    private void movesOnce(Runnable record) {
        counted.moved(0);
        record.run();
        assertThat(counted.moved(0)).isTrue();
        assertThat(counted.moved(0)).isFalse();
    }

    @Test
    void everyKindOfRecordMovesIt() {
        Stream.<Runnable>of(
                        () -> slot.acquired(5),
                        () -> slot.released(5),
                        () -> recorder.acquiredAfterDetour(5, 3),
                        () -> recorder.detouredAttempts.record(3),
                        () -> recorder.connects.record(3),
                        () -> recorder.connects.record(0))
                .forEach(this::movesOnce);
    }

    @ParameterizedTest
    @EnumSource
    void everyOutcomeMovesIt(AcquisitionOutcome outcome) {
        movesOnce(() -> recorder.failed(0, outcome));
    }

    @Test
    void aLongerLeaseMovesIt() {
        counted.moved(5);
        assertThat(counted.moved(6)).isTrue();
        assertThat(counted.moved(6)).isFalse();
    }
}
