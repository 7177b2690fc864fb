// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time with its unit, {@code 500us} or {@code 1ms}, or {@code 0}, as microseconds. */
abstract class MicrosConverter implements ITypeConverter<Integer> {
    private static final Pattern TIME = Pattern.compile("(\\d{1,7})(us|ms)");
    private static final int PER_MILLI = 1_000;

    private final int mostMillis;

    /** With its limit. */
    MicrosConverter(int mostMillis) {
        this.mostMillis = mostMillis;
    }

    @Override
    public Integer convert(String value) {
        if (value.equals("0")) {
            return 0;
        }
        Matcher time = TIME.matcher(value);
        if (time.matches()) {
            long micros = Long.parseLong(time.group(1)) * (time.group(2).equals("ms") ? PER_MILLI : 1);
            if (micros <= (long) mostMillis * PER_MILLI) {
                return (int) micros;
            }
        }
        throw new TypeConversionException("'" + value
                + "' must be 0, or a whole number with its unit like 500us or 1ms, up to " + mostMillis + "ms");
    }
}
