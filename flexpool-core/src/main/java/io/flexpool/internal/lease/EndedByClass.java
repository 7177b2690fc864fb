// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

/**
 * Of each class how many leases have ended in one slot, and how long they lasted in total. Written by the thread that ends a
 * lease there; read by the tick, which may see the latest lease late.
 */
final class EndedByClass {
    private final long[] figures;

    EndedByClass(int classes) {
        figures = new long[2 * classes];
    }

    void ended(int ofClass, long heldNanos) {
        figures[2 * ofClass]++;
        figures[2 * ofClass + 1] += heldNanos;
    }

    /** Adds number and nanoseconds, class by class. */
    void addTo(long[] sums) {
        for (int at = 0; at < sums.length; at++) {
            sums[at] += figures[at];
        }
    }
}
