// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A build's condition on the recommended size.
 *
 * @param most the largest accepted size
 */
record Demanded(int most) {
    boolean holds(int connections) {
        return connections <= most;
    }

    @Override
    public String toString() {
        return "max<=" + most;
    }

    /** Parses a condition such as {@code max<=20}. */
    static final class Converter implements ITypeConverter<Demanded> {
        private static final Pattern PATTERN = Pattern.compile("\\s*max\\s*(<=|<)\\s*(\\d{1,6})\\s*");

        @Override
        public Demanded convert(String text) {
            Matcher matcher = PATTERN.matcher(text);
            int figure = matcher.matches() ? Integer.parseInt(matcher.group(2)) : 0;
            int most = matcher.matches() && matcher.group(1).equals("<") ? figure - 1 : figure;
            if (most < 1) {
                throw new TypeConversionException("'" + text + "' must be max<=N or max<N, and must allow a size of 1");
            }
            return new Demanded(most);
        }
    }
}
