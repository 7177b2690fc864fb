// SPDX-License-Identifier: Apache-2.0
/**
 * Wraps a pool: the entry point for most users.
 *
 * <p>The terms that all packages use:
 *
 * <dl>
 *   <dt>acquisition</dt>
 *   <dd>One request of the application for a connection, from {@code getConnection()} to its outcome: {@code ok},
 *       {@code timeout}, {@code connect_failure}, {@code interrupted}, {@code rejected} or {@code error}. It has one or
 *       more attempts.</dd>
 *   <dt>attempt</dt>
 *   <dd>One try within an acquisition: the wait for a permit, if the pool is bound, and one call of the pool's own
 *       {@code getConnection()}. The metric {@code attempt} times only the call, and only if it returned a
 *       connection.</dd>
 *   <dt>lease</dt>
 *   <dd>The use of one connection by the application, from hand-over to its end: close, abort or reclaim. A lease ends
 *       exactly once.</dd>
 *   <dt>gate</dt>
 *   <dd>The counter of permits, with a queue, in front of a bound pool.</dd>
 *   <dt>permit</dt>
 *   <dd>The right to one connection of a bound pool. An acquisition takes it before it calls the pool; it is returned
 *       when the lease ends or the attempt fails.</dd>
 *   <dt>limit</dt>
 *   <dd>The number of permits in force, also called lease limit: how many connections may be active at once. Distinct
 *       from the pool's own max size, which follows it if the pool can be resized at run time.</dd>
 *   <dt>base</dt>
 *   <dd>The limit at rest: at the start, and again when growth is no longer needed.</dd>
 *   <dt>ceiling</dt>
 *   <dd>The highest limit that growth or the sizing controller may reach.</dd>
 *   <dt>pending</dt>
 *   <dd>Requests without an outcome yet: waiting for a permit or inside the pool's {@code getConnection()}.</dd>
 *   <dt>active</dt>
 *   <dd>Connections leased through flexpool.</dd>
 *   <dt>idle</dt>
 *   <dd>Connections that are open in the pool and not in use, if the pool reports them.</dd>
 *   <dt>foreign</dt>
 *   <dd>Connections borrowed directly from the pool, without flexpool, if the pool's figures show them.</dd>
 *   <dt>bound</dt>
 *   <dd>A pool that flexpool limits with a gate.</dd>
 *   <dt>watched</dt>
 *   <dd>A pool that flexpool only observes.</dd>
 *   <dt>nested acquisition</dt>
 *   <dd>A request of a thread that already holds a connection of the same pool; it can deadlock.</dd>
 *   <dt>leak suspect</dt>
 *   <dd>A lease that lasts longer than {@code leak.threshold}. With {@code leak.reclaim-after} flexpool later aborts
 *       its connection and takes the permit back.</dd>
 *   <dt>eviction</dt>
 *   <dd>Closing an idle connection that exceeds the limit after it fell; also called trim. Active connections are never
 *       evicted.</dd>
 *   <dt>strategy</dt>
 *   <dd>A rule that is consulted when an acquisition waits or an attempt fails: {@code GrowOnWait}, {@code
 *       RetryAcquisition}, {@code FailFast}, {@code CircuitBreaker} or your own.</dd>
 *   <dt>backoff</dt>
 *   <dd>The pause before a retry: random between half and the whole of a bound that doubles with each attempt.</dd>
 *   <dt>circuit breaker</dt>
 *   <dd>Rejects acquisitions for a time (<em>open</em>) after a number of consecutive connect failures, then lets one
 *       probe through (<em>half open</em>); its success <em>closes</em> the circuit.</dd>
 *   <dt>tick</dt>
 *   <dd>The periodic task of flexpool, every 250 ms per pool: it samples figures, searches for leaks and lets the
 *       sizing controller decide.</dd>
 *   <dt>mode</dt>
 *   <dd>What flexpool does about a pool's size: {@code monitor} only measures, {@code recommend} reports the first step
 *       it would take, {@code adapt} changes the limit.</dd>
 *   <dt>sizing decision</dt>
 *   <dd>A decision of the sizing controller on the limit, with cause, figures and one sentence of explanation.</dd>
 *   <dt>verdict</dt>
 *   <dd>The result of a sizing decision's step: for example {@code pending}, {@code proven}, {@code served}, {@code
 *       reverted}, or {@code unverified} if it was only reported.</dd>
 * </dl>
 */
@NullMarked
package io.flexpool;

import org.jspecify.annotations.NullMarked;
