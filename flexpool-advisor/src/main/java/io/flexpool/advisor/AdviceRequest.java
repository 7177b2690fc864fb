// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.monitoring.RequestClass;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * The input of a calculation beside the recorded requests. Immutable.
 *
 * @param nowNanos the time, by the same clock as that of the recorded blocks
 * @param current the pool's current size, 1 or more
 * @param waitTarget the wait that 99 % of the requests must not exceed, more than zero
 * @param timeout the acquisition timeout, at least the target
 * @param knee the number of connections above which the sizing controller last measured no more throughput; empty
 *     without a measurement, or if the database has changed since
 * @param connectP99 the 99th percentile of the connect time; zero if unknown
 * @param openLeases the open leases, oldest first
 * @param classes the pool's classes, in their order; empty without classes
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
