// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.benchmarks.simulate.Scenario.Burst;
import io.flexpool.benchmarks.simulate.Scenario.Mix;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import io.flexpool.internal.sizing.PoolWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The new scenarios have timeouts, mixes and instances that the published ones have not. */
@Tag("scenario")
class NewScenariosTest {
    /** A database without contention. */
    private static final Usl FREE = new Usl(0, 1e-9, 0.020);

    private static Scenario scenario(Usl curve, int size, double rate) {
        return new Scenario("test", curve, size, 40, 180, List.of(Phase.load(0, rate)), List.of(), List.of());
    }

    /** Keeps what it is fed, and does nothing. */
    private static final class Onlooker implements SimController {
        final List<PoolWindow> windows = new ArrayList<>();
        final List<Long> leases = new ArrayList<>();

        @Override
        public String name() {
            return "onlooker";
        }

        @Override
        public int onTick(PoolWindow window) {
            windows.add(window);
            return window.limit();
        }

        @Override
        public void onReleased(long nowNanos, long nanos, int activeAtStart, boolean failed) {
            leases.add(nanos);
        }

        double meanSeconds() {
            return leases.stream().mapToLong(Long::longValue).average().orElse(0) / 1e9;
        }
    }

    @Test
    void aRequestFailsAfterTheScenariosTimeout() {
        SimResult brief = Simulation.run(scenario(FREE, 2, 150).withTimeout(0.1), 1, new Onlooker());
        SimResult patient = Simulation.run(scenario(FREE, 2, 150).withTimeout(30), 1, new Onlooker());

        assertThat(brief.p99AcquireMs()).isCloseTo(100, within(0.1));
        assertThat(brief.failures() / 180.0).isCloseTo(50, within(6.0));
        assertThat(patient.p99AcquireMs()).isCloseTo(30_000, within(1.0));
        assertThat(patient.failures())
                .as("none before the first has waited so long")
                .isLessThan(brief.failures());
    }

    @Test
    void aFailureNeverCountsLessThanItWaited() {
        assertThat(scenario(FREE, 2, 150).failureSeconds()).isEqualTo(Scenario.FAILURE_SECONDS);
        assertThat(scenario(FREE, 2, 150).withTimeout(0.05).failureSeconds()).isEqualTo(Scenario.FAILURE_SECONDS);
        assertThat(scenario(FREE, 2, 150).withTimeout(30).failureSeconds()).isEqualTo(30);
    }

    @Test
    void fewRequestsOfTheMixAreLong() {
        Onlooker onlooker = new Onlooker();

        Simulation.run(scenario(FREE, 40, 100).withMix(new Mix(0.01, 0.075, 100)), 1, onlooker);

        long lasting =
                onlooker.leases.stream().filter(nanos -> nanos > 150_000_000).count();
        assertThat((double) lasting / onlooker.leases.size()).isCloseTo(0.01, within(0.002));
        assertThat(onlooker.meanSeconds()).isCloseTo(0.01 * 2 + 0.99 * 0.0015, within(0.006));
    }

    @Test
    void aBatchJobKeepsItsConnectionAndItsTimeDoesNotCount() {
        Onlooker onlooker = new Onlooker();
        Scenario batch = new Scenario(
                "test", FREE, 20, 40, 180, List.of(Phase.load(0, 50)), List.of(new Burst(60, 8, 20)), List.of());

        SimResult run = Simulation.run(batch, 1, onlooker);

        assertThat(onlooker.leases.stream().filter(nanos -> nanos >= 20_000_000_000L))
                .hasSize(8);
        assertThat(onlooker.windows.get(4 * 70).open().olderThan(9_000_000_000L))
                .isEqualTo(8);
        assertThat(run.meanSeconds()).isCloseTo(0.020, within(0.001));
        assertThat(run.failures()).isZero();
    }

