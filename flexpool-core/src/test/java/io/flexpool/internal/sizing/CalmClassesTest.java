// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.internal.sizing.PoolWindow.OfClass;
import io.flexpool.internal.sizing.PoolWindow.Traffic;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Requests of two classes: 25 short ones a tick, of 2 ms, and now and then one of 2 s. */
class CalmClassesTest {
    private static final long MS = 1_000_000;
    private static final long SHORT = 2 * MS;
    private static final long LONG = 2_000 * MS;

    private final EpisodeTracker episodes = new EpisodeTracker(SizingSettings.DEFAULT, History.SIZE);
    private long nanos;

    /** A tick in which leases of both classes ended, and so many of the long class are there. */
    private Signals tick(long briefs, long briefNanos, long lasting, int there, boolean classes) {
        nanos += 250 * MS;
        long leaseNanos = briefs * briefNanos + lasting * LONG;
        List<OfClass> figures = List.of(
                new OfClass(briefs, briefs, briefs * briefNanos, 0),
                new OfClass(lasting, lasting, lasting * LONG, there));
        Traffic traffic =
                new Traffic(briefs + lasting, briefs + lasting, leaseNanos, 0, 0, 1, 0, classes ? figures : List.of());
        return Objects.requireNonNull(
                episodes.tick(new PoolWindow(nanos, 5, 40, 5, 1, 0, 0, 5, 0, traffic, LeaseAges.NONE)));
    }

    /** Two minutes, with one long lease each second. */
    private Signals calm(boolean classes) {
        for (int tick = 0; tick < 480; tick++) {
            tick(25, SHORT, tick % 4 == 0 ? 1 : 0, 2, classes);
        }
        return tick(25, SHORT, 0, 2, classes);
    }

    @Test
    void moreLongLeasesByChanceDoNotLookLikeASlowDatabase() {
        calm(true);

        Signals signals = tick(25, SHORT, 10, 2, true);

        assertThat(signals.databaseSlow()).isFalse();
        assertThat(signals.lease).isCloseTo(signals.calmLease, within(0.1 * signals.calmLease));
    }

    @Test
    void withoutClassesTheyDo() {
        calm(false);

        assertThat(tick(25, SHORT, 10, 2, false).databaseSlow()).isTrue();
    }

    @Test
    void aDatabaseIsSlowIfLeasesAreLongForTheirClass() {
        calm(true);
        for (int tick = 0; tick < 8; tick++) {
            tick(25, 5 * SHORT, 0, 2, true);
        }

        assertThat(tick(25, 5 * SHORT, 0, 2, true).databaseSlow()).isTrue();
    }

    @Test
    void longRequestsThatAreThereCountAsOneConnectionEach() {
        Signals few = calm(true);
        Signals many = tick(25, SHORT, 0, 10, true);

        assertThat(many.need(many.calmLease) - few.need(few.calmLease)).isBetween(8, 14);
    }

    @Test
    void aClassOfWhichNothingIsKnownCountsToo() {
        for (int tick = 0; tick < 480; tick++) {
            tick(25, SHORT, 0, 0, true);
        }
        Signals before = tick(25, SHORT, 0, 0, true);
        Signals after = tick(25, SHORT, 0, 8, true);

        assertThat(after.need(after.calmLease)).isGreaterThanOrEqualTo(before.need(before.calmLease) + 7);
    }

    @Test
    void leasesThatCountAsTakenAreNotCountedTwice() {
        CalmClasses classes = new CalmClasses();
        for (int tick = 0; tick < 30; tick++) {
            classes.calm(List.of(new OfClass(1, 1, SHORT, 0), new OfClass(1, 1, LONG, 0)));
        }
        List<OfClass> now = List.of(new OfClass(1, 1, SHORT, 4), new OfClass(0, 0, 0, 8));

        assertThat(classes.load(now, new double[] {100, 0}, 0)).isCloseTo(8.2, within(1e-9));
        assertThat(classes.load(now, new double[] {100, 0}, 5)).isCloseTo(3.2, within(1e-9));
        assertThat(classes.load(now, new double[] {100, 0}, 9)).isCloseTo(0.2, within(1e-9));
        assertThat(classes.load(List.of(), new double[0], 0)).isNaN();
    }
}
