// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath.isolated;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StatementPathWorkloadTest {
    /** A batch that read anything else than the stub driver said would throw. */
    @ParameterizedTest
    @EnumSource(Variant.class)
    void everyVariantReadsWhatTheDriverSays(Variant variant) throws Exception {
        try (StatementPathWorkload workload = new StatementPathWorkload(variant.toString(), 1, 2, 3, 2, true)) {
            long[] done = workload.apply(0);

            assertThat(done[0]).as("cycles").isEqualTo(64);
            assertThat(done[2]).as("bytes").isPositive();
        }
    }
}
