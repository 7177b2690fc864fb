// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import org.jspecify.annotations.Nullable;

/**
 * A lease that a test took.
 *
 * @param id unique in this JVM
 * @param pool the pool's name
 * @param callSite where it was requested; null if the stack does not show it
 * @param threadId the thread that requested it
 */
record TakenLease(long id, String pool, @Nullable String callSite, long threadId) {
    /** For example {@code orders at OrderService.place(OrderService.java:40)}. */
    String describe() {
        return pool + (callSite == null ? " (call site unknown)" : " at " + callSite);
    }
}
