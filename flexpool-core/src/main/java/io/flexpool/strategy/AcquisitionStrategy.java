// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Says what to do for a request that waits or an attempt that failed. A request that is answered at once never meets a
 * strategy. Of several strategies the first verdict that is not {@link Verdict#PASS} and can be carried out wins: the
 * order in which they were added is their order of precedence.
 *
 * <p>An order that makes sense: {@link CircuitBreaker} before {@link RetryAcquisition}, else it is asked only once the
 * retries are used up; {@link GrowOnWait} before {@link FailFast}, so that a request that growth can serve is not turned
 * away (with {@code after} zero; a later growth comes when the request has been accepted).
 *
 * <p>Must be thread-safe and quick. What it throws is logged and counted, and is taken as {@link Verdict#PASS}.
 */
public interface AcquisitionStrategy {
    /**
     * Asked again and again while a request waits at the gate, and once after each failed attempt.
     *
     * @param situation the request and the pool
     * @return what to do
     */
    Verdict consult(AcquisitionSituation situation);

    /**
     * How long a request waits before this strategy is first asked. It is asked again after as long, and then less and
     * less often.
     *
     * @param timeout the acquisition timeout
     * @return zero to be asked as soon as a request has to wait; empty to be asked only after a failed attempt
     */
    default Optional<Duration> consultAfter(Duration timeout) {
        return Optional.empty();
    }

    /**
     * The lease limit that this strategy may ask for at most. A strategy with a ceiling makes the gate limit the pool.
     *
     * @return empty if it never asks for room
     */
    default OptionalInt ceiling() {
        return OptionalInt.empty();
    }

    /**
     * How long growth stays once it is not needed; all of it is then given back at once. Of several strategies the
     * longest time counts.
     *
     * @return from zero to ten minutes; empty for the gradual return
     */
    default Optional<Duration> keepsGrowth() {
        return Optional.empty();
    }

    /**
     * Whether this strategy limits who may wait. Such a one makes the gate limit the pool, for only there a request can
     * be counted before it waits.
     *
     * @return by default false
     */
    default boolean limitsWaiting() {
        return false;
    }

    /**
     * The deadline of a whole request, all attempts together.
     *
     * @return empty if the acquisition timeout is the deadline
     */
    default Optional<Duration> deadline() {
        return Optional.empty();
    }

    /**
     * What this strategy does, for people who look at a running pool.
     *
     * @return a few words without a full stop; by default what {@link Object#toString()} says
     */
    default String describe() {
        return toString();
    }
}
