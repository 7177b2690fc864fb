// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a payload: bytes, or kilobytes with a k. */
final class PayloadConverter implements ITypeConverter<Integer> {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,7})([kK]?)");
    private static final int MOST = 1 << 20;
    private static final int KILO = 1 << 10;

    @Override
    public Integer convert(String value) {
        Matcher size = SIZE.matcher(value);
        if (size.matches()) {
            long bytes = Long.parseLong(size.group(1)) * (size.group(2).isEmpty() ? 1 : KILO);
            if (bytes >= 1 && bytes <= MOST) {
                return (int) bytes;
            }
        }
        throw new TypeConversionException(
                "'" + value + "' must be a whole number of bytes, or of kilobytes as in 10k, from 1 to 1024k");
    }

    /** As it is written on the command line. */
    static String text(int bytes) {
        return bytes % KILO == 0 ? bytes / KILO + "k" : Integer.toString(bytes);
    }
}
