// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.sizing.PoolWindow;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The controller's figures over the eleven scenarios. The best static sizes are those of an exhaustive search. */
class FlexPoolControllerTest {
    private static final int SEEDS = 5;
    private static final int[] BEST = {6, 12, 12, 8, 7, 11, 19, 11, 16, 4, 18};

    /** One scenario, averaged over the seeds. */
    private record Cell(double meanSeconds, double failures, double requests, double changes) {
        static Cell of(Scenario scenario, boolean steered) {
            double seconds = 0;
            double failures = 0;
            double requests = 0;
            double changes = 0;
            for (int seed = 1; seed <= SEEDS; seed++) {
                SimController controller = steered ? new FlexPoolController() : new Unmoved();
                SimResult result = Simulation.run(scenario, seed, controller);
                seconds += result.meanSeconds() / SEEDS;
                failures += (double) result.failures() / SEEDS;
                requests += (double) result.requests() / SEEDS;
                changes += (double) result.changes() / SEEDS;
            }
            return new Cell(seconds, failures, requests, changes);
        }
    }

    private static final class Unmoved implements SimController {
        @Override
        public String name() {
            return "static";
        }

        @Override
        public int onTick(PoolWindow window) {
            return window.limit();
        }
    }

    private static Scenario sized(Scenario scenario, int size) {
        return new Scenario(
                scenario.name(),
                scenario.curve(),
                size,
                scenario.ceiling(),
                scenario.seconds(),
                scenario.phases(),
                scenario.bursts(),
                scenario.leakSeconds());
    }

    @Test
    void itStaysNearTheBestStaticSizeInEveryScenario() {
        double regrets = 0;
        double failures = 0;
        double bestFailures = 0;
        List<Scenario> all = Scenarios.ALL;
        for (int index = 0; index < all.size(); index++) {
            Scenario scenario = all.get(index);
            Cell best = Cell.of(sized(scenario, BEST[index]), false);
            Cell steered = Cell.of(scenario, true);
            double regret = steered.meanSeconds() / best.meanSeconds() - 1;
            assertThat(regret).as(scenario.name()).isLessThan(1.0);
            if (best.failures() == 0) {
                assertThat(steered.failures()).as(scenario.name()).isLessThan(0.01 * steered.requests());
            }
            regrets += regret;
            failures += steered.failures();
            bestFailures += best.failures();
        }
        assertThat(regrets / all.size()).isLessThan(0.40);
        assertThat(failures).isLessThan(1.05 * bestFailures);
        assertThat(Cell.of(all.get(0), true).changes())
                .as("changes in three steady minutes")
                .isLessThanOrEqualTo(3);
    }

    @Test
    void aSlowDatabaseAndALongWayToItAreTheirCases() {
        // The weak spots of the prototype: regret 2.10 and 1.50.
        for (int index : new int[] {5, 6}) {
            Scenario scenario = Scenarios.ALL.get(index);
            Cell best = Cell.of(sized(scenario, BEST[index]), false);
            assertThat(Cell.of(scenario, true).meanSeconds() / best.meanSeconds() - 1)
                    .as(scenario.name())
                    .isLessThan(0.5);
        }
    }

    @Test
    void requestsOfTwoClassesAreJudgedEachByItsOwn() {
        for (Scenario scenario : NewScenarios.ALL) {
            SimResult without = Simulation.run(scenario, 1, FlexPoolController::new);
            SimResult with = Simulation.run(scenario, 1, FlexPoolController::withClasses);
            if (scenario.ofTwoKinds()) {
                SimResult best = Simulation.run(
                        scenario.withInstances(scenario.name().equals("mixed-work") ? 15 : 11, 1), 1, new Unmoved());
                assertThat(with.regret(best.meanSeconds()))
                        .as(scenario.name())
                        .isLessThan(0.3)
                        .isLessThan(without.regret(best.meanSeconds()));
            } else {
                assertThat(with.meanSeconds()).as(scenario.name()).isEqualTo(without.meanSeconds());
            }
        }
    }

    @Test
    void itReportsItsDecisions() {
        FlexPoolController controller = new FlexPoolController();
        Simulation.run(Scenarios.ALL.get(1), 1, controller);
        assertThat(controller.decisions())
                .isNotEmpty()
                .allSatisfy(made -> assertThat(made.explanation()).startsWith("limit "));
    }
}
