// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LaneTest {
    @Test
    void aMessageThatComesTwiceIsDoubledAndNotDifferent() {
        Lane lane = new Lane(10, Lane.PATIENCE);

        assertThat(lane.arrived(0)).isTrue();
        assertThat(lane.arrived(7)).isTrue();
        assertThat(lane.arrived(7)).isFalse();
        assertThat(lane.different()).isEqualTo(2);
        assertThat(lane.doubled()).isEqualTo(1);
    }
}
