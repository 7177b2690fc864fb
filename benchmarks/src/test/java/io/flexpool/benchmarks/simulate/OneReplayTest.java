// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.advisor.Advisor;
import io.flexpool.advisor.LeaseTrace;
import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.advisor.SizePoint;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where leases do not depend on how many are active, a simulated pool of a fixed size is what the advisor replays. */
class OneReplayTest {
    private static final Usl NO_CONTENTION = new Usl(0, 0, 0.02);
    private static final double SECONDS = 120;

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 7})
    void theSimulatorAndTheAdvisorAgree(int size) {
        Scenario scenario = new Scenario(
                "no-contention", NO_CONTENTION, size, size, SECONDS, List.of(Phase.load(0, 140)), List.of(), List.of());
        SimResult simulated = Simulation.run(scenario, 5, new StaticSize());

        Load load = new Load(scenario, new SplittableRandom(5), 0);
        LeaseTrace.Builder trace = LeaseTrace.builder();
        while (load.nextArrival() < SECONDS) {
            trace.add(Simulation.nanos(load.nextArrival()), 0, Simulation.nanos(load.work()), Ending.RELEASED, "", 0);
            load.arrived();
        }
        SizePoint replayed = Advisor.curve(trace.build(), Duration.ofSeconds(1), List.of(size))
                .get(0);

        assertThat(simulated.requests()).isEqualTo(trace.size());
        // Those that wait when the simulation ends are neither served nor failed there.
        double requests = simulated.requests();
        assertThat(replayed.timedOut()).isCloseTo(simulated.failures() / requests, within(20 / requests));
        assertThat(replayed.p99Nanos() / 1e6)
                .isCloseTo(simulated.p99AcquireMs(), within(0.1 + 0.005 * replayed.p99Nanos() / 1e6));
    }
}
