// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static io.flexpool.advisor.Traces.MS;
import static io.flexpool.advisor.Traces.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.advisor.LeaseTrace.Ending;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ElasticityTest {
    /** Groups of requests that come at once, each lease as long as the exponent says. */
    private static LeaseTrace groups(double exponent, int... sizes) {
        LeaseTrace.Builder trace = LeaseTrace.builder();
        for (int size : sizes) {
            for (int group = 0; group < 250; group++) {
                long at = trace.size() * SECOND;
                for (int request = 0; request < size; request++) {
                    trace.add(at, 0, (long) (10 * MS * Math.pow(size, exponent)), Ending.RELEASED, "", 0);
                }
            }
        }
        return trace.build();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.3, 0.7, 1})
    void theExponentIsFound(double exponent) {
        assertThat(Elasticity.of(groups(exponent, 1, 2, 4, 8)).orElseThrow()).isCloseTo(exponent, within(1e-4));
    }

    @Test
    void fewSizesShowNone() {
        assertThat(Elasticity.of(groups(1, 4))).isEmpty();
        assertThat(Elasticity.of(groups(1, 4, 5, 6, 7))).isEmpty();
        assertThat(Elasticity.of(groups(1, 4, 8))).isPresent();
    }
}
