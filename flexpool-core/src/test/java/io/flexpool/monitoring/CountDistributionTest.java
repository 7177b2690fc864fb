// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CountDistributionTest {
    private final CountDistribution numbers = CountDistribution.of(new long[] {3, 0, 5, 7});

    @Test
    void saysHowManyDoNotExceedANumber() {
        assertThat(numbers.atMost(-1)).isZero();
        assertThat(numbers.atMost(0)).isEqualTo(3);
        assertThat(numbers.atMost(1)).isEqualTo(3);
        assertThat(numbers.atMost(2)).isEqualTo(8);
        assertThat(numbers.atMost(3)).isEqualTo(numbers.count());
        assertThat(numbers.atMost(Integer.MAX_VALUE)).isEqualTo(numbers.count());
        assertThat(CountDistribution.EMPTY.atMost(10)).isZero();
    }
}
