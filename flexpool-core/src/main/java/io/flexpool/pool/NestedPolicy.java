// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

/** What happens when a thread asks for a connection while it holds another one of the same pool. */
public enum NestedPolicy {
    /** It is counted; and told as an event while the pool is nearly exhausted, when it may deadlock. */
    COUNT,
    /** It is counted, and refused with an exception before the pool is asked: for tests. */
    STRICT
}
