// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CalmLeaseTest {
    private final CalmLease calm = new CalmLease();

    private void see(int ticks, long ended, double lease) {
        for (int tick = 0; tick < ticks; tick++) {
            calm.calm(new Rate((double) ended, ended * lease), 4.0 * ended);
        }
    }

    @Test
    void theFirstFourHundredAreAveraged() {
        see(1, 10, 0.490);
        assertThat(calm.seconds()).isCloseTo(0.490, within(1e-6));
        see(38, 10, 0.020);
        assertThat(calm.known()).isFalse();
        see(1, 10, 0.020);
        assertThat(calm.known()).isTrue();
        assertThat(calm.seconds()).isCloseTo((10 * 0.490 + 390 * 0.020) / 400, within(1e-6));
    }

    @Test
    void laterItFollowsSlowly() {
        see(40, 10, 0.020);
        see(40, 10, 0.040);
        assertThat(calm.seconds()).isBetween(0.023, 0.025);
    }

    @Test
    void aShorterLeaseIsBelievedQuickly() {
        see(40, 10, 0.040);
        for (int second = 0; second < 10; second++) {
            calm.second(0.020, 20);
        }
        assertThat(calm.seconds()).isBetween(0.020, 0.022);
        calm.second(0.001, 19);
        assertThat(calm.seconds()).isGreaterThan(0.020);
    }

    /** A pool that has long been warm has short seconds by chance. */
    @Test
    void aWarmPoolIsNotDrawnDownByItsShortestSeconds() {
        see(400, 10, 0.040);
        calm.second(0.020, 20);
        assertThat(calm.seconds()).isCloseTo(0.040, within(1e-9));
    }

    /** Few long leases among many short ones: a sample shows the long ones. */
    @Test
    void unequalLeasesShowInTheAgesOfOpenLeases() {
        see(40, 10, 0.020);
        for (int tick = 0; tick < 400; tick++) {
            calm.open(4, 4 * 0.020);
        }
        assertThat(calm.spread()).as("leases that end by chance").isEqualTo(1);
        for (int tick = 0; tick < 400; tick++) {
            calm.open(4, 4 * 0.500);
        }
        assertThat(calm.spread()).isCloseTo(2 * 0.500 / 0.020 - 1, within(1.0));
    }

    /** Regression: one connection that never came back made all leases look unequal for as long as the pool idled. */
    @Test
    void takenConnectionsAreNoSignOfUnequalLeases() {
        see(40, 10, 0.020);
        for (int tick = 0; tick < 400; tick++) {
            calm.open(2, 2 * 0.020);
        }
        for (double age = 0; age < 3.2; age += 0.25) {
            calm.open(3, 2 * 0.020 + age);
        }
        assertThat(calm.spread()).isGreaterThan(3);
        calm.taken(1, 3.2, 0.25);
        assertThat(calm.spread()).isEqualTo(1);
    }

    @Test
    void aTickWithoutLeasesTeachesTheRateOnly() {
        see(1, 0, 0);
        assertThat(calm.seconds()).isZero();
        assertThat(calm.rate()).isZero();
        see(1, 10, 0.020);
        assertThat(calm.rate()).isCloseTo(0.8, within(1e-9));
    }
}
