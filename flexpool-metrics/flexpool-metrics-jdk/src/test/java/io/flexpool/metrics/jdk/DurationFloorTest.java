// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationFloorTest {
    private final DurationFloor floor = new AcquisitionFloor();

    @ParameterizedTest
    @CsvSource({
        "0 ns,0",
        "7 us,7000",
        "20 ms,20000000",
        "20ms,20000000",
        "3 S,3000000000",
        "2 m,120000000000",
        "1 h,3600000000000"
    })
    void readsDurationsAsFlightRecorderWritesThem(String written, long nanos) {
        floor.setValue(written);
        assertThat(floor.getValue()).isEqualTo(written);
        assertThat(floor.reached(nanos)).isTrue();
        assertThat(floor.reached(nanos - 1)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "20", "ms", "-1 ms", "20 years", "99999999999999999999 s", "9999999999 d"})
    void anInvalidDurationChangesNothing(String written) {
        floor.setValue(written);
        assertThat(floor.getValue()).isEqualTo("10 ms");
        assertThat(floor.reached(9_999_999)).isFalse();
        assertThat(floor.combine(Set.of(written, "1 h"))).isEqualTo("1 h");
        assertThat(floor.combine(Set.of(written))).isEqualTo("10 ms");
    }

    @Test
    void theLeastOfSeveralHolds() {
        assertThat(floor.combine(Set.of("1 s", "900 us", "20 ms"))).isEqualTo("900 us");
    }

    @Test
    void noValueIsTheDefault() {
        floor.setValue("1 s");
        floor.setValue(null);
        assertThat(floor.getValue()).isEqualTo("10 ms");
        assertThat(floor.reached(10_000_000)).isTrue();
    }

    /** JDK 17 combines, discards the result, sets null, and does not combine the same settings again. */
    @Test
    void nullAfterCombiningIsTheSmallestValue() {
        assertThat(floor.combine(Set.of("1 s", "50 us"))).isEqualTo("50 us");
        floor.setValue(null);
        assertThat(floor.getValue()).isEqualTo("50 us");
        assertThat(floor.combine(Set.of("1 s", "20 ms"))).isEqualTo("20 ms");
        floor.setValue(null);
        assertThat(floor.reached(50_000)).isTrue();
        floor.setValue("1 s");
        assertThat(floor.reached(999_999_999)).isFalse();
    }
}
