// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.pool.PoolSnapshot;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a decision rests on: the public figures, and those that only its text names. Immutable. What was not measured is NaN,
 * unless stated otherwise.
 *
 * @param openLeaseSeconds how long leases last by the ages of those still open, seconds: what ended leases do not show yet
 * @param failedPerSecond requests a second that gave up waiting
 * @param boundShare share of the last second in which the limit bound, 0 to 1
 * @param ceiling the highest limit that may be tried; 0 if it is not known
 * @param ceilingAssumed whether no ceiling is set, and four times the base was taken for one
 * @param holdSeconds for how long no further step is tried, seconds
 * @param trial what was measured while a step was tried
 */
public record Evidence(
        double arrivalsPerSecond,
        double leaseSeconds,
        double openLeaseSeconds,
        double calmLeaseSeconds,
        double oldestWaitSeconds,
        double failedPerSecond,
        double boundShare,
        int occupied,
        int ceiling,
        boolean ceilingAssumed,
        double expectedP99WaitSeconds,
        double holdSeconds,
        Trial trial) {
    private static final double NAN = Double.NaN;

    /** Nothing was measured. */
    public static final Evidence NONE =
            new Evidence(NAN, NAN, NAN, NAN, NAN, NAN, NAN, PoolSnapshot.UNKNOWN, 0, false, NAN, NAN, Trial.NONE);

    /**
     * A step and what came of it.
     *
     * @param before completions a second at the limit before the step
     * @param after completions a second at the limit that was tried
     * @param error one standard deviation of the logarithm of their ratio
     * @param required by how much that logarithm must rise for the step to be kept
     * @param leases how many leases ended while the step was judged
     * @param instances how many pools share the database, this one included
     */
    public record Trial(double before, double after, double error, double required, double leases, int instances) {
        /** Nothing is tried. */
        public static final Trial NONE = new Trial(NAN, NAN, NAN, NAN, NAN, 1);
    }

    static Evidence of(
            Signals signals, Trial trial, double expectedWaitSeconds, boolean ceilingAssumed, double holdSeconds) {
        return new Evidence(
                signals.arrivalRate,
                signals.lease,
                signals.stretched,
                signals.calmKnown ? signals.calmLease : 0,
                signals.headAge,
                (double) signals.timeouts,
                signals.saturated,
                signals.stuck,
                signals.ceiling,
                ceilingAssumed,
                expectedWaitSeconds,
                holdSeconds,
                trial);
    }

    /** As {@link io.flexpool.diagnostics.Decision#inputs()} shows them. */
    Map<String, Double> figures() {
        Map<String, Double> figures = new LinkedHashMap<>();
        put(figures, "arrivalsPerSecond", arrivalsPerSecond);
        put(figures, "leaseMillis", leaseSeconds * 1e3);
        put(figures, "calmLeaseMillis", calmLeaseSeconds * 1e3);
        put(figures, "completionsPerSecondBefore", trial.before());
        put(figures, "completionsPerSecondAfter", trial.after());
        put(figures, "gainError", trial.error());
        put(figures, "oldestWaitMillis", oldestWaitSeconds * 1e3);
        if (occupied != PoolSnapshot.UNKNOWN) {
            put(figures, "occupied", occupied);
        }
        put(figures, "expectedP99WaitMillis", expectedP99WaitSeconds * 1e3);
        return Collections.unmodifiableMap(figures);
    }

    private static void put(Map<String, Double> figures, String name, double figure) {
        if (Double.isFinite(figure)) {
            figures.put(name, figure);
        }
    }
}
