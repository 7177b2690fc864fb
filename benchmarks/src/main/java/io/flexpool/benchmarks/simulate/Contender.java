// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** The controllers that are compared. */
public enum Contender {
    /** The one size that is best for the whole scenario, found by trying all. */
    BEST_STATIC("every size from 1 to the ceiling, the best for each scenario", List::of),
    /** FlexyPool 3.1.1. */
    FLEXYPOOL("grows on timeouts only, after 500 ms, after 100 ms", Grids::flexyPool),
    /** Grows while requests wait, shrinks while none does. */
    INCREMENT_SHRINK(
            "grows after 10 or 100 ms of waiting × by 1 or 3 × shrinks after 1, 5 or 20 s of calm",
            Grids::incrementAndShrink),
    /** Additive increase, multiplicative decrease: Netflix's {@code AIMDLimit}. */
    AIMD(
            "leases longer than 40, 80 or 160 ms are too long × backs off to 0.9, 0.75 or 0.5 × windows of 0.1 or 1 s",
            Grids::aimd),
    /** Netflix's {@code Gradient2Limit}. */
    GRADIENT2("tolerance 1.5 or 2 × queue 2 or 4 × each lease, or windows of 0.1 or 1 s", Grids::gradient2),
    /** Netflix's {@code VegasLimit}. */
    VEGAS(
            "smoothing 1 or 0.2 × looks for a new shortest lease as by default, or never × each lease, or windows of 0.1"
                    + " or 1 s",
            Grids::vegas),
    /** Little's law with a guard against a slow database. */
    LITTLE_GUARD(
            "k = 1, 2 or 3 × growth up to 1.5, 2 or 3 times the shortest lease × smoothing 0.1 or 0.5",
            Grids::littleAndGuard),
    /** What production runs. */
    FLEXPOOL("none: the defaults", Grids::flexpool),
    /** The same in a pool whose long requests are a class of their own. */
    FLEXPOOL_CLASSES("none: the defaults", Grids::flexpoolClasses);

    /** No controller goes below. */
    static final int LEAST = 2;

    private final String grid;

    @SuppressWarnings("ImmutableEnumChecker") // method references that capture nothing
    private final Supplier<List<Candidate>> candidates;

    Contender(String grid, Supplier<List<Candidate>> candidates) {
        this.grid = grid;
        this.candidates = candidates;
    }

    /**
     * What is tried.
     *
     * @return one for each point of the grid; none of the static sizes, whose best is another one in each scenario
     */
    List<Candidate> candidates() {
        return candidates.get();
    }

    /** The grid in words. */
    String grid() {
        return grid;
    }

    /** The name on the command line and in reports. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
