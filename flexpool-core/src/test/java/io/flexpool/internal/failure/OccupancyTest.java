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

    private static Occupancy of(int inUse, int limit, int max, int active, int idle) {
        return new Occupancy(
                inUse,
                limit,
                new PoolSnapshot(max, NO, active, idle, active < 0 ? NO : active + Math.max(0, idle), NO));
    }

    @ParameterizedTest
    @CsvSource({"5, 5, 5, 0", "5, 5, -1, -1", "5, -1, -1, -1", "6, 5, 5, 0", "5, 5, 4, 0"})
    void allAreInUse(int inUse, int max, int active, int idle) {
        Occupancy use = of(inUse, NO, max, active, idle);
        assertThat(use.full()).isEqualTo(active != 4);
        assertThat(use.opening()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "7  | 8  | 7  | 0  | all 7 are in use, the 8th is still opening",
                "2  | 20 | 2  | 0  | all 2 are in use, the 3rd is still opening",
                "1  | 20 | 1  | 0  | the only connection is in use, the 2nd is still opening",
                "0  | 8  | 0  | 0  | no connection is open, the 1st is still opening",
                "10 | 25 | 10 | -1 | all 10 are in use, the 11th is still opening",
                "20 | 25 | 20 | 0  | all 20 are in use, the 21st is still opening",
                "24 | 25 | 25 | 0  | 24 of 25 connections are in use, the others are opening or being handed over",
                "2  | 2  | 0  | 2  | 2 leases are open, and the pool reports 0 active connections",
                "2  | 2  | 0  | 0  | 2 leases are open, and the pool reports 0 active connections",
                "3  | 5  | 3  | 2  | 3 of 5 connections are in use, 2 are idle now",
                "3  | -1 | 3  | 2  | 3 connections are in use, 2 are idle now",
            })
    void notAllAreInUse(int inUse, int max, int active, int idle, String words) {
        Occupancy use = of(inUse, NO, max, active, idle);
        assertThat(use.full()).isFalse();
        assertThat(use.words()).isEqualTo(words);
        assertThat(use.opening()).isEqualTo(words.endsWith("is still opening"));
    }

    /** The pool keeps more open than flexpool lends at once, c3p0 for other users too. */
    @Test
    void idleConnectionsBeyondTheLimitAreNoContradiction() {
        assertThat(of(1, 1, 4, 1, 1).words()).isEqualTo("the limit of 1 lease is reached");
        assertThat(of(1, 1, 4, 1, 5).words()).isEqualTo("the limit of 1 lease is reached");
        assertThat(of(2, 2, 2, 0, 2).words())
                .as("the pool took them back")
                .isEqualTo("the limit of 2 leases is reached, and the pool reports 0 active connections");
        assertThat(of(1, 2, 4, 1, 1).atLimit()).isFalse();
    }

    /** "More demand than connections", of a pool that had not opened its first one in time. */
    @Test
    void anIdleConnectionThatCameTooLateDoesNotMakeThePoolFull() {
        Occupancy use = of(0, NO, 3, 0, 1);
        assertThat(use.opening()).isTrue();
        assertThat(use.words()).isEqualTo("0 of 3 connections are in use, 1 is idle now");
    }

    /** The advice was to raise the ceiling of 50, of which not one had served a request: c3p0 counts them before they are idle. */
    @Test
    void connectionsThatServeNobodyYetAreOpening() {
        Occupancy use = new Occupancy(0, NO, new PoolSnapshot(50, NO, 0, 0, 50, 85));
        assertThat(use.opening()).isTrue();
        assertThat(use.words())
                .isEqualTo("0 of 50 connections are in use, the others are opening or being handed over");
    }

    @ParameterizedTest
    @CsvSource({"0", "3"})
    void withoutFiguresNothingIsClaimedToOpen(int inUse) {
        assertThat(of(inUse, NO, NO, NO, NO).opening()).isFalse();
    }
}
