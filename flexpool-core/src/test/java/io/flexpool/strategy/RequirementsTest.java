// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a strategy requires: each requirement is added to those before it. */
class RequirementsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void requirementsAddUp() {
        Requirements all = Requirements.NONE
                .deadline(SECOND.multipliedBy(9))
                .limitWaiting()
                .keep(SECOND)
                .ceiling(7)
                .whileWaiting(Duration.ZERO);
        assertThat(all.consultAfter(SECOND)).contains(Duration.ZERO);
        assertThat(all.ceiling()).hasValue(7);
        assertThat(all.keep()).contains(SECOND);
        assertThat(all.limitsWaiting()).isTrue();
        assertThat(all.deadline()).contains(SECOND.multipliedBy(9));
    }

    @Test
    void withoutAWaitItIsATenthOfTheTimeout() {
        assertThat(Requirements.NONE.whileWaiting(null).consultAfter(SECOND)).contains(Duration.ofMillis(100));
        assertThat(Requirements.NONE.consultAfter(SECOND)).isEmpty();
    }

    @Test
    void aCeilingBelowOneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Requirements.NONE.ceiling(0))
                .withMessage("ceiling = 0: must be at least 1");
    }
}
