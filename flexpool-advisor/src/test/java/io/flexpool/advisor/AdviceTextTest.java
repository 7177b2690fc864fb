// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdviceTextTest {
    @ParameterizedTest
    @CsvSource({
        "PT0.2S, 1 s",
        "PT119S, 119 s",
        "PT120S, 2 min",
        "PT119M, 119 min",
        "PT2H, 2 h",
        "PT47H, 47 h",
        "P2D, 2 days"
    })
    void aSpanIsInTheLargestUnitOfWhichThereAreTwo(Duration span, String words) {
        assertThat(AdviceText.span(span)).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0.0 ms",
        "40000, 0.04 ms",
        "2340000, 2.3 ms",
        "9949999, 9.9 ms",
        "10400000, 10 ms",
        "2000000000, 2000 ms"
    })
    void aWaitHasTwoDigits(long nanos, String words) {
        assertThat(AdviceText.millis(nanos)).isEqualTo(words);
    }
}
