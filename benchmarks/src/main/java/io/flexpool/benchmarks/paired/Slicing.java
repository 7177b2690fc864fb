// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired;

/**
 * How long a variant runs at a time. Short slices of two variants meet the same neighbours on the machine; in long ones
 * less of what a variant needs has to be fetched again after the others ran.
 *
 * @param millis the length of a slice, from 1
 * @param rounds rounds of such slices that count, from 1
 */
public record Slicing(int millis, int rounds) {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /**
     * For a clock.
     *
     * @return the length of a slice in nanoseconds
     */
    long nanos() {
        return millis * NANOS_PER_MILLI;
    }

    @Override
    public String toString() {
        return rounds + " rounds of " + millis + " ms slices";
    }
}
