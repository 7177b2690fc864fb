// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads one of an enum's values by the name it shows, in any case; refuses others with the list of all names and
 * the nearest one.
 *
 * @param <E> the enum
 */
public abstract class NameConverter<E extends Enum<E>> implements ITypeConverter<E> {
    private static final int LARGEST_TYPO = 3;

    private final List<E> values;

    /**
     * For one enum.
     *
     * @param type the enum
     */
    protected NameConverter(Class<E> type) {
        values = Arrays.asList(type.getEnumConstants());
    }

    @Override
    public E convert(String name) {
        return values.stream()
                .filter(value -> value.toString().equalsIgnoreCase(name))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + name + "' must be one of "
                        + values.stream().map(E::toString).collect(Collectors.joining(", ")) + nearest(name)));
    }

    /** For a typo: the name that is least far from it, if it is near at all. */
    private String nearest(String name) {
        String given = name.toLowerCase(Locale.ROOT);
        return values.stream()
                .map(E::toString)
                .min(Comparator.comparingInt(known -> distance(given, known)))
                .filter(known -> distance(given, known) <= LARGEST_TYPO)
                .map(known -> "; the nearest is " + known)
                .orElse("");
    }

    /** Levenshtein's: how many characters must be put in, left out or replaced. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        Arrays.setAll(row, column -> column);
        for (int line = 1; line <= from.length(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column < row.length; column++) {
                int replaced = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(replaced, 1 + Math.min(row[column], row[column - 1]));
            }
        }
        return row[to.length()];
    }
}
