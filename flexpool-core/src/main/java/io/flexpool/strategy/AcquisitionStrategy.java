// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

/**
 * Decides what to do for a waiting request or a failed attempt. Requests on the direct path never consult a strategy.
 * Of several strategies the first verdict that is not {@link Verdict#PASS} and can be carried out wins.
 *
 * <p>The order is fixed: the strategies of {@link io.flexpool.FlexPoolBuilder#strategy} as they were added, then those
 * that keys switch on: circuit breaker, growth on wait, fail-fast, retry. So an outage is known before the first retry,
 * and a request that growth can serve is not rejected.
 *
 * <p>Must be thread-safe and quick. Exceptions are logged, counted and treated as {@link Verdict#PASS}. Its
 * {@link Object#toString()} is shown in reports of a running pool: a few words without a full stop.
 */
public interface AcquisitionStrategy {
    /**
     * Decides. Called once after each failed attempt and, if {@link Requirements#whileWaiting} says so, repeatedly
     * while a request waits at the gate.
     *
     * @param situation the request and the pool
     * @return what to do
     */
    Verdict consult(AcquisitionSituation situation);

    /**
     * What this strategy requires of the pool. Read once, when the pool is wrapped.
     *
     * @return by default {@link Requirements#NONE}: consulted after failed attempts alone
     */
    default Requirements requirements() {
        return Requirements.NONE;
    }
}
