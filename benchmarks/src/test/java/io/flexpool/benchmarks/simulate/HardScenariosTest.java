// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.benchmarks.simulate.Scenario.Phase;
import io.flexpool.benchmarks.simulate.Scenario.Speed;
import io.flexpool.internal.sizing.PoolWindow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The model of the scenarios that disturb the measurement, with pools that keep their size. */
@Tag("scenario")
class HardScenariosTest {
    private static final Usl FREE = new Usl(0, 1e-9, 0.020);

    /** Counts the leases that end in each tick. */
    private static final class Counter implements SimController {
        private final List<Long> completions = new ArrayList<>();

        @Override
        public String name() {
            return "counter";
        }

        @Override
        public int onTick(PoolWindow window) {
            completions.add(window.traffic().completions());
            return window.limit();
        }

        /** Variance over mean of the completions of 0.8 s: 1 for leases that end independently of each other. */
        double dispersion() {
            List<Long> sums = new ArrayList<>();
            for (int at = 10; at + 2 < completions.size(); at += 3) {
                sums.add(completions.get(at) + completions.get(at + 1) + completions.get(at + 2));
            }
            double mean = sums.stream().mapToLong(Long::longValue).average().orElseThrow();
            double squares = sums.stream()
                    .mapToDouble(sum -> (sum - mean) * (sum - mean))
                    .average()
                    .orElseThrow();
            return squares / mean;
        }
    }

    private static Scenario named(String name) {
        return HardScenarios.ALL.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static int failures(Scenario scenario, int size) {
        return Simulation.run(BestStatic.sized(scenario, size), 1, new StaticSize())
                .failures();
    }

    @Test
    void aDatabaseWhoseSpeedVariesIsAsFastOnAverage() {
        Scenario steady = new Scenario("test", FREE, 5, 40, 600, List.of(Phase.load(0, 1000)), List.of(), List.of());
        Counter constant = new Counter();
        Counter varying = new Counter();

        Simulation.run(steady, 1, constant);
        Simulation.run(steady.withSpeed(new Speed(0.6, 0.8)), 1, varying);

        double mean = varying.completions.stream().mapToLong(Long::longValue).sum()
                / (double)
                        constant.completions.stream().mapToLong(Long::longValue).sum();
        assertThat(mean).isCloseTo(1, within(0.04));
        assertThat(constant.dispersion()).isBetween(0.5, 2.0);
        assertThat(varying.dispersion()).isGreaterThan(5 * constant.dispersion());
    }

    @Test
    void theSpeedChangesNoRequest() {
        Scenario varying = named("speed-60");

        SimResult run = Simulation.run(varying, 3, new StaticSize());

        assertThat(Simulation.run(varying, 3, new StaticSize())).isEqualTo(run);
        assertThat(Simulation.run(varying.withSpeed(Speed.CONSTANT), 3, new StaticSize())
                        .requests())
                .isEqualTo(run.requests());
    }

    @Test
    void aLargerPoolLosesNoneInTheMapAndTheBaseLosesAThird() {
        for (double lease : HardScenarios.LEASES) {
            for (double timeout : HardScenarios.TIMEOUTS) {
                Scenario scenario = HardScenarios.map(lease, timeout);
                SimResult base = Simulation.run(scenario, 1, new StaticSize());

                assertThat(failures(scenario, 40)).as(scenario.name()).isZero();
                assertThat((double) base.failures() / base.requests())
                        .as(scenario.name())
                        .isBetween(0.25, 0.6);
            }
        }
    }

    @Test
    void reportsThatComeBackOccupyTheBaseAndNoLargerPool() {
        Scenario reports = named("recurring-jobs");

        assertThat(reports.bursts())
                .hasSize(5)
                .allSatisfy(burst -> assertThat(burst.requests()).isEqualTo(8));
        assertThat(failures(reports, 5)).isGreaterThan(1_000);
        assertThat(failures(reports, 14)).isZero();
    }

    @Test
    void fewerConnectionsAreBetterAboveThePeak() {
        Scenario above = named("above-the-peak");

        assertThat(failures(above, 20)).isGreaterThan(1_000);
        assertThat(failures(above, 7)).isZero();
    }

    @Test
    void oneOfAHundredRequestsIsLong() {
        Scenario mix = named("rare-long-ones");

        assertThat(mix.mix().longShare()).isEqualTo(0.01);
        assertThat(failures(mix, 5)).isGreaterThan(100);
        assertThat(failures(mix, 19)).isLessThan(failures(mix, 5) / 10);
    }
}
