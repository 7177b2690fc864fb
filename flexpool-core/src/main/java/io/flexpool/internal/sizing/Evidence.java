// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.pool.PoolSnapshot;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The evidence of a decision: the public figures, and figures that only its text names. Immutable. Figures that were
 * not measured are NaN, unless stated otherwise.
 *
 * @param openLeaseSeconds the lease time by the ages of open leases, seconds: ended leases do not show it yet
 * @param failedPerSecond requests a second that timed out
 * @param boundShare share of the last second in which the limit bound, 0 to 1
 * @param ceiling the highest limit that may be tried; 0 if unknown
 * @param ceilingAssumed whether no ceiling is set, so that four times the base is assumed
 * @param holdSeconds the time without a further step, seconds
 * @param trial the measurements of the tried step
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
     * A step and its result.
     *
     * @param before completions a second at the limit before the step
     * @param after completions a second at the limit that was tried
     * @param error one standard deviation of the logarithm of their ratio
     * @param required the rise of this logarithm that keeps the step
     * @param leases the number of leases that ended while the step was judged
     * @param instances the number of pools that share the database, including this pool
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
