// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.sizing.PoolWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

/** What holds in any scenario: of the controller that production runs, of the others, and of the simulator itself. */
class SimulationPropertyTest {
    @Provide
    Arbitrary<Scenario> scenarios() {
        return RandomScenarios.any();
    }

    @Property(tries = 150)
    void flexpoolKeepsItsPromisesInAnyScenario(
            @ForAll("scenarios") Scenario scenario, @ForAll @LongRange(max = 1_000_000) long seed) {
        List<Watched> instances = new ArrayList<>();

        SimResult run = Simulation.run(scenario, seed, () -> {
            Watched watched = new Watched(new FlexPoolController());
            instances.add(watched);
            return watched;
        });

        int ticks = (int) (scenario.seconds() / Simulation.TICK_SECONDS);
        assertThat(instances.get(0).ticks()).isEqualTo(ticks);
        assertThat(instances)
                .hasSize(scenario.instances())
                .allSatisfy(watched -> assertThat(watched.ticks()).isBetween(ticks - 1, ticks));
        assertThat(run.changes())
                .as("one change per tick at most")
                .isLessThanOrEqualTo(instances.stream().mapToInt(Watched::ticks).sum());
        assertThat(run.maxHeld()).isLessThanOrEqualTo(scenario.ceiling() * scenario.instances());
    }

    /** No change of the limit, at any moment, loses a connection or hands out one too many. */
    @Property(tries = 100)
    void aResizeTakesNoConnectionFromAnybody(
            @ForAll("scenarios") Scenario scenario, @ForAll @LongRange(max = 1_000_000) long seed) {
        SimResult run = Simulation.trace(scenario, seed, () -> new Restless(seed));

        assertThat(run.failures()).isBetween(0, run.requests());
        assertThat(run.maxHeld()).isLessThanOrEqualTo(scenario.ceiling() * scenario.instances());
        assertThat(run.meanHeld()).isLessThanOrEqualTo(run.maxHeld() + 1e-6);
        List<Trace.Point> points = Objects.requireNonNull(run.trace()).points();
        assertThat(points).hasSize((int) scenario.seconds());
        assertThat(points.stream().mapToInt(Trace.Point::arrivals).sum()).isEqualTo(run.requests());
        assertThat(points.stream().mapToInt(Trace.Point::failures).sum()).isEqualTo(run.failures());
    }

    @Property(tries = 30)
    void theSameScenarioAndSeedGiveTheSameRun(
            @ForAll("scenarios") Scenario scenario, @ForAll @LongRange(max = 1_000_000) long seed) {
        assertThat(Simulation.run(scenario, seed, FlexPoolController::new))
                .isEqualTo(Simulation.run(scenario, seed, FlexPoolController::new));
    }

    /** Moves the limit at every moment at which it is called. */
    private static final class Restless implements SimController {
        private final SplittableRandom random;
        private SimPool pool = NoPool.INSTANCE;
        private boolean moving;

        Restless(long seed) {
            this.random = new SplittableRandom(seed);
        }

        @Override
        public String name() {
            return "restless";
        }

        @Override
        public void begin(SimPool begun) {
            pool = begun;
        }

        @Override
        public int onTick(PoolWindow window) {
            assertThat(window.active())
                    .as("of %s", window)
                    .isEqualTo(window.open().count());
            move();
            return pool.limit();
        }

        @Override
        public void onAcquired(long nowNanos, long waitedNanos) {
            assertThat(pool.active()).isLessThanOrEqualTo(pool.limit());
            move();
        }

        @Override
        public void onReleased(long nowNanos, long leaseNanos, int activeAtStart, boolean failed) {
            move();
        }

        @Override
        public boolean onTimeout(long nowNanos, int attempt) {
            move();
            return attempt < 2;
        }

        private void move() {
            // A request served by a raised limit is notified before the raise returns.
            if (moving || random.nextInt(4) > 0) {
                return;
            }
            moving = true;
            int out = pool.active();
            int to = random.nextInt(pool.ceiling() + 3) - 1;
            pool.limit(to);
            assertThat(pool.limit()).isBetween(1, pool.ceiling());
            assertThat(pool.active()).as("out after a resize to %s", to).isGreaterThanOrEqualTo(out);
            moving = false;
        }
    }
}
