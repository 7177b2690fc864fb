// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds what was meant by a name with a typo in it. */
public final class Nearest {
    private static final int LARGEST_TYPO = 3;

    private Nearest() {}

    /**
     * The end of a message that refuses a name.
     *
     * @param name what was given
     * @param known all names there are
     * @return the known name that is least far from it, in words; empty if none is near
     */
    public static String words(String name, Collection<String> known) {
        String given = name.toLowerCase(Locale.ROOT);
        return known.stream()
                .min(Comparator.comparingInt(one -> distance(given, one)))
                .filter(one -> distance(given, one) <= LARGEST_TYPO)
                .map(one -> "; the nearest is " + one)
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
