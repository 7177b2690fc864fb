// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.sizing.PoolWindow.OfClass;
import io.flexpool.internal.sizing.PoolWindow.Traffic;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The ages of open leases where a hundred requests take 2 ms and one takes 2 s: at any moment a long lease is open more
 * often than a short one, so old leases are no sign of a slow database.
 */
class UnequalLeasesTest {
    private static final long MS = 1_000_000;
    private static final long SHORT = 2 * MS;
    private static final long LONG = 2_000 * MS;
    private static final int TWO_MINUTES = 480;

    private final EpisodeTracker episodes = new EpisodeTracker(SizingSettings.DEFAULT, History.SIZE);
    private long nanos;

    private Signals tick(int lasting, int waiting, boolean classes, long... agesMillis) {
        nanos += 250 * MS;
        int briefs = 25;
        List<OfClass> figures = List.of(
                new OfClass(briefs, briefs, briefs * SHORT, 0), new OfClass(lasting, lasting, lasting * LONG, 2));
        Traffic traffic = new Traffic(
                briefs + lasting,
                briefs + lasting,
                briefs * SHORT + lasting * LONG,
                0,
                0,
                1,
                waiting > 0 ? 1 : 0,
                classes ? figures : List.of());
        LeaseAges open =
                LeaseAges.ofAges(LongStream.of(agesMillis).map(age -> age * MS).toArray());
        int limit = Math.max(1, open.count());
        return Objects.requireNonNull(episodes.tick(new PoolWindow(
                nanos, limit, 40, limit, open.count(), waiting, 0, limit, waiting > 0 ? 50 * MS : 0, traffic, open)));
    }

    /** One long lease ends each second, and two are open at any moment. */
    private void unequal(boolean classes) {
        for (int tick = 0; tick < TWO_MINUTES; tick++) {
            tick(tick % 4 == 0 ? 1 : 0, 0, classes, 500, 1_500);
        }
    }

    @Test
    void rareLongRequestsAreNoSlowDatabase() {
        unequal(false);

        assertThat(tick(0, 3, false, 300, 700, 1_100, 1_500, 1_900).databaseSlow())
                .isFalse();
    }

    @Test
    void aConnectionThatDoesNotComeBackIsNoneEither() {
        unequal(false);

        assertThat(tick(0, 3, false, 300, 700, 1_100, 1_500, 60_000).databaseSlow())
                .isFalse();
    }

    @Test
    void theAgesOfThreeLeasesAreTooFew() {
        unequal(false);

        assertThat(tick(1, 3, false, 300, 3_100, 3_200).databaseSlow()).isFalse();
    }

    @Test
    void agesSayNothingWhereRequestsHaveClasses() {
        for (int tick = 0; tick < TWO_MINUTES; tick++) {
            tick(tick % 4 == 0 ? 1 : 0, 0, true, 1);
        }

        assertThat(tick(0, 3, true, 300, 700, 1_100, 1_500, 1_900).databaseSlow())
                .isFalse();
    }

    /** Otherwise the tests above would pass if ages were never read. */
    @Test
    void theSameAgesAreASlowDatabaseWhereLeasesAreEqual() {
        for (int tick = 0; tick < TWO_MINUTES; tick++) {
            tick(0, 0, false, 1);
        }

        assertThat(tick(0, 3, false, 300, 700, 1_100, 1_500, 1_900).databaseSlow())
                .isTrue();
    }
}
