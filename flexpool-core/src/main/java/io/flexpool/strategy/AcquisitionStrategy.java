// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

/**
 * Says what to do for a request that waits or an attempt that failed. A request that is answered at once never meets a
 * strategy. Of several strategies the first verdict that is not {@link Verdict#PASS} and can be carried out wins: the
 * order in which they were added is their order of precedence.
 *
 * <p>An order that makes sense: {@link CircuitBreaker} before {@link RetryAcquisition}, else it is asked only once the
 * retries are used up; {@link GrowOnWait} before {@link FailFast}, so that a request that growth can serve is not turned
 * away (with {@code after} zero; a later growth comes when the request has been accepted).
 *
 * <p>Must be thread-safe and quick. What it throws is logged and counted, and is taken as {@link Verdict#PASS}. Its
 * {@link Object#toString()} is shown to people who look at a running pool: a few words without a full stop.
 */
public interface AcquisitionStrategy {
    /**
     * Decides. Called once after each failed attempt and, if {@link Requirements#whileWaiting} says so, repeatedly while a
     * request waits at the gate.
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
