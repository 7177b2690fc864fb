// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how often something is done: a whole number from 1 to ten million, or to what a subclass allows. */
public class CountConverter implements ITypeConverter<Integer> {
    private static final int MOST = 10_000_000;

    private final int least;
    private final int most;

    /** Made by the command line parser. */
    public CountConverter() {
        this(MOST);
    }

    /**
     * With limits of its own.
     *
     * @param least the smallest count
     * @param most the largest count
     */
    protected CountConverter(int least, int most) {
        this.least = least;
        this.most = most;
    }

    /**
     * With its own limit.
     *
     * @param most the largest count
     */
    protected CountConverter(int most) {
        this(1, most);
    }

    @Override
    public Integer convert(String value) {
        try {
            int count = Integer.parseInt(value);
            if (count >= least && count <= most) {
                return count;
            }
        } catch (NumberFormatException e) {
            // Refused below, in the same words as a number out of range.
        }
        throw new TypeConversionException("'" + value + "' must be a whole number from " + least + " to " + most);
    }
}
