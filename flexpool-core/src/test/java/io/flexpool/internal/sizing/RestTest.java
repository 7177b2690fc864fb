// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.sizing.PoolWindow.Traffic;
import io.flexpool.internal.sizing.SizingPolicy.SizingStep;
import io.flexpool.pool.PoolMode;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A pool that rests is dealt with briefly: beside a controller that never does so, nothing differs, not by a bit. */
class RestTest {
    private static final List<PoolMode> MODES = List.copyOf(EnumSet.allOf(PoolMode.class));
    private static final int NEVER = Integer.MAX_VALUE;
    private static final int BASE = 5;
    private static final int CEILING = 40;
    private static final String[] HOW_LONG_IT_RESTS = {"episodes.resting", "episodes.restTicks"};

    private final SizingSettings settings = new SizingSettings(2, Duration.ofMillis(10), 1);
    private long nanos;
    private int limit = BASE;

    @Property(tries = 100)
    void nothingOfTheControllerDiffers(@ForAll long seed, @ForAll PoolMode mode) {
        Random random = new Random(seed);
        SizingController brief = new SizingController(settings, mode);
        SizingController full = new SizingController(settings, mode, NEVER);
        for (int phase = 0; phase < 6; phase++) {
            int busy = random.nextInt(60);
            double load = random.nextDouble();
            for (int tick = 0; tick < busy; tick++) {
                both(brief, full, busy(random, load));
            }
            int rest = random.nextInt(120);
            for (int tick = 0; tick < rest; tick++) {
                both(brief, full, window(random, 0, 0, 0, Traffic.NONE, LeaseAges.NONE));
            }
            PoolMode next = MODES.get(random.nextInt(MODES.size()));
            if (random.nextInt(4) == 0) {
                brief.mode(next);
                full.mode(next);
            }
        }
        same(brief, full);
    }

    private void both(SizingController brief, SizingController full, PoolWindow window) {
        SizingStep one = brief.onTick(window);
        SizingStep other = full.onTick(window);
        // By their own equals, which compares numbers bit by bit, and without an assertion's object for each of some
        // hundred thousand ticks: with them the comparison took most of the time.
        if (!one.equals(other)) {
            assertThat(one).isEqualTo(other);
        }
        limit = one.limit();
    }

    /** To the last bit: by default two numbers that are close are the same. */
    private static void same(Object one, Object other) {
        assertThat(one)
                .usingRecursiveComparison()
                .withComparatorForType(Double::compare, Double.class)
                .ignoringFields(HOW_LONG_IT_RESTS)
                .isEqualTo(other);
    }

    private PoolWindow busy(Random random, double load) {
        int active = random.nextInt(limit + 1);
        int waiting = random.nextDouble() < load ? random.nextInt(20) : 0;
        long completions = random.nextInt(200);
        Traffic traffic = new Traffic(
                random.nextInt(200),
                completions,
                completions * random.nextInt(50_000_000),
                random.nextInt(20) == 0 ? 1 : 0,
                random.nextInt(200) == 0 ? 1 : 0,
                active * random.nextDouble(),
                waiting > 0 ? random.nextDouble() : 0);
        long[] ages = random.longs(active, 0, 4_000_000_000L).toArray();
        return window(
                random,
                waiting > 0 ? limit : active,
                waiting,
                waiting > 0 ? random.nextInt(500_000_000) : 0,
                traffic,
                LeaseAges.ofAges(ages));
    }

    private PoolWindow window(Random random, int active, int waiting, long head, Traffic traffic, LeaseAges open) {
        // A tick may be late, and of one that is very late the next comes at once.
        nanos += random.nextInt(50) == 0 ? random.nextInt(2) * 1_000_000L : 240_000_000 + random.nextInt(20_000_000);
        return new PoolWindow(nanos, BASE, CEILING, limit, active, waiting, 0, limit, head, traffic, open);
    }
}
