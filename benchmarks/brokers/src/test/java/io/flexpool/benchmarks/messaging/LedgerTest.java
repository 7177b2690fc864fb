// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LedgerTest {
    @Test
    void aMessageThatComesTwiceIsDoubledAndNotDifferent() {
        Ledger ledger = new Ledger();

        assertThat(ledger.arrived(0)).isTrue();
        assertThat(ledger.arrived(7)).isTrue();
        assertThat(ledger.arrived(7)).isFalse();
        assertThat(ledger.different()).isEqualTo(2);
        assertThat(ledger.doubled()).isEqualTo(1);
    }
}
