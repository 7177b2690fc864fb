// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

/** The action for a lease that exceeds its budget: the key {@code lease.action}. */
enum LeaseAction {
    /** Logs the lease once. */
    WARN,
    /** Also cancels its statement, closes its connection and frees its place in the pool. */
    CANCEL
}
