// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advice;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.pool.PoolClassState;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * What an advice is asked for, and what is known of the pool beside its requests. Immutable. Made by flexpool alone; minor
 * releases add methods.
 */
public interface AdviceRequest {
    /** {@return the time of the pool's clock, nanoseconds, on which the blocks are too} */
    long nowNanos();

    /** {@return how many connections the pool may have today, 1 or more} */
    int current();

    /** {@return what 99 % of the requests shall wait at most, more than zero} */
    Duration waitTarget();

    /** {@return the acquisition timeout, at least the target} */
    Duration timeout();

    /**
     * The number of connections above which the sizing controller last saw the database do no more work.
     *
     * @return empty if it has not measured that, or the database has changed since
     */
    OptionalInt knee();

    /** {@return the 99th percentile of the time that a new connection takes; zero if it is not known} */
    Duration connectP99();

    /** {@return the leases that have not ended, oldest first; unmodifiable} */
    List<OpenLease> openLeases();

    /** {@return the classes of the pool's requests, in their order; empty if there is one for all; unmodifiable} */
    default List<PoolClassState> classes() {
        return List.of();
    }
}
