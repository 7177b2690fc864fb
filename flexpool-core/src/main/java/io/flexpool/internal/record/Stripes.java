// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

/** The number of stripes for data that many threads write. */
public final class Stripes {
    private Stripes() {}

    /**
     * A power of two, about four per processor, between 4 and 32: with one per processor, every other pair of threads
     * shares a stripe, and a shared stripe costs more than the rest of a record (the benchmark jumped from 1.7 to 3.5
     * times the ideal between runs). With more than 32 a pool takes more memory than the rare meeting of two threads is
     * worth.
     */
    public static int count() {
        int atLeast = Math.max(4, Math.min(32, 4 * Runtime.getRuntime().availableProcessors()));
        return Integer.highestOneBit(2 * atLeast - 1);
    }
}
