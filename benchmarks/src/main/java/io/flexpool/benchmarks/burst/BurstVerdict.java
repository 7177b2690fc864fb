// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import io.flexpool.benchmarks.kit.TextTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What flexpool was to reach with one pool, and whether it did. NaN where a figure was not measured; such a goal is not
 * met.
 *
 * @param pool the pool
 * @param met whether all goals are
 * @param goals each goal with its figures
 */
public record BurstVerdict(String pool, boolean met, List<Goal> goals) {
    /** The bound on the median of the bursts' worst, in the model's worst. */
    static final double WORST_IN_MODELS = 1.1;
    /** The bound on the 99th percentile, in that of a pool as large as the ceiling. */
    static final double P99_IN_CEILINGS = 1.1;
    /** "Well below" what a pool as large as the ceiling holds: at most this share of what it holds over the base. */
    static final double SHARE_OF_GROWTH = 0.5;

    /**
     * One goal.
     *
     * @param name what is bounded
     * @param actual what was measured; null if nothing was
     * @param atMost the bound; null if it could not be computed
     * @param met whether the first does not exceed the second
     */
    public record Goal(
            String name, @Nullable Double actual, @Nullable Double atMost, boolean met) {
        static Goal of(String name, double actual, double atMost) {
            return new Goal(name, orNull(actual), orNull(atMost), actual <= atMost);
        }

        private static @Nullable Double orNull(double value) {
            return Double.isNaN(value) ? null : value;
        }

        String describe() {
            return name + " " + number(actual) + (met ? " <= " : " > ") + number(atMost) + (met ? "" : " MISSED");
        }

        private static String number(@Nullable Double value) {
            return TextTable.number(value == null ? Double.NaN : value, 1);
        }
    }

    /**
     * Compares.
     *
     * @param flexpool flexpool's row
     * @param ceiling the row of the bare pool as large as the ceiling
     * @param sizes base and ceiling
     * @param modelMs the model's worst
     */
    static BurstVerdict of(BurstRow flexpool, BurstRow ceiling, Sizes sizes, double modelMs) {
        double growthAtMost = SHARE_OF_GROWTH * (orNaN(ceiling.meanHeld()) - sizes.base());
        List<Goal> goals = new ArrayList<>();
        goals.add(Goal.of("failures", flexpool.failures(), 0));
        goals.add(Goal.of(
                "maxPhysical", flexpool.maxPhysical() == null ? Double.NaN : flexpool.maxPhysical(), sizes.ceiling()));
        goals.add(Goal.of("median worst ms", flexpool.medianWorstMs(), WORST_IN_MODELS * modelMs));
        goals.add(Goal.of("p99 ms", orNaN(flexpool.p99LatencyMs()), P99_IN_CEILINGS * orNaN(ceiling.p99LatencyMs())));
        goals.add(Goal.of("meanHeld", orNaN(flexpool.meanHeld()), sizes.base() + growthAtMost));
        return new BurstVerdict(flexpool.pool(), goals.stream().allMatch(Goal::met), goals);
    }

    private static double orNaN(@Nullable Double value) {
        return value == null ? Double.NaN : value;
    }

    String describe() {
        return pool + ": " + (met ? "all goals met: " : "NOT all goals met: ")
                + String.join("; ", goals.stream().map(Goal::describe).toList());
    }
}
