// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ErlangCTest {
    @Test
    void theChanceToWaitIsThatOfTheTextbook() {
        assertThat(ErlangC.waits(1, 0.5)).isCloseTo(0.5, within(1e-12));
        assertThat(ErlangC.waits(2, 1)).isCloseTo(1.0 / 3, within(1e-12));
        assertThat(ErlangC.waits(10, 8)).isCloseTo(0.4092, within(1e-4));
        assertThat(ErlangC.waits(5, 5)).isEqualTo(1);
        assertThat(ErlangC.waits(5, 0)).isEqualTo(0);
    }

    @Test
    void theSizeIsTheFirstThatMeetsTheTarget() {
        int size = ErlangC.size(5, 0.020, 0.010, 40);
        assertThat(ErlangC.p99WaitSeconds(size, 5, 0.020)).isLessThanOrEqualTo(0.010);
        assertThat(ErlangC.p99WaitSeconds(size - 1, 5, 0.020)).isGreaterThan(0.010);
    }

    @Test
    void aLoadBeyondTheMostGivesTheMost() {
        assertThat(ErlangC.size(50, 0.020, 0.010, 40)).isEqualTo(40);
        assertThat(ErlangC.p99WaitSeconds(40, 50, 0.020)).isInfinite();
    }

    @Test
    void withoutLoadThereIsNoWait() {
        assertThat(ErlangC.size(0, 0.020, 0.010, 40)).isEqualTo(1);
        assertThat(ErlangC.p99WaitSeconds(1, 0, 0.020)).isZero();
    }

    @Test
    void aThousandConnectionsAreNotTooManyToComputeWith() {
        assertThat(ErlangC.size(900, 0.020, 0.010, 2000)).isBetween(901, 1000);
    }
}
