// SPDX-License-Identifier: Apache-2.0
package io.flexpool.sizing;

/**
 * What a decision rests on. Immutable.
 *
 * @param arrivalRate λ, requests a second
 * @param leaseSeconds S, how long leases lasted lately, seconds; 0 if none ended
 * @param calmLeaseSeconds SR, how long they last in calm, seconds; 0 while that is not learnt
 * @param rateBefore X, completions a second at the limit before the step; NaN if nothing was tried
 * @param rateAfter completions a second at the limit that was tried; NaN before it is judged
 * @param gainError by how much the logarithm of their ratio may be off, one standard deviation; NaN before
 * @param headAgeSeconds how long the oldest request has waited, seconds
 * @param stuck leases out so long that their connections count as taken
 * @param expectedWaitSeconds the p99 of waiting that Erlang's formula expects at the limit decided on, if leases stay as
 *     long as they are; infinite if that limit does not carry the load, NaN where the formula was not asked
 * @param ceilingAssumed whether no ceiling is set, and four times the base was taken for one
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
        boolean ceilingAssumed) {

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
                false);
    }

    Evidence rates(double before, double after, double error) {
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
                ceilingAssumed);
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
                assumed);
    }
}