    @Test
    void instancesShareOneDatabase() {
        List<Onlooker> instances = new ArrayList<>();

        SimResult run = Simulation.run(scenario(Usl.DEFAULT, 10, 400).withInstances(10, 2), 1, () -> {
            instances.add(new Onlooker());
            return instances.get(instances.size() - 1);
        });

        assertThat(instances).hasSize(2);
        int completions =
                instances.get(0).leases.size() + instances.get(1).leases.size();
        assertThat(completions / 180.0)
                .as("what ten at once get done, and not twice what five do: %s", Usl.DEFAULT.rate(5))
                .isCloseTo(Usl.DEFAULT.rate(10), within(8.0));
        assertThat(run.requests() / 180.0).isCloseTo(400, within(5.0));
        assertThat(run.maxHeld()).isEqualTo(10);
        assertThat(instances)
                .allSatisfy(one -> assertThat(one.windows)
                        .allSatisfy(window -> assertThat(window.base()).isEqualTo(5)));
        assertThat(instances.get(0).windows.get(0).nowNanos()).isEqualTo(250_000_000);
        assertThat(instances.get(1).windows.get(0).nowNanos())
                .as("ticks of two instances do not fall together")
                .isEqualTo(375_000_000);
    }

    @Test
    void connectionsAreSharedEvenly() {
        Scenario shared = scenario(FREE, 11, 100).withInstances(11, 4);

        assertThat(Stream.of(0, 1, 2, 3).map(shared::base)).containsExactly(3, 3, 3, 2);
        assertThatIllegalArgumentException().isThrownBy(() -> shared.withInstances(3, 4));
        assertThatIllegalArgumentException().isThrownBy(() -> Simulation.run(shared, 1, new Onlooker()));
    }

    @Test
    void theBestSizeOfSeveralInstancesIsASum() {
        BestStatic best = BestStatic.of(
                new Scenario("test", Usl.DEFAULT, 8, 20, 30, List.of(Phase.load(0, 240)), List.of(), List.of())
                        .withInstances(8, 4),
                List.of(1L));

        assertThat(best.size()).isBetween(8, 16);
        assertThat(best.runs().get(0).maxHeld()).isEqualTo(best.size());
    }

    @Test
    void eachNewScenarioRepeatsAndMattersToTheController() {
        for (Scenario each : NewScenarios.ALL) {
            SimResult one = Simulation.run(each, 7, FlexPoolController::new);

            assertThat(Simulation.run(each, 7, FlexPoolController::new)).isEqualTo(one);
            assertThat(Simulation.run(each, 7, StaticSize::new))
                    .as("as many requests as with another controller in %s", each.name())
                    .extracting(SimResult::requests)
                    .isEqualTo(one.requests());
        }
        assertThat(NewScenarios.ALL)
                .extracting(Scenario::name)
                .containsExactly(
                        "short-timeout",
                        "short-timeout-slow",
                        "long-leases",
                        "night-batch",
                        "mixed-work",
                        "two-instances",
                        "four-instances",
                        "minute-bursts");
    }

    @Test
    void drawnScenariosAreOfEveryKindAndTheFirstOnesStay() {
        List<RandomKinds.Drawn> few = new RandomKinds(6, 1, Set.copyOf(ScenarioConverter.names())).drawn();
        List<RandomKinds.Drawn> many = new RandomKinds(60, 1, Set.copyOf(ScenarioConverter.names())).drawn();

        assertThat(many.subList(0, 6)).isEqualTo(few);
        assertThat(few).extracting(drawn -> drawn.scenario().name()).doesNotHaveDuplicates();
        assertThat(new RandomKinds(6, 2, Set.copyOf(ScenarioConverter.names())).drawn())
                .isNotEqualTo(few);
        assertThat(new RandomKinds(12, 1, Set.of("mixed-work")).drawn())
                .as("those of one kind are what they are among all")
                .containsExactly(many.get(3), many.get(9));
        assertThat(many)
                .allSatisfy(
                        drawn -> assertThat(drawn.scenario().timeoutSeconds()).isBetween(0.05, 30.0));
        assertThat(many).extracting(drawn -> drawn.scenario().timeoutSeconds()).anyMatch(timeout -> timeout < 0.1);
        assertThat(many).extracting(drawn -> drawn.scenario().timeoutSeconds()).anyMatch(timeout -> timeout > 10);
        assertThat(many).extracting(drawn -> drawn.scenario().instances()).contains(1, 3, 6);
    }
}
