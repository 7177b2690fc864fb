// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateLimitTest {
    /** Where the clock's numbers begin anew. */
    private final long start = nearTheEnd();

    private final RateLimit limit = new RateLimit(10, start);

    @Test
    void oneInASpanPasses() {
        assertThat(limit.permits(start)).isTrue();
        assertThat(limit.permits(start)).isFalse();
        assertThat(limit.permits(start + 9)).isFalse();
        assertThat(limit.permits(start + 10)).isTrue();
        assertThat(limit.permits(start + 11)).isFalse();
    }

    @Test
    void aLongSilenceSavesNothingUp() {
        assertThat(limit.permits(start + 1_000)).isTrue();
        assertThat(limit.permits(start + 1_001)).isFalse();
    }

    /** Of the clock's numbers, which begin anew then. */
    private static long nearTheEnd() {
        return Long.MAX_VALUE - 5;
    }
}
