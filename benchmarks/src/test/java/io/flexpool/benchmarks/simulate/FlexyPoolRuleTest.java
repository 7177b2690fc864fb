// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class FlexyPoolRuleTest {
    private static final long SECOND = 1_000_000_000L;

    private final SteadyPool pool = new SteadyPool(5, 7);

    private FlexyPoolRule rule(Duration slow) {
        FlexyPoolRule rule = new FlexyPoolRule(slow);
        rule.begin(pool);
        return rule;
    }

    @Test
    void oneOfManyTimeoutsGrowsThePoolAndAllTryAgain() {
        FlexyPoolRule rule = rule(FlexyPoolRule.ONLY_TIMEOUTS);

        assertThat(rule.onTimeout(10 * SECOND, 1)).isTrue();
        assertThat(pool.limit()).isEqualTo(6);
        assertThat(rule.onTimeout(10 * SECOND + SECOND / 2, 1)).isTrue();
        assertThat(pool.limit()).isEqualTo(6);
    }

    @Test
    void aSecondAttemptGrowsOnceMoreUpToTheCeiling() {
        FlexyPoolRule rule = rule(FlexyPoolRule.ONLY_TIMEOUTS);

        assertThat(rule.onTimeout(10 * SECOND, 1)).isTrue();
        // Its second attempt began with the growth; the last bits of a time are lost in between.
        assertThat(rule.onTimeout(11 * SECOND - 1, 2)).isTrue();
        assertThat(pool.limit()).isEqualTo(7);
        assertThat(rule.onTimeout(12 * SECOND, 3)).isFalse();
        assertThat(pool.limit()).isEqualTo(7);
    }

    @Test
    void aLateConnectionGrowsThePoolOnlyIfConfigured() {
        rule(FlexyPoolRule.ONLY_TIMEOUTS).onAcquired(10 * SECOND, SECOND / 2);
        assertThat(pool.limit()).isEqualTo(5);

        FlexyPoolRule impatient = rule(Duration.ofMillis(100));
        impatient.onAcquired(10 * SECOND, SECOND / 20);
        assertThat(pool.limit()).isEqualTo(5);
        impatient.onAcquired(10 * SECOND, SECOND / 2);
        assertThat(pool.limit()).isEqualTo(6);
    }

    @Test
    void itNeverShrinksAndGrowsByOneASecond() {
        Scenario step = Scenarios.ALL.stream()
                .filter(scenario -> scenario.name().equals("step"))
                .findFirst()
                .orElseThrow();

        SimResult run = Simulation.trace(step, 1, new FlexyPoolRule(FlexyPoolRule.ONLY_TIMEOUTS));

        List<Trace.Point> points = Objects.requireNonNull(run.trace()).points();
        assertThat(points.get(0).limit()).isEqualTo(step.base());
        for (int at = 1; at < points.size(); at++) {
            assertThat(points.get(at).limit() - points.get(at - 1).limit()).isBetween(0, 1);
        }
        assertThat(run.changes()).isPositive();
        assertThat(run.failures())
                .as("who timed out is served later, because the pool grew")
                .isLessThan(Simulation.run(step, 1, new StaticSize()).failures() / 10);
    }
}
