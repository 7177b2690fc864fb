// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal;

import io.flexpool.adapter.PoolAdapter;
import io.flexpool.pool.LeaseObserver;
import io.flexpool.pool.MetricsBinder;
import io.flexpool.pool.PoolListener;
import io.flexpool.pool.Ticker;
import io.flexpool.strategy.AcquisitionStrategy;
import java.util.List;
import javax.sql.DataSource;

/**
 * What a pool is made of. All of it has been checked.
 *
 * @param name the pool's name
 * @param target the data source behind
 * @param adapter reads and steers it
 * @param bound whether a gate limits it
 * @param base the first lease limit, if bound
 * @param ceiling the highest lease limit, if bound
 * @param timeoutNanos the acquisition timeout; Long.MAX_VALUE if there is none
 * @param deadlineNanos the deadline of a whole request; Long.MAX_VALUE if there is none
 * @param consultEveryNanos how long a request waits before the strategies are asked; Long.MAX_VALUE for never
 * @param slowNanos acquisitions longer than this raise an event
 * @param longLeaseNanos leases longer than this raise an event
 * @param strategies asked in this order
 * @param listeners told in this order
 * @param observer hears every call
 * @param metrics the backends
 * @param ticker the clock
 */
public record PoolParts(
        String name,
        DataSource target,
        PoolAdapter adapter,
        boolean bound,
        int base,
        int ceiling,
        long timeoutNanos,
        long deadlineNanos,
        long consultEveryNanos,
        long slowNanos,
        long longLeaseNanos,
        List<AcquisitionStrategy> strategies,
        List<PoolListener> listeners,
        LeaseObserver observer,
        List<MetricsBinder> metrics,
        Ticker ticker) {}
