// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.pool.PoolState;
import org.jspecify.annotations.Nullable;

/**
 * A waiting request or a failed attempt: what a strategy decides on. Immutable.
 *
 * @param waitedNanos how long ago the request was made, nanoseconds
 * @param remainingNanos how long until its deadline, nanoseconds; 0 or less if it has passed
 * @param timeoutNanos the acquisition timeout of one attempt, nanoseconds
 * @param attempt which attempt this is, from 1
 * @param failure why the attempt failed: exhausted, connect failed or other, because no strategy is consulted about an
 *     interrupt or a closed pool; null while the request still waits at the gate
 * @param queued whether the request is in the gate's queue, and counted in {@code state.waiting()}
 * @param ahead how many requests already waited when this one joined the queue; 0 if it is not queued
 * @param connectFailures connect failures of this pool in a row, this attempt's included: without an acquisition between
 * @param state the pool now
 */
public record AcquisitionSituation(
        long waitedNanos,
        long remainingNanos,
        long timeoutNanos,
        int attempt,
        AcquisitionFailure.@Nullable Kind failure,
        boolean queued,
        int ahead,
        int connectFailures,
        PoolState state) {}
