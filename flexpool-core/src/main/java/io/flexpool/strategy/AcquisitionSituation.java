// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A waiting request or a failed attempt: what a strategy decides on. Immutable. Made by flexpool alone, and not
 * to be implemented by applications: minor releases add methods.
 */
public interface AcquisitionSituation {
    /** {@return how long ago the request was made} */
    Duration waited();

    /** {@return how long until its deadline; zero or less if it has passed, about 292 years if there is none} */
    Duration remaining();

    /** {@return the acquisition timeout of one attempt} */
    Duration timeout();

    /** {@return which attempt this is, from 1} */
    int attempt();

    /**
     * Why the attempt failed: exhausted, connect failed or other, because no strategy is consulted about an interrupt
     * or a closed pool.
     *
     * @return null while the request still waits at the gate
     */
    AcquisitionFailure.@Nullable Kind failure();

    /** {@return whether the request is in the gate's queue, and counted in {@code state().waiting()}} */
    boolean queued();

    /** {@return how many requests already waited when this one joined the queue; 0 if it is not queued} */
    int ahead();

    /** {@return connect failures of this pool without an acquisition between, this attempt's included} */
    int connectFailures();

    /** {@return the pool now} */
    PoolState state();
}
