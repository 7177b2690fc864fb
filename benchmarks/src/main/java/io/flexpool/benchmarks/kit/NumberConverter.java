// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.math.BigDecimal;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a number with decimals, within the limits that a subclass sets. */
public abstract class NumberConverter implements ITypeConverter<Double> {
    private final double least;
    private final double most;

    /**
     * With its limits.
     *
     * @param least the smallest number
     * @param most the largest number
     */
    protected NumberConverter(double least, double most) {
        this.least = least;
        this.most = most;
    }

    @Override
    public Double convert(String value) {
        try {
            double number = Double.parseDouble(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Refused below, in the same words as a number out of range.
        }
        throw new TypeConversionException(
                "'" + value + "' must be a number from " + plain(least) + " to " + plain(most));
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }
}
