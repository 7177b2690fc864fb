// SPDX-License-Identifier: Apache-2.0
/**
 * Wraps a pool: the entry point for most users.
 *
 * <p>The terms that all packages use, each with one meaning. {@code docs/reference/glossary.md} is generated from this list.
 *
 * <dl>
 *   <dt>acquisition</dt>
 *   <dd>One request of the application for a connection, from {@code getConnection()} to its outcome. It has one or
 *       more attempts.</dd>
 *   <dt>attempt</dt>
 *   <dd>One try within an acquisition: the wait for a permit, if the pool is bound, and one call of the pool's own
 *       {@code getConnection()}.</dd>
 *   <dt>lease</dt>
 *   <dd>The use of one connection by the application, from hand-over to its end: by close, abort or flexpool.</dd>
 *   <dt>owner</dt>
 *   <dd>The thread that requested the connection of a lease, or the {@code OwnerToken} of a coroutine.</dd>
 *   <dt>holder</dt>
 *   <dd>The owner of an open lease.</dd>
 *   <dt>call site</dt>
 *   <dd>The line of the application that requested the connection of a lease.</dd>
 *   <dt>report</dt>
 *   <dd>The explanation of a failed request. Later messages name it by its number.</dd>
 *   <dt>gate</dt>
 *   <dd>The counter of permits, with a queue, in front of a bound pool.</dd>
 *   <dt>permit</dt>
 *   <dd>The right to one connection of a bound pool. An acquisition takes it before it calls the pool; it is returned
 *       when the lease ends or the attempt fails.</dd>
 *   <dt>request class</dt>
 *   <dd>A kind of requests of one pool, with a guarantee (its part of the permits), a maximum, and a queue of its own.</dd>
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
 *   <dt>cap</dt>
 *   <dd>The highest limit that a part allows now.</dd>
 *   <dt>pending</dt>
 *   <dd>Requests without an outcome yet: waiting for a permit or inside the pool's {@code getConnection()}.</dd>
 *   <dt>active</dt>
 *   <dd>Connections leased through flexpool.</dd>
 *   <dt>idle</dt>
 *   <dd>Connections that are open in the pool and not leased, if the pool reports them.</dd>
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
 *   <dd>The work of the sizing controller: in {@code adapt} it changes the limit, in {@code recommend} it only reports
 *       its first step. Limits and strategies act in both; {@code monitor} suspends them.</dd>
 *   <dt>trial</dt>
 *   <dd>A changed limit for some seconds: the sizing controller compares completed requests.</dd>
 *   <dt>low load (calm)</dt>
 *   <dd>A time in which no request waits for the limit.</dd>
 *   <dt>usual age</dt>
 *   <dd>The mean age of open leases outside incidents.</dd>
 *   <dt>lease budget</dt>
 *   <dd>The longest time that a lease may last, or may be idle in a transaction.</dd>
 *   <dt>job</dt>
 *   <dd>A lease of at least 30 s; the advisor counts it separately.</dd>
 *   <dt>part</dt>
 *   <dd>A feature in a module of its own, such as the advisor: it has its own keys, metrics and report lines.</dd>
 *   <dt>server</dt>
 *   <dd>The database server.</dd>
 *   <dt>session</dt>
 *   <dd>The connection as the server sees it. Session state: settings and locks that it keeps after a lease.</dd>
 *   <dt>server view</dt>
 *   <dd>The part that reads the state of the pool's sessions from the database server.</dd>
 *   <dt>fleet</dt>
 *   <dd>The pools (members) of several instances that share the connections of one database.</dd>
 *   <dt>store</dt>
 *   <dd>The table or Redis with the grants of a fleet: the connections that each member may open.</dd>
 *   <dt>static share</dt>
 *   <dd>The connections that a member may open without a grant.</dd>
 * </dl>
 */
@NullMarked
package io.flexpool;

import org.jspecify.annotations.NullMarked;
