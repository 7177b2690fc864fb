// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.flexpool.strategy.AcquisitionStrategy.Requirements;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a strategy requires: each requirement is added to those before it. */
class RequirementsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void requirementsAddUp() {
        Requirements all =
                Requirements.NONE.deadline(SECOND.multipliedBy(9)).ceiling(7).whileWaiting(Duration.ZERO);
        assertThat(all.consultAfter(SECOND)).contains(Duration.ZERO);
        assertThat(all.ceiling()).hasValue(7);
        assertThat(all.deadline()).contains(SECOND.multipliedBy(9));
    }

    @Test
    void withoutAWaitItIsATenthOfTheTimeout() {
        assertThat(Requirements.NONE.whileWaiting(null).consultAfter(SECOND)).contains(Duration.ofMillis(100));
        assertThat(Requirements.NONE.consultAfter(SECOND)).isEmpty();
    }

    /** HikariCP's timeout is 30 s: with a tenth of it, users waited for seconds before anything grew. */
    @Test
    void withoutAWaitALongTimeoutDoesNotMakeItLong() {
        Requirements byDefault = Requirements.NONE.whileWaiting(null);
        assertThat(byDefault.consultAfter(Duration.ofSeconds(30))).contains(Duration.ofMillis(250));
        assertThat(byDefault.consultAfterAtLeast(Duration.ofSeconds(30))).contains(Duration.ofMillis(20));
        assertThat(byDefault.consultAfterAtLeast(Duration.ofMillis(90))).contains(Duration.ofMillis(9));
    }

    @Test
    void aWaitThatWasGivenIsNeverShortened() {
        assertThat(Requirements.NONE.whileWaiting(SECOND).consultAfterAtLeast(SECOND.multipliedBy(30)))
                .contains(SECOND);
        assertThat(Requirements.NONE.consultAfterAtLeast(SECOND)).isEmpty();
    }

    @Test
    void aCeilingBelowOneIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Requirements.NONE.ceiling(0))
                .withMessage("ceiling = 0: must be at least 1");
    }
}
