// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the seed of an order: any {@code long}. */
public final class SeedConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String value) {
        try {
            return Long.valueOf(value);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(
                    "'" + value + "' must be a whole number from " + Long.MIN_VALUE + " to " + Long.MAX_VALUE);
        }
    }
}
