// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static io.flexpool.advisor.Traces.MS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.advisor.LeaseTrace.Ending;
import org.junit.jupiter.api.Test;

class DemandTest {
    private final LeaseTrace.Builder trace = LeaseTrace.builder();

    private void request(long arrivalMs, long waitMs, long leaseMs) {
        trace.add(arrivalMs * MS, waitMs * MS, leaseMs * MS, Ending.RELEASED, "", 0);
    }

    @Test
    void eachDemandHasItsTime() {
        // 0 to 10: one, 10 to 20: two, 20 to 30: one, 30 to 90: none, 90 to 100: one.
        request(0, 0, 20);
        request(10, 0, 20);
        request(90, 5, 5);
        Demand demand = Demand.recorded(trace.build());
        assertThat(demand.max()).isEqualTo(2);
        assertThat(demand.percentile(0.5)).isZero();
        assertThat(demand.percentile(0.6))
                .as("not exceeded for exactly so long")
                .isZero();
        assertThat(demand.percentile(0.7)).isOne();
        assertThat(demand.percentile(0.95)).isEqualTo(2);
        assertThat(demand.mean()).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void whoWaitsCountsInTheRecordAndNotInAPoolWithoutEnd() {
        request(0, 0, 10);
        request(0, 10, 10);
        assertThat(Demand.recorded(trace.build()).mean()).isCloseTo(1.5, within(1e-9));
        assertThat(Demand.unlimited(trace.build()).mean()).isCloseTo(2, within(1e-9));
    }

    @Test
    void requestsThatTookNoTimeCountInTheMaximum() {
        request(5, 0, 0);
        request(5, 0, 0);
        request(7, 0, 0);
        assertThat(Demand.recorded(trace.build()).max()).isBetween(1, 2);
    }
}
