// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.pool.PoolSnapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of a pool's connections never contradicts its figures. */
class OccupancyTest {
    private static final int NO = PoolSnapshot.UNKNOWN;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "5 | 5  | 0  | 5",
                "5 | 5  | -1 | -1",
                "5 | -1 | -1 | -1",
                "6 | 5  | 0  | 5",
            })
    void allAreInUse(int inUse, int most, int idle, int total) {
        Occupancy use = new Occupancy(inUse, NO, most, idle, total);
        assertThat(use.full()).isTrue();
        assertThat(use.opening()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "7  | 8  | 0  | 7  | all 7 are in use, the 8th is still opening",
                "2  | 20 | 0  | 2  | all 2 are in use, the 3rd is still opening",
                "1  | 20 | 0  | 1  | the only connection is in use, the 2nd is still opening",
                "0  | 8  | 0  | 0  | no connection is open, the 1st is still opening",
                "10 | 25 | -1 | 10 | all 10 are in use, the 11th is still opening",
                "20 | 25 | 0  | 20 | all 20 are in use, the 21st is still opening",
                "24 | 25 | 0  | 25 | 24 of 25 connections are in use, the others are still opening or on their way to a request",
                "2  | 2  | 2  | 2  | 2 leases are open, and the pool reports 2 idle connections",
                "3  | 5  | 2  | 5  | 3 of 5 connections are in use, 2 are idle now",
            })
    void notAllAreInUse(int inUse, int most, int idle, int total, String words) {
        Occupancy use = new Occupancy(inUse, NO, most, idle, total);
        assertThat(use.full()).isFalse();
        assertThat(use.words()).isEqualTo(words);
        assertThat(use.opening()).isEqualTo(words.endsWith("is still opening"));
    }

    /** The pool keeps more open than flexpool lends at once. */
    @Test
    void idleConnectionsBeyondTheLimitAreNoContradiction() {
        assertThat(new Occupancy(1, 1, 4, 1, 2).atLimit()).isTrue();
        assertThat(new Occupancy(2, 2, 2, 2, 2).atLimit()).as("four of two").isFalse();
        assertThat(new Occupancy(1, 2, 4, 1, 2).atLimit()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0", "3"})
    void withoutFiguresNothingIsClaimedToOpen(int inUse) {
        assertThat(new Occupancy(inUse, NO, NO, NO, NO).opening()).isFalse();
    }
}
