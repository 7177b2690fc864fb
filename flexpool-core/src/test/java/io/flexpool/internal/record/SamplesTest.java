// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.monitoring.CountDistribution;
import org.junit.jupiter.api.Test;

class SamplesTest {
    private final Samples samples = new Samples();

    @Test
    void everyNumberIsCountedExactlyUpToTheLargest() {
        for (int number : new int[] {7, 0, 7, -3, 3, CountDistribution.LARGEST, CountDistribution.LARGEST + 1}) {
            samples.add(number);
        }
        CountDistribution seen = samples.distribution();
        assertThat(seen.count()).isEqualTo(7);
        assertThat(seen.atMost(0)).as("a negative number is none").isEqualTo(2);
        assertThat(seen.atMost(3)).isEqualTo(3);
        assertThat(seen.atMost(7)).isEqualTo(5);
        assertThat(seen.max()).isEqualTo(CountDistribution.LARGEST);
        assertThat(seen.sum()).isEqualTo(17 + 2 * CountDistribution.LARGEST);
    }

    @Test
    void aCopyStaysAsItWas() {
        samples.add(4);
        CountDistribution before = samples.distribution();
        samples.add(9);
        assertThat(before.count()).isEqualTo(1);
        assertThat(samples.distribution().since(before).max()).isEqualTo(9);
        assertThat(samples.distribution().since(before).count()).isEqualTo(1);
    }

    @Test
    void nothingSampledIsEmpty() {
        assertThat(samples.distribution()).isSameAs(CountDistribution.EMPTY);
    }
}
