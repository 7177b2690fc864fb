// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.paired.Slicing;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * How long a variant runs at a time; on the command line {@code ms} or {@code ms:rounds}.
 *
 * @param millis the length
 * @param rounds how many rounds of that length count; null for as many as of every other one
 */
record SliceLength(int millis, @Nullable Integer rounds) {
    private static final int MOST_MILLIS = 1_000;
    private static final int MOST_ROUNDS = 10_000;

    /**
     * With the number of rounds.
     *
     * @param otherwise where this has none of its own
     */
    Slicing slicing(int otherwise) {
        return new Slicing(millis, rounds == null ? otherwise : rounds);
    }

    @Override
    public String toString() {
        return rounds == null ? Integer.toString(millis) : millis + ":" + rounds;
    }

    /** Reads {@code 4} or {@code 100:20}. */
    static final class Converter implements ITypeConverter<SliceLength> {
        @Override
        public SliceLength convert(String value) {
            if (value.matches("\\d{1,4}(:\\d{1,5})?")) {
                String[] parts = value.split(":", -1);
                int millis = Integer.parseInt(parts[0]);
                Integer rounds = parts.length == 1 ? null : Integer.valueOf(parts[1]);
                if (isFrom1To(MOST_MILLIS, millis) && (rounds == null || isFrom1To(MOST_ROUNDS, rounds))) {
                    return new SliceLength(millis, rounds);
                }
            }
            throw new TypeConversionException("'" + value + "' must be ms or ms:rounds like 4 or 100:20, with 1 to "
                    + MOST_MILLIS + " ms and 1 to " + MOST_ROUNDS + " rounds");
        }

        private static boolean isFrom1To(int most, int value) {
            return value >= 1 && value <= most;
        }
    }
}
