// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.sizing.ModelPool.Phase;
import io.flexpool.internal.sizing.PoolWindow.Traffic;
import io.flexpool.internal.sizing.SizingPolicy.SizingStep;
import io.flexpool.pool.PoolMode;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple2;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/**
 * What the controller promises in every case: any load, any slowness, any outage and leak, base and ceiling moved at
 * any moment. It acts on a modelled pool, so its own doings are part of what happens to it.
 */
class SizingControllerPropertyTest {
    private static final SizingSettings SETTINGS = SizingSettings.DEFAULT;
    private static final double MOST_SLOWNESS = 10;
    private static final int MOST_CEILING = 40;
    /** From the last queue until growth is given back, but for the time that the giving back takes. */
    private static final double CALM_SECONDS = 25;

    private static final double DECAY_PER_SECOND = 0.16;

    @Property(tries = 300)
    void theInvariantsHoldWithFailures(
            @ForAll("histories") List<Phase> phases,
            @ForAll @LongRange(max = 1_000_000) long seed,
            @ForAll @IntRange(min = 4, max = 30) int knee) {
        SizingWatch watch = watch(PoolMode.ADAPT);
        ModelPool pool = new ModelPool(seed, phases.get(0).base(), knee);
        for (Phase phase : phases) {
            run(pool, watch, phase);
        }
        calm(pool, watch, phases.get(phases.size() - 1));
        assertThat(watch.tries()).as("a step without a verdict").isFalse();
    }

    /** A switch to another mode than adapt restores the base: so does the test. */
    @Property(tries = 200)
    void theInvariantsHoldInEveryMode(
            @ForAll("histories") List<Phase> phases,
            @ForAll("modes") List<PoolMode> modes,
            @ForAll @LongRange(max = 1_000_000) long seed) {
        SizingWatch watch = watch(PoolMode.ADAPT);
        ModelPool pool = new ModelPool(seed, phases.get(0).base(), 12);
        for (int at = 0; at < phases.size(); at++) {
            Phase phase = phases.get(at);
            PoolMode mode = modes.get(at % modes.size());
            watch.mode(mode);
            if (mode != PoolMode.ADAPT) {
                pool.limit(phase.base());
            }
            run(pool, watch, phase);
        }
    }

    private static SizingWatch watch(PoolMode mode) {
        return new SizingWatch(SETTINGS, mode);
    }

    @Provide
    Arbitrary<List<PoolMode>> modes() {
        return Arbitraries.of(PoolMode.class).list().ofMinSize(1).ofMaxSize(8);
    }

    /** Nothing arrives any more: what was grown is given back in time. */
    private static void calm(ModelPool pool, SizingWatch watch, Phase last) {
        int excess = Math.max(1, pool.limit() - last.base());
        double seconds = CALM_SECONDS + Math.log(excess) / DECAY_PER_SECOND;
        int ticks = (int) Math.ceil(seconds / ModelPool.TICK_SECONDS);
        run(pool, watch, new Phase(ticks, 0, 1, true, 0, last.base(), last.ceiling()));
        int leaked = pool.leaked();
        int need = Math.max(
                last.base(),
                leaked == 0
                        ? 1
                        : leaked
                                + ErlangC.size(
                                        leaked,
                                        MOST_SLOWNESS * ModelPool.leaseSeconds(),
                                        SETTINGS.waitTargetSeconds(),
                                        last.ceiling()));
        assertThat(pool.limit())
                .as("the limit after %s calm seconds, %s leaked", seconds, leaked)
                .isLessThanOrEqualTo(Math.max(last.base(), (int) Math.ceil(1.1 * need)));
    }

    private static void run(ModelPool pool, SizingWatch watch, Phase phase) {
        pool.leak(phase.leaks());
        for (int tick = 0; tick < phase.ticks(); tick++) {
            pool.limit(watch.onTick(pool.tick(phase)));
        }
    }

    @Property(tries = 300)
    void theInvariantsHoldForAnyWindow(@ForAll("windows") List<PoolWindow> windows) {
        SizingWatch watch = watch(PoolMode.ADAPT);
        long now = 0;
        int limit = windows.get(0).limit();
        for (PoolWindow seen : windows) {
            now += seen.nowNanos();
            limit = watch.onTick(at(now, limit, seen));
        }
    }

