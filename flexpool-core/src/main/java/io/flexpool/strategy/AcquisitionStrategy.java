// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Says what to do for a request that waits or an attempt that failed. A request that is answered at once never meets a
 * strategy. Of several strategies the first verdict that is not {@link Verdict#PASS} and can be carried out wins.
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
     * How long a request waits before this strategy is first asked, and between one time and the next.
     *
     * @param timeout the acquisition timeout
     * @return empty to be asked only after a failed attempt
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
     * The deadline of a whole request, all attempts together.
     *
     * @return empty if the acquisition timeout is the deadline
     */
    default Optional<Duration> deadline() {
        return Optional.empty();
    }
}
