// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired;

/**
 * How long a comparison runs.
 *
 * @param warmUp rounds before those that count, in each compilation
 * @param counting rounds that count, in all compilations together
 * @param compilations how often every variant is loaded anew and so compiled anew, from 1; the rounds that count are
 *     shared out among them
 */
public record Rounds(int warmUp, int counting, int compilations) {
    /** The first counting round of a compilation; of the one after the last, the number of all. */
    int first(int compilation) {
        return (int) ((long) counting * compilation / compilations);
    }

    boolean isLast(int compilation) {
        return compilation == compilations - 1;
    }

    /**
     * For a progress bar.
     *
     * @return all rounds
     */
    public long steps() {
        return (long) warmUp * compilations + counting;
    }
}
