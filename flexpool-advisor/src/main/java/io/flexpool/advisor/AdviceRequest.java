// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.monitoring.RequestClass;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * What an advice is asked for, and what is known of the pool beside its requests. Immutable.
 *
 * @param nowNanos the time of the pool's clock, on which the blocks are too
 * @param current how many connections the pool may have today, 1 or more
 * @param waitTarget what 99 % of the requests shall wait at most, more than zero
 * @param timeout the acquisition timeout, at least the target
 * @param knee the number of connections above which the sizing controller last saw the database do no more work; empty if it has not
 *     measured that, or the database has changed since
 * @param connectP99 the 99th percentile of the time that a new connection takes; zero if it is not known
 * @param openLeases the leases that have not ended, oldest first
 * @param classes the classes of the pool's requests, in their order; empty if there is one for all
 */
record AdviceRequest(
        long nowNanos,
        int current,
        Duration waitTarget,
        Duration timeout,
        OptionalInt knee,
        Duration connectP99,
        List<OpenLease> openLeases,
        List<RequestClass> classes) {}
