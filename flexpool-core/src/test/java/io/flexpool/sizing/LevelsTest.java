// SPDX-License-Identifier: Apache-2.0
package io.flexpool.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LevelsTest {
    private final Levels levels = new Levels();

    private void see(int limit, double perSecond, double seconds) {
        for (double left = seconds; left > 0; left -= 0.25) {
            levels.add(limit, perSecond / 4, 0.25);
        }
    }

    @Test
    void whatWasSeenAtALimitAddsUpAndFades() {
        see(5, 200, 2);
        see(5, 200, 2);
        assertThat(levels.at(5).perSecond()).isCloseTo(200, within(1e-9));
        assertThat(levels.at(5).count()).isCloseTo(800, within(1e-9));
        levels.fade(40);
        assertThat(levels.at(5).count()).isCloseTo(800 / Math.E, within(1e-6));
        assertThat(levels.at(5).perSecond()).isCloseTo(200, within(1e-9));
        assertThat(levels.at(6).known()).isFalse();
    }

    @Test
    void aStepEndsBeforeALimitThatIsKnownToBeWorse() {
        see(5, 200, 10);
        see(10, 160, 10);
        assertThat(levels.reach(5, 13)).isEqualTo(9);
        assertThat(levels.reach(5, 8)).isEqualTo(8);
        assertThat(levels.reach(5, 3)).isEqualTo(3);
        assertThat(levels.reach(10, 4)).isEqualTo(4);
    }

    @Test
    void moreThanWasAskedBarsNothing() {
        see(5, 200, 10);
        see(10, 300, 10);
        assertThat(levels.reach(5, 13)).isEqualTo(13);
        assertThat(levels.reach(10, 4)).isEqualTo(6);
    }

    @Test
    void littleEvidenceBarsNothing() {
        see(5, 200, 10);
        see(10, 190, 0.25);
        assertThat(levels.reach(5, 13)).isEqualTo(13);
    }

    @Test
    void theSameDatabaseIsNotTakenForAnother() {
        see(5, 200, 20);
        assertThat(levels.shifted()).isFalse();
        see(5, 170, 2);
        assertThat(levels.shifted()).isFalse();
    }

    @Test
    void anotherDatabaseIsNoticed() {
        see(5, 200, 20);
        see(5, 100, 2);
        assertThat(levels.shifted()).isTrue();
        levels.clear();
        assertThat(levels.shifted()).isFalse();
        assertThat(levels.at(5).known()).isFalse();
    }
}
