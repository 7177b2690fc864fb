// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import org.junit.jupiter.api.Test;

class FleetCapPropertyTest {
    /** Without shrinking: a neighbouring seed is another schedule and not a simpler one. */
    @Property(tries = 100, shrinking = ShrinkingMode.OFF)
    void anyScheduleHoldsTheCap(@ForAll long seed) {
        holds(seed);
    }

    @Tag("scenario")
    @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
    void thousandSchedulesHoldTheCap(@ForAll long seed) {
        holds(seed);
    }

    private static void holds(long seed) {
        SimulatedFleet fleet = new SimulatedFleet(seed, true);
        fleet.run(180);
        assertThat(fleet.most)
                .as("seed " + seed)
                .isLessThanOrEqualTo(fleet.rules().cap());
    }

    /** The fleet and the other clients together never have more sessions than the server, although each member reads at another time. */
    @Property(tries = 60, shrinking = ShrinkingMode.OFF)
    void aCapThatIsReadLeavesOtherClientsTheirs(@ForAll long seed) {
        readHolds(seed);
    }

    @Tag("scenario")
    @Property(tries = 1_000, shrinking = ShrinkingMode.OFF)
    void thousandSchedulesWithACapThatIsRead(@ForAll long seed) {
        readHolds(seed);
    }

    private static void readHolds(long seed) {
        SimulatedFleet fleet = SimulatedFleet.reading(seed, true);
        fleet.run(450);
        assertThat(fleet.above).as("seed " + seed).isLessThanOrEqualTo(0);
    }

    @Test
    void aCapThatIsReadIsUsed() {
        double used = 0;
        for (long seed = 1; seed <= 20; seed++) {
            SimulatedFleet fleet = SimulatedFleet.reading(seed, false);
            fleet.run(300);
            used += fleet.used() / 20;
        }
        assertThat(used).isGreaterThan(0.7);
    }

    /** A fleet that grants nobody anything would hold the cap as well. */
    @Test
    void aBudgetIsUsedFarBetterThanInEqualParts() {
        double used = 0;
        double byShares = 0;
        for (long seed = 1; seed <= 40; seed++) {
            SimulatedFleet fleet = new SimulatedFleet(seed, false);
            fleet.run(180);
            used += fleet.used() / 40;
            byShares += fleet.usedByShares() / 40;
        }
        assertThat(used).isGreaterThan(0.78).isGreaterThan(byShares + 0.1);
    }
}
