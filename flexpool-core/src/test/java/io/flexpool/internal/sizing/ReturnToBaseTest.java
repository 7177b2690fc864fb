// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReturnToBaseTest {
    private static final long TICK = 250_000_000L;
    private ReturnToBase policy = new ReturnToBase(null);
    private long now = Long.MAX_VALUE - 3 * TICK;
    private long lastGrowth = now;
    private int limit = 50;

    /** Feeds ticks and carries decisions out; returns the ticks at which the limit fell. */
    private List<Integer> live(int ticks, int active, int waiting) {
        List<Integer> falls = new ArrayList<>();
        for (int tick = 0; tick < ticks; tick++) {
            now += TICK;
            int wanted = policy.onTick(now, 10, limit, active + waiting, lastGrowth);
            if (wanted < limit) {
                falls.add(tick);
                limit = wanted;
            }
        }
        return falls;
    }

    @Test
    void aBusyPoolKeepsItsSize() {
        assertThat(live(400, 45, 5)).isEmpty();
        assertThat(limit).isEqualTo(50);
    }

    @Test
    void itReturnsToTheBaseWithinTheStatedTimeAndNotBelow() {
        live(8, 50, 0);
        List<Integer> falls = live(200, 0, 0);
        assertThat(limit).isEqualTo(10);
        assertThat(falls.get(0)).as("five seconds of calm first").isGreaterThanOrEqualTo(19);
        double seconds = 5 + Math.log(40) / 0.16;
        assertThat(falls.get(falls.size() - 1)).isLessThanOrEqualTo((int) (4 * seconds) + 4);
    }

    @Test
    void oneStepASecondOfFifteenPercent() {
        live(8, 50, 0);
        List<Integer> falls = live(30, 0, 0);
        assertThat(falls.get(1) - falls.get(0)).isEqualTo(4);
        limit = 50;
        live(4, 0, 0);
        assertThat(limit).isEqualTo(44);
    }

    @Test
    void itStopsAtWhatIsStillNeeded() {
        live(300, 23, 0);
        assertThat(limit).isEqualTo(23);
    }

    @Test
    void threeSecondsAfterAGrowthNothingFalls() {
        live(30, 0, 0);
        int before = limit;
        lastGrowth = now;
        assertThat(live(11, 0, 0)).isEmpty();
        assertThat(limit).isEqualTo(before);
        live(3, 0, 0);
        assertThat(limit).isLessThan(before);
    }

    /** Two ticks make half a second. */
    @Test
    void growthThatIsKeptForHalfASecondFallsInOneStepThen() {
        policy = new ReturnToBase(Duration.ofMillis(500));
        live(8, 50, 0);
        assertThat(live(40, 0, 0)).containsExactly(2);
        assertThat(limit).isEqualTo(10);
    }

    @Test
    void itFallsToWhatWasNeededWithinTheTime() {
        policy = new ReturnToBase(Duration.ofMillis(500));
        live(8, 50, 0);
        live(1, 20, 3);
        assertThat(live(2, 0, 0)).containsExactly(1);
        assertThat(limit).isEqualTo(23);
        assertThat(live(1, 0, 0)).containsExactly(0);
        assertThat(limit).isEqualTo(10);
    }

    @Test
    void needWithinTheTimeKeepsItFromFalling() {
        policy = new ReturnToBase(Duration.ofSeconds(1));
        live(8, 50, 0);
        for (int burst = 0; burst < 10; burst++) {
            assertThat(live(4, 0, 0)).isEmpty();
            live(1, 45, 5);
        }
        assertThat(limit).isEqualTo(50);
    }

    @Test
    void untilTheTimeAfterAGrowthIsOverNothingFalls() {
        policy = new ReturnToBase(Duration.ofSeconds(1));
        live(20, 10, 0);
        limit = 50;
        lastGrowth = now;
        assertThat(live(20, 10, 0)).containsExactly(3);
        assertThat(limit).isEqualTo(10);
    }

    @Test
    void keptForNoTimeItFallsAtTheFirstTickWithoutNeed() {
        policy = new ReturnToBase(Duration.ZERO);
        assertThat(live(8, 50, 0)).isEmpty();
        assertThat(live(1, 0, 0)).containsExactly(0);
        assertThat(limit).isEqualTo(10);
    }
}
