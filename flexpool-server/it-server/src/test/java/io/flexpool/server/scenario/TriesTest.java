// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TriesTest {
    /** So many served ones in a row that twenty tries found none that failed, and there was no time to compare. */
    @Test
    void aRequestFailsAlthoughTheCrowdLeavesConnectionsForAMoment() {
        AtomicInteger asked = new AtomicInteger();

        assertThat(Tries.failed(2, () -> asked.incrementAndGet() % 50 == 0 ? 7 : Double.NaN))
                .containsExactly(7.0, 7.0);
        assertThat(asked).hasValue(100);
    }
}
