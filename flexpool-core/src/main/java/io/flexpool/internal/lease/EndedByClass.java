// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

/**
 * For each class the number of leases that ended in one slot, and their total time. Written by the thread that ends a
 * lease there; read by the tick, which may see the latest lease late.
 */
final class EndedByClass {
    /** Unused longs before and after the figures: two cache lines, so that other slots' threads do not share them. */
    private static final int PAD = 16;

    private final long[] figures;

    EndedByClass(int classes) {
        figures = new long[PAD + 2 * classes + PAD];
    }

    void ended(int requestClass, long heldNanos) {
        figures[PAD + 2 * requestClass]++;
        figures[PAD + 2 * requestClass + 1] += heldNanos;
    }

    /** Adds number and nanoseconds, class by class. */
    void addTo(long[] sums) {
        for (int at = 0; at < sums.length; at++) {
            sums[at] += figures[PAD + at];
        }
    }
}