    @Property(tries = 100)
    void theSameWindowsGiveTheSameDecisions(@ForAll("windows") List<PoolWindow> windows) {
        assertThat(steps(windows)).isEqualTo(steps(windows));
    }

    private static List<SizingStep> steps(List<PoolWindow> windows) {
        SizingController controller = new SizingController(SETTINGS, PoolMode.ADAPT);
        List<SizingStep> steps = new ArrayList<>();
        long now = 0;
        int limit = windows.get(0).limit();
        for (PoolWindow seen : windows) {
            now += seen.nowNanos();
            SizingStep step = controller.onTick(at(now, limit, seen));
            steps.add(step);
            limit = step.limit();
        }
        return steps;
    }

    private static PoolWindow at(long nowNanos, int limit, PoolWindow seen) {
        return new PoolWindow(
                nowNanos,
                seen.base(),
                seen.ceiling(),
                limit,
                seen.active(),
                seen.waiting(),
                seen.lastGrowthNanos(),
                seen.total(),
                seen.headAgeNanos(),
                seen.traffic(),
                seen.open());
    }

    @Provide
    Arbitrary<List<Phase>> histories() {
        Arbitrary<Double> rates = Arbitraries.of(0, 20, 60, 120, 250, 400, 1000)
                .flatMap(rate -> Arbitraries.doubles().between(0.8 * rate, 1.2 * rate));
        Arbitrary<Double> slowness = Arbitraries.integers()
                .between(0, 4)
                .flatMap(one -> one < 3 ? Arbitraries.just(1.0) : doubles(1, MOST_SLOWNESS));
        return Combinators.combine(
                        Arbitraries.integers().between(1, 160),
                        rates,
                        slowness,
                        Arbitraries.integers().between(0, 7).map(one -> one > 0),
                        Arbitraries.frequency(tupleOf(5, 0), tupleOf(1, 1), tupleOf(1, 4)),
                        Arbitraries.integers().between(SETTINGS.min(), 12),
                        Arbitraries.integers().between(0, MOST_CEILING))
                .as((ticks, rate, slow, up, leaks, base, above) ->
                        new Phase(ticks, rate, slow, up, leaks, base, Math.min(MOST_CEILING, base + above)))
                .list()
                .ofMinSize(1)
                .ofMaxSize(8);
    }

    private static Arbitrary<Double> doubles(double least, double most) {
        return Arbitraries.doubles().between(least, most);
    }

    private static Tuple2<Integer, Integer> tupleOf(int weight, int value) {
        return Tuple.of(weight, value);
    }

    /** Windows that need not fit together; the time in each is the time since the one before. */
    @Provide
    Arbitrary<List<PoolWindow>> windows() {
        Arbitrary<Traffic> traffic = Combinators.combine(
                        Arbitraries.longs().between(0, 400),
                        Arbitraries.longs().between(0, 400),
                        doubles(0, 2),
                        Arbitraries.longs().between(0, 20),
                        Arbitraries.frequency(tupleOf(9, 0), tupleOf(1, 2)),
                        doubles(0, 1))
                .as((arrivals, completions, lease, timeouts, failures, saturated) -> new Traffic(
                        arrivals, completions, (long) (completions * lease * 1e9), timeouts, failures, 4, saturated));
        Arbitrary<int[]> sizes = Combinators.combine(
                        Arbitraries.integers().between(SETTINGS.min(), 12),
                        Arbitraries.integers().between(0, 30),
                        Arbitraries.integers().between(-1, 50))
                .as((base, above, total) -> new int[] {base, base + above, total});
        return Combinators.combine(
                        Arbitraries.longs().between(1_000_000L, 1_000_000_000L),
                        sizes,
                        Arbitraries.integers().between(0, 50),
                        Arbitraries.integers().between(0, 500),
                        Arbitraries.longs().between(0, 3_000_000_000L),
                        traffic,
                        Arbitraries.longs()
                                .between(0, 600_000_000_000L)
                                .array(long[].class)
                                .ofMaxSize(20))
                .as((nanos, size, active, waiting, head, seen, ages) -> new PoolWindow(
                        nanos,
                        size[0],
                        size[1],
                        size[0],
                        active,
                        waiting,
                        0,
                        size[2],
                        head,
                        seen,
                        LeaseAges.ofAges(ages)))
                .list()
                .ofMinSize(1)
                .ofMaxSize(60);
    }
}
