// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

/** The treatment of nested acquisitions: requests of a thread that holds a connection of the same pool. */
public enum NestedPolicy {
    /** Counted; also reported as an event while the pool is nearly exhausted, when a deadlock is possible. */
    COUNT,
    /** Counted, and refused with an exception before the pool is called; for tests. */
    STRICT
}
