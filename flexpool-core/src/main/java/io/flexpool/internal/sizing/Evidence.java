// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/**
 * What a decision rests on. Immutable. What was not measured is NaN, unless stated otherwise.
 *
 * @param arrivalRate λ, requests a second
 * @param leaseSeconds S, how long the leases that ended lately lasted, mean, seconds; 0 if none ended
 * @param calmLeaseSeconds SR, how long they last in calm, seconds; 0 while that is not learnt
 * @param rateBefore X, completions a second at the limit before the step
 * @param rateAfter completions a second at the limit that was tried
 * @param gainError by how much the logarithm of their ratio may be off, one standard deviation
 * @param headAgeSeconds how long the oldest request has waited, seconds
 * @param stuck leases out so long that their connections count as taken
 * @param expectedWaitSeconds the p99 of waiting that Erlang's formula expects at the limit decided on, if leases stay as
 *     long as they are; infinite if that limit does not carry the load
 * @param ceilingAssumed whether no ceiling is set, and four times the base was taken for one
 * @param openLeaseSeconds how long leases last by the ages of those still out, seconds: what ended leases do not show yet
 * @param requiredGain by how much the logarithm of that ratio must rise for the step to be kept
 * @param judgedOn leases that ended while the step was judged
 * @param failedPerSecond requests a second that gave up waiting
 * @param holdSeconds for how long no further step is tried, seconds
 * @param boundShare share of the last second in which the limit bound, 0 to 1
 * @param ceiling the highest limit that may be tried; 0 if it is not known
 */
public record Evidence(
        double arrivalRate,
        double leaseSeconds,
        double calmLeaseSeconds,
        double rateBefore,
        double rateAfter,
        double gainError,
        double headAgeSeconds,
        int stuck,
        double expectedWaitSeconds,
        boolean ceilingAssumed,
        double openLeaseSeconds,
        double requiredGain,
        double judgedOn,
        double failedPerSecond,
        double holdSeconds,
        double boundShare,
        int ceiling) {

    /** Where nothing is known beside what a decision is made on. */
    public Evidence(
            double arrivalRate,
            double leaseSeconds,
            double calmLeaseSeconds,
            double rateBefore,
            double rateAfter,
            double gainError,
            double headAgeSeconds,
            int stuck,
            double expectedWaitSeconds,
            boolean ceilingAssumed) {
        this(
                arrivalRate,
                leaseSeconds,
                calmLeaseSeconds,
                rateBefore,
                rateAfter,
                gainError,
                headAgeSeconds,
                stuck,
                expectedWaitSeconds,
                ceilingAssumed,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                0);
    }

    static Evidence of(Signals signals) {
        return new Evidence(
                signals.arrivalRate(),
                signals.lease(),
                signals.calmKnown() ? signals.calmLease() : 0,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                signals.headAge(),
                signals.stuck(),
                Double.NaN,
                false,
                signals.stretched(),
                Double.NaN,
                Double.NaN,
                signals.timeoutRate(),
                Double.NaN,
                signals.saturated(),
                signals.ceiling());
    }

    Evidence rates(double before, double after, double error) {
        return judged(before, after, error, Double.NaN, Double.NaN);
    }

    Evidence judged(double before, double after, double error, double required, double leases) {
        return new Evidence(
                arrivalRate,
                leaseSeconds,
                calmLeaseSeconds,
                before,
                after,
                error,
                headAgeSeconds,
                stuck,
                expectedWaitSeconds,
                ceilingAssumed,
                openLeaseSeconds,
                required,
                leases,
                failedPerSecond,
                holdSeconds,
                boundShare,
                ceiling);
    }

    Evidence expecting(double waitSeconds, boolean assumed) {
        return new Evidence(
                arrivalRate,
                leaseSeconds,
                calmLeaseSeconds,
                rateBefore,
                rateAfter,
                gainError,
                headAgeSeconds,
                stuck,
                waitSeconds,
                assumed,
                openLeaseSeconds,
                requiredGain,
                judgedOn,
                failedPerSecond,
                holdSeconds,
                boundShare,
                ceiling);
    }

    Evidence holding(double seconds) {
        return new Evidence(
                arrivalRate,
                leaseSeconds,
                calmLeaseSeconds,
                rateBefore,
                rateAfter,
                gainError,
                headAgeSeconds,
                stuck,
                expectedWaitSeconds,
                ceilingAssumed,
                openLeaseSeconds,
                requiredGain,
                judgedOn,
                failedPerSecond,
                seconds,
                boundShare,
                ceiling);
    }
}
