// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.benchmarks.simulate.Scenario.Burst;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import io.flexpool.internal.sizing.PoolWindow;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationTest {
    /** A database without contention. */
    private static final Usl FREE = new Usl(0, 1e-9, 0.020);

    private static Scenario scenario(Usl curve, int size, Phase... phases) {
        return new Scenario("test", curve, size, 40, 180, List.of(phases), List.of(), List.of());
    }

    /** Keeps what it is fed, and does nothing. */
    private static final class Onlooker implements SimController {
        final List<PoolWindow> windows = new ArrayList<>();
        long leases;
        long leaseNanos;

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
            leases++;
            leaseNanos += nanos;
        }
    }

    @Test
    void waitsAreThoseOfErlangWhereNothingContends() {
        double p99 = 0;
        for (int seed = 1; seed <= 5; seed++) {
            SimResult result = Simulation.run(scenario(FREE, 5, Phase.load(0, 175)), seed, new Onlooker());
            p99 += result.p99AcquireMs() / 5;
            assertThat(result.failures()).isZero();
        }
        // 3.5 of 5 in use: 0.378 wait at all, and the wait beyond that falls by e each 13.3 ms.
        assertThat(p99).isCloseTo(1e3 * Math.log(0.378 / 0.01) * 0.020 / 1.5, within(7.0));
    }

    @Test
    void aFullDatabaseCompletesWhatItsCurveSays() {
        for (int size : new int[] {5, 13, 40}) {
            Onlooker onlooker = new Onlooker();
            Simulation.run(scenario(Usl.DEFAULT, size, Phase.load(0, 400)), 1, onlooker);
            assertThat(onlooker.leases / 180.0).isCloseTo(Usl.DEFAULT.rate(size), within(6.0));
        }
        assertThat(Usl.DEFAULT.knee()).isCloseTo(12.7, within(0.05));
        assertThat(Usl.DEFAULT.peakRate()).isCloseTo(283, within(1.0));
        assertThat(Usl.withKnee(20, 0.03, 0.020).knee()).isCloseTo(20, within(1e-9));
    }

    @Test
    void aRequestFailsAfterASecond() {
        SimResult result = Simulation.run(scenario(FREE, 2, Phase.load(0, 150)), 1, new Onlooker());
        assertThat(result.failures() / 180.0).isCloseTo(50, within(5.0));
        assertThat(result.p99AcquireMs()).isCloseTo(1000, within(1.0));
        assertThat(result.meanSeconds()).isGreaterThan(Scenario.FAILURE_SECONDS / 3);
    }

    @Test
    void windowsAddUpToTheRun() {
        Onlooker onlooker = new Onlooker();
        SimResult result = Simulation.run(scenario(Usl.DEFAULT, 5, Phase.load(0, 250)), 3, onlooker);
        assertThat(onlooker.windows).hasSize(720);
        PoolWindow last = onlooker.windows.get(719);
        long arrivals = 0;
        long completions = 0;
        long timeouts = 0;
        double active = 0;
        for (PoolWindow window : onlooker.windows) {
            arrivals += window.traffic().arrivals();
            completions += window.traffic().completions();
            timeouts += window.traffic().timeouts();
            active += window.traffic().meanActive();
            assertThat(window.active())
                    .isLessThanOrEqualTo(5)
                    .isEqualTo(window.open().count());
        }
        assertThat(arrivals).isEqualTo(result.requests());
        assertThat(timeouts).isEqualTo(result.failures());
        assertThat(arrivals).isEqualTo(completions + timeouts + last.active() + last.waiting());
        // Little's law.
        assertThat(active / 720).isCloseTo(onlooker.leaseNanos / 180e9, within(0.01));
    }

    @Test
    void theRequestsDoNotDependOnTheController() {
        for (Scenario each : Scenarios.ALL) {
            SimResult one = Simulation.run(each, 7, new Onlooker());
            SimResult again = Simulation.run(each, 7, new Onlooker());
            assertThat(again).isEqualTo(one);
            assertThat(Simulation.run(each, 7, new FlexPoolController()).requests())
                    .isEqualTo(one.requests());
            assertThat(Simulation.run(each, 8, new Onlooker()).meanSeconds()).isNotEqualTo(one.meanSeconds());
        }
        assertThat(Scenarios.ALL).hasSize(11);
    }

    @Test
    void connectionsOpenOneAfterAnother() {
        SimController grows = new SimController() {
            @Override
            public String name() {
                return "grows";
            }

            @Override
            public int onTick(PoolWindow window) {
                if (window.limit() == 10 && window.nowNanos() > 1_100_000_000L) {
                    // 30 ms for the first, 60 ms for each after it: after 250 ms four, after 500 ms all.
                    assertThat(window.total()).isEqualTo(window.nowNanos() == 1_250_000_000L ? 9 : 10);
                }
                return window.nowNanos() >= 1_000_000_000L ? 10 : 5;
            }
        };
        SimResult result = Simulation.run(scenario(FREE, 5, Phase.load(0, 10)), 1, grows);
        assertThat(result.changes()).isEqualTo(1);
        assertThat(result.maxHeld()).isEqualTo(10);
    }

    @Test
    void anOutageTakesAllConnectionsAndRefusesNewOnes() {
        Onlooker onlooker = new Onlooker();
        Phase outage = new Phase(60, 50, 1, 0, 0, false);
        SimResult result =
                Simulation.run(scenario(FREE, 5, Phase.load(0, 50), outage, Phase.load(80, 50)), 1, onlooker);
        assertThat(result.failures()).isBetween(850, 1050);
        assertThat(result.meanHeld()).isCloseTo(5 * 160 / 180.0, within(0.05));
        for (PoolWindow window : onlooker.windows) {
            boolean out = window.nowNanos() > 60_000_000_000L && window.nowNanos() <= 80_000_000_000L;
            assertThat(window.traffic().connectFailures() > 0).isEqualTo(out);
        }
    }

    @Test
    void aLeakedLeaseNeverEnds() {
        Onlooker onlooker = new Onlooker();
        Scenario leaks =
                new Scenario("test", FREE, 10, 40, 180, List.of(Phase.load(0, 50)), List.of(), List.of(10.0, 20.0));
        Simulation.run(leaks, 1, onlooker);
        PoolWindow last = onlooker.windows.get(719);
        assertThat(last.open().olderThan(100_000_000_000L)).isEqualTo(2);
    }

    @Test
    void latencyAndThoughtAreHeldOutsideTheDatabase() {
        Onlooker far = new Onlooker();
        Simulation.run(scenario(Usl.DEFAULT, 40, new Phase(0, 70, 1, 9, 0, true)), 1, far);
        assertThat(far.leaseNanos / 1e9 / far.leases).isCloseTo(0.200, within(0.012));
        Onlooker thinking = new Onlooker();
        Simulation.run(scenario(FREE, 40, new Phase(0, 70, 1, 0, 0.060, true)), 1, thinking);
        assertThat(thinking.leaseNanos / 1e9 / thinking.leases).isCloseTo(0.080, within(0.002));
    }

    @Test
    void aBurstArrivesAtOnce() {
        Onlooker onlooker = new Onlooker();
        Scenario burst =
                new Scenario("test", FREE, 5, 40, 10, List.of(Phase.load(0, 1)), List.of(new Burst(5, 100)), List.of());
        Simulation.run(burst, 1, onlooker);
        assertThat(onlooker.windows.get(20).traffic().arrivals()).isGreaterThanOrEqualTo(100);
        assertThat(onlooker.windows.get(20).waiting()).isBetween(20, 60);
    }

    @Test
    void aRepeatedRequestWaitsAgain() {
        SimController stubborn = new SimController() {
            @Override
            public String name() {
                return "stubborn";
            }

            @Override
            public int onTick(PoolWindow window) {
                return window.limit();
            }

            @Override
            public boolean onTimeout(long nowNanos, int attempt) {
                return attempt < 3;
            }
        };
        SimResult result = Simulation.run(scenario(FREE, 2, Phase.load(0, 150)), 1, stubborn);
        assertThat(result.p99AcquireMs()).isBetween(2900.0, 3001.0);
    }

    @Test
    void aTraceHasAPointPerSecond() {
        SimResult result = Simulation.trace(Scenarios.ALL.get(0), 1, new FlexPoolController());
        assertThat(result.trace()).isNotNull();
        List<Trace.Point> points = result.trace().points();
        assertThat(points).hasSize(180);
        assertThat(points.stream().mapToInt(Trace.Point::arrivals).sum()).isEqualTo(result.requests());
        assertThat(points.get(179).second()).isEqualTo(180);
    }
}
