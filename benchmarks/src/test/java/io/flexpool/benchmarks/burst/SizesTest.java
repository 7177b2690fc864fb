// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SizesTest {
    @Test
    void growthIsKeptForTheConfiguredTime() {
        assertThat(new Sizes(20, 25, 250, 500, 700).keys())
                .containsEntry("ceiling", 25)
                .containsEntry("grow-on-wait.keep", Duration.ofMillis(700));
        assertThat(new Sizes(20, 25, 250, 500, 700).keepInWords()).contains("at once", "700 ms");
    }

    @Test
    void withoutATimeItReturnsAsFlexpoolDoesByDefault() {
        assertThat(new Sizes(20, 25, 250, 500, null).keys()).doesNotContainKey("grow-on-wait.keep");
        assertThat(new Sizes(20, 25, 250, 500, null).keepInWords()).contains("gradually");
    }
}
