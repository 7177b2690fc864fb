// SPDX-License-Identifier: Apache-2.0
package io.flexpool.fleet.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.fleet.FleetMember;
import io.flexpool.fleet.Grant;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetDemandTest {
    private final FleetDemand demand = new FleetDemand();

    private static Grant granted(int connections, int free, FleetMember... shown) {
        return new Grant(connections, 4, 0, free, false, 100, 5, null, 0, List.of(shown), 0);
    }

    private static FleetMember member(int granted, int want, boolean silent) {
        return new FleetMember("other", granted, granted, want, 0, 0, Duration.ZERO, silent);
    }

    private int wanted(Grant last) {
        return demand.wanted(last, 100);
    }

    private void quiet(int ticks) {
        for (int at = 0; at < ticks; at++) {
            demand.seen(0);
        }
    }

    @Test
    void theHighestDemandIsRememberedForFiveSeconds() {
        demand.seen(8);
        quiet(19);
        assertThat(wanted(granted(8, 40))).isEqualTo(11);
        quiet(1);
        assertThat(wanted(granted(8, 40))).isEqualTo(2);
    }

    @Test
    void andForLittleMoreThanASecondWhereOthersWait() {
        demand.seen(8);
        quiet(4);
        assertThat(wanted(granted(8, 3))).isEqualTo(8);
        quiet(1);
        assertThat(wanted(granted(8, 3))).isEqualTo(2);
    }

    @Test
    void aMemberThatLacksConnectionsIsAnotherThatWaits() {
        demand.seen(8);
        assertThat(wanted(granted(8, 40, member(3, 5, false)))).isEqualTo(8);
        assertThat(wanted(granted(8, 40, member(3, 5, true))))
                .as("one that is gone lacks nothing")
                .isEqualTo(11);
        assertThat(wanted(granted(8, 40, member(5, 5, false)))).isEqualTo(11);
    }

    @Test
    void aQuarterToSpareButNoMoreThanAnEqualPartOfWhatIsFree() {
        demand.seen(20);
        assertThat(wanted(granted(20, 40))).isEqualTo(26);
        assertThat(wanted(granted(20, 8))).isEqualTo(22);
        assertThat(wanted(granted(24, 8))).as("and what it has already").isEqualTo(26);
    }

    @Test
    void aGrowthHasToProveItself() {
        demand.seen(90);
        assertThat(demand.wanted(granted(3, 60), 3)).isEqualTo(14);
        assertThat(demand.wanted(null, 20)).isEqualTo(82);
    }
}
