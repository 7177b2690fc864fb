// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.simulate.FleetOverload.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Instances of a fleet with more load than their database can do. */
@Tag("scenario")
class FleetOverloadTest {
    /** Whether the fleet's number is near the database's peak or far above it: the members know that they are several. */
    @Test
    void aFleetCompletesAsMuchAsTheBestFixedSizes() {
        assertThat(FleetOverload.rows(1))
                .hasSize(4)
                .allSatisfy(row -> assertThat(row.ofBestStatic()).as("%s", row).isGreaterThanOrEqualTo(0.95))
                .extracting(Row::fleetMax)
                .containsExactly(13, 40, 13, 40);
    }
}
