// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateLimitTest {
    /** Where the clock's numbers begin anew. */
    private static final long START = Long.MAX_VALUE - 5;

    private final RateLimit limit = new RateLimit(10, START);

    @Test
    void oneInASpanPasses() {
        assertThat(limit.permits(START)).isTrue();
        assertThat(limit.permits(START)).isFalse();
        assertThat(limit.permits(START + 9)).isFalse();
        assertThat(limit.permits(START + 10)).isTrue();
        assertThat(limit.permits(START + 11)).isFalse();
    }

    @Test
    void aLongSilenceSavesNothingUp() {
        assertThat(limit.permits(START + 1_000)).isTrue();
        assertThat(limit.permits(START + 1_001)).isFalse();
    }
}
