// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.netflix.concurrency.limits.limit.AIMDLimit;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The controllers that flexpool's is compared with do what their names say. */
class ContendersTest {
    private static final long MS = 1_000_000L;
    /** Short: from little load to much. */
    private static final Scenario STEP = new Scenario(
            "step",
            Usl.DEFAULT,
            5,
            40,
            30,
            List.of(Scenario.Phase.load(0, 50), Scenario.Phase.load(10, 250)),
            List.of(),
            List.of());

    private final Windows windows = new Windows();

    @Test
    void incrementAndShrinkGrowsAfterALongWait() {
        IncrementAndShrink rule = new IncrementAndShrink(Duration.ofMillis(100), 3, Duration.ofSeconds(1));

        assertThat(rule.onTick(windows.demand(10, 10, 4, 99))).isEqualTo(10);
        assertThat(rule.onTick(windows.demand(10, 10, 4, 100))).isEqualTo(13);
        assertThat(rule.onTick(windows.demand(39, 39, 4, 100))).isEqualTo(40);
    }

    @Test
    void incrementAndShrinkShrinksByOneASecondOnceAllIsCalm() {
        IncrementAndShrink rule = new IncrementAndShrink(Duration.ofMillis(100), 1, Duration.ofSeconds(2));
        int limit = 10;
        for (int tick = 0; tick <= 4 * 2; tick++) {
            assertThat(limit).isEqualTo(10);
            limit = rule.onTick(windows.demand(limit, 3, 0, 0));
        }
        assertThat(limit).isEqualTo(9);
        for (int tick = 0; tick < 4; tick++) {
            limit = rule.onTick(windows.demand(limit, 3, 0, 0));
        }
        assertThat(limit).isEqualTo(8);
        rule.onTick(windows.demand(limit, limit, 0, 0));
        for (int tick = 0; tick < 4; tick++) {
            limit = rule.onTick(windows.demand(limit, 3, 0, 0));
        }
        assertThat(limit).as("none was to spare just now").isEqualTo(8);
    }

    @Test
    void littleTakesTheOfferedLoadAndRoomForChance() {
        LittleAndGuard rule = new LittleAndGuard(2, 1.5, 1);

        // 400 a second for 40 ms each: 16 in use, and twice the root of that.
        assertThat(rule.onTick(windows.leases(5, 100, 40))).isEqualTo(24);
        assertThat(rule.onTick(windows.leases(24, 1, 40))).isEqualTo(2);
    }

    @Test
    void theGuardForbidsGrowthWhileLeasesAreLong() {
        LittleAndGuard rule = new LittleAndGuard(2, 1.5, 1);
        rule.onTick(windows.leases(5, 25, 40));

        assertThat(rule.onTick(windows.leases(8, 25, 59))).isEqualTo(11);
        assertThat(rule.onTick(windows.leases(8, 25, 62))).isEqualTo(8);
    }

    @Test
    void aNetflixLimitReceivesLeasesAndStaysInItsBounds() {
        NetflixLimit limit = new NetflixLimit(
                Contender.AIMD,
                (initial, least, most) -> AIMDLimit.newBuilder()
                        .initialLimit(initial)
                        .minLimit(1)
                        .maxLimit(100)
                        .timeout(50, TimeUnit.MILLISECONDS)
                        .backoffRatio(0.5)
                        .build(),
                null);
        limit.begin(new SteadyPool(5, 40));
        long now = 0;
        for (int lease = 0; lease < 60; lease++) {
            limit.onReleased(now += MS, 20 * MS, 60, false);
        }
        assertThat(limit.onTick(windows.demand(5, 5, 0, 0))).isEqualTo(40);
        limit.onReleased(now += MS, 20 * MS, 60, true);
        assertThat(limit.onTick(windows.demand(5, 5, 0, 0)))
                .as("65, halved for a broken connection")
                .isEqualTo(32);
        for (int lease = 0; lease < 10; lease++) {
            limit.onReleased(now += MS, 51 * MS, 60, false);
        }
        assertThat(limit.onTick(windows.demand(5, 5, 0, 0))).isEqualTo(Contender.LEAST);
    }

    @Test
    void aWindowReportsOncePerWindow() {
        NetflixLimit each = gradient2(null);
        NetflixLimit windowed = gradient2(Duration.ofSeconds(1));
        for (long lease = 1; lease <= 80; lease++) {
            each.onReleased(10 * MS * lease, 10 * MS, 60, false);
            windowed.onReleased(10 * MS * lease, 10 * MS, 60, false);
        }

        assertThat(each.onTick(windows.demand(5, 5, 0, 0))).isGreaterThan(20);
        assertThat(windowed.onTick(windows.demand(5, 5, 0, 0))).isLessThan(8);
    }

    private static NetflixLimit gradient2(@Nullable Duration window) {
        NetflixLimit limit = new NetflixLimit(
                Contender.GRADIENT2,
                (initial, least, most) -> Gradient2Limit.newBuilder()
                        .initialLimit(initial)
                        .minLimit(least)
                        .maxConcurrency(most)
                        .build(),
                window);
        limit.begin(new SteadyPool(5, 40));
        return limit;
    }

    /** Their classes have no clock that the test could not set, and no chance but that of Vegas' look for a new minimum. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BEST_STATIC")
    void theSameSeedGivesTheSameRun(Contender contender) {
        Candidate candidate = contender.candidates().get(0);

        SimResult run = Simulation.run(STEP, 7, candidate.controller().get());

        assertThat(Simulation.run(STEP, 7, candidate.controller().get())).isEqualTo(run);
        assertThat(Simulation.run(STEP, 8, candidate.controller().get())).isNotEqualTo(run);
        assertThat(run.controller()).isEqualTo(contender.toString());
        assertThat(run.changes()).isPositive();
    }

    /** A grid whose points are the same controller would be no grid. */
    @Test
    void gridPointsDifferInNameAndFigures() {
        for (Contender contender : EnumSet.complementOf(EnumSet.of(Contender.BEST_STATIC))) {
            Set<String> names = new HashSet<>();
            Set<Double> figures = new HashSet<>();
            for (Candidate candidate : contender.candidates()) {
                names.add(candidate.parameters());
                figures.add(
                        Simulation.run(STEP, 1, candidate.controller().get()).meanSeconds());
            }
            int points = contender.candidates().size();
            assertThat(names).as(contender.toString()).hasSize(points);
            assertThat(figures).as(contender.toString()).hasSizeGreaterThanOrEqualTo((points + 1) * 2 / 3);
        }
    }
}
