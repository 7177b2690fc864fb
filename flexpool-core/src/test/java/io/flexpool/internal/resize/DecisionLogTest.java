// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Decision.Cause;
import io.flexpool.diagnostics.Decision.Outcome;
import io.flexpool.diagnostics.Decision.Verdict;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.pool.TestContext;
import io.flexpool.internal.sizing.Evidence;
import io.flexpool.internal.sizing.SizingDecision;
import io.flexpool.pool.PoolMode;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DecisionLogTest {
    private final TestContext part = new TestContext(settings -> settings.set(CoreKey.BASE, 2));
    private final DecisionLog log = new DecisionLog("part", part.context.listeners());

    private void decide(int number, PoolMode mode) {
        log.add(made(number, mode), part.context.state());
    }

    private static SizingDecision made(int number, PoolMode mode) {
        return SizingDecision.of(number, mode, 5, 2, 4, 4, Cause.DEMAND, Verdict.PENDING, Evidence.NONE);
    }

    @Test
    void aDecisionIsDatedRememberedAndRaised() {
        Instant before = Instant.now();
        decide(1, PoolMode.ADAPT);
        part.context.listeners().deliver();
        assertThat(log.all()).singleElement().satisfies(made -> {
            assertThat(made.time()).isBetween(before, Instant.now());
            assertThat(made.causeWord()).isEqualTo("demand");
            assertThat(made.explanation()).startsWith("limit 2 → 4");
        });
        assertThat(part.decided).isEqualTo(log.all());
    }

    @Test
    void aStepAndItsOutcomeShareANumber() {
        decide(1, PoolMode.ADAPT);
        decide(1, PoolMode.ADAPT);
        assertThat(log.all()).extracting(Decision::number).containsExactly(1L, 1L);
    }

    @Test
    void numbersGoOnAfterTheControllerBroke() {
        decide(1, PoolMode.ADAPT);
        log.broken(SizingDecision.broken(PoolMode.ADAPT, 2, "broken"), part.context.state());
        decide(1, PoolMode.ADAPT);
        assertThat(log.all()).extracting(Decision::number).containsExactly(1L, 2L, 3L);
        assertThat(log.all().get(1).cause()).isEqualTo(Cause.BROKEN);
        assertThat(log.all().get(1).outcome()).isEqualTo(Outcome.KEPT);
    }

    @Test
    void theLastTwoOfTheModeAreShown() {
        decide(1, PoolMode.ADAPT);
        decide(2, PoolMode.ADAPT);
        decide(3, PoolMode.ADAPT);
        assertThat(log.last(PoolMode.ADAPT)).extracting(Decision::number).containsExactly(2L, 3L);
        assertThat(log.last(PoolMode.RECOMMEND)).isEmpty();
        decide(4, PoolMode.RECOMMEND);
        assertThat(log.last(PoolMode.RECOMMEND)).extracting(Decision::number).containsExactly(4L);
    }

    @Test
    void theOldestGoesFirst() {
        for (int number = 1; number <= DecisionLog.SIZE + 1; number++) {
            decide(number, PoolMode.ADAPT);
        }
        assertThat(log.all()).hasSize(DecisionLog.SIZE);
        assertThat(log.all().get(0).number()).isEqualTo(2);
    }

    @Test
    void whatCouldNotBeDoneSaysSo() {
        SizingDecision refused = made(1, PoolMode.ADAPT).refused();
        assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(refused.explanation()).endsWith("(not done: the limit could not be changed)");
        assertThat(made(1, PoolMode.RECOMMEND).outcome()).isEqualTo(Outcome.REPORTED);
    }
}
