// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

/** Why the controller decided what it did. */
public enum Cause {
    /** More requests than the limit carries, each as short as ever. */
    DEMAND,
    /** Leases last longer than the load explains: the database is slow. */
    DATABASE_SLOW,
    /** Leases are out so long that their connections count as taken. */
    OCCUPIED,
    /** Requests go on waiting, and neither the load nor the lease says why. */
    QUEUE,
    /** Fewer connections may be faster: a step down is tried. */
    CONTENTION,
    /** More connections would be asked for, but did not help when they were tried lately. */
    KNEE,
    /** More connections would be asked for, and the limit is at its ceiling. */
    CEILING,
    /** The connections that the limit allows are not open yet. */
    OPENING,
    /** The limit is not needed any more, or the base is due again. */
    CALM,
    /** The database refuses connections: nothing grows. */
    CONNECT_FAILURE,
    /** Somebody else moved the limit, or the connections of a step did not come. */
    OVERRULED
}
