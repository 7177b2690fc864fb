// SPDX-License-Identifier: Apache-2.0
/**
 * Wraps a pool: the entry point for most users.
 *
 * <p>The terms that all packages use, each with one meaning. {@code docs/reference/glossary.md} is generated from this list.
 *
 * <dl>
 *   <dt>acquisition</dt>
 *   <dd>One request of the application for a connection, from {@code getConnection()} to its outcome: {@code ok},
 *       {@code timeout}, {@code connect_failure}, {@code interrupted}, {@code rejected} or {@code error}. It has one or
 *       more attempts.</dd>
 *   <dt>attempt</dt>
 *   <dd>One try within an acquisition: the wait for a permit, if the pool is bound, and one call of the pool's own
 *       {@code getConnection()}.</dd>
 *   <dt>lease</dt>
 *   <dd>The use of one connection by the application, from hand-over to its end: by close, abort or flexpool. A lease ends
 *       exactly once.</dd>
 *   <dt>owner</dt>
 *   <dd>The thread that requested the connection of a lease, or the {@code OwnerToken} of a coroutine.</dd>
 *   <dt>gate</dt>
 *   <dd>The counter of permits, with a queue, in front of a bound pool.</dd>
 *   <dt>permit</dt>
 *   <dd>The right to one connection of a bound pool. An acquisition takes it before it calls the pool; it is returned
 *       when the lease ends or the attempt fails.</dd>
 *   <dt>request class</dt>
 *   <dd>A kind of requests of one pool, with a guaranteed part of the permits, a maximum, and a queue of its own.</dd>
 *   <dt>tenant</dt>
 *   <dd>The party that a request serves, such as a customer. While requests of several tenants wait in one class, each
 *       tenant gets about an equal share of the class's permits.</dd>
 *   <dt>shed</dt>
 *   <dd>To end a request early, because its class is overloaded and the request would be late.</dd>
 *   <dt>limit</dt>
 *   <dd>The number of permits, also called lease limit: how many connections may be active at once. The pool's own max
 *       size follows the limit if the pool can be resized at run time.</dd>
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
 *   <dd>A lease that lasts longer than {@code leak.threshold}, reported once.</dd>
 *   <dt>trim</dt>
 *   <dd>Closing idle connections that exceed the limit after it fell. Leased connections are not affected.</dd>
 *   <dt>eviction</dt>
 *   <dd>Closing every connection that is open at that moment: idle ones at once, leased ones when they are returned.</dd>
 *   <dt>pause</dt>
 *   <dd>A time in which new requests wait in their order, within their timeout, until the pool is resumed. Leases
 *       continue.</dd>
 *   <dt>drain</dt>
 *   <dd>The end of a pool's service: new requests are refused, open leases can finish, then the pool is closed.</dd>
 *   <dt>strategy</dt>
 *   <dd>A rule that is consulted when an acquisition waits or an attempt fails: growth on wait, retry,
 *       fail-fast, the circuit breaker, or your own.</dd>
 *   <dt>circuit breaker</dt>
 *   <dd>A strategy that rejects acquisitions for a time (<em>open</em>) after consecutive connect failures, then
 *       admits one request (<em>half open</em>). Its success <em>closes</em> the circuit.</dd>
 *   <dt>tick</dt>
 *   <dd>The periodic task of flexpool, every 250 ms per pool: it samples figures, searches for leaks and calls the
 *       sizing controller.</dd>
 *   <dt>mode</dt>
 *   <dd>The control of a pool's size: {@code monitor} only measures, {@code recommend} reports the first step
 *       it would take, {@code adapt} changes the limit.</dd>
 *   <dt>part</dt>
 *   <dd>A feature in a module of its own, such as the advisor: it has its own keys, metrics and report lines.</dd>
 *   <dt>server view</dt>
 *   <dd>The part that reads the state of the pool's sessions from the database server.</dd>
 *   <dt>fleet</dt>
 *   <dd>The pools of several instances that share the connections of one database.</dd>
 * </dl>
 */
@NullMarked
package io.flexpool;

import org.jspecify.annotations.NullMarked;
