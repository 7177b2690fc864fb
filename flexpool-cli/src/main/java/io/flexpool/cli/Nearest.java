// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import io.flexpool.spi.Texts;
import java.util.Collection;

/** Finds the known name nearest to a misspelt one. */
public final class Nearest {
    /** The longest compared name: a longer word is no misspelling, and the comparison's time grows with the length. */
    private static final int LONGEST = 200;

    private Nearest() {}

    /**
     * A suffix for a message that suggests the nearest name; empty if more than a third of the letters differ from
     * every name.
     *
     * @param words the words before the name, for example "; the nearest key is "
     */
    public static String to(String given, Collection<String> known, String words, String after) {
        if (known.isEmpty() || given.length() > LONGEST) {
            return "";
        }
        String nearest = Texts.nearest(given, known);
        int shorter = Math.min(given.length(), nearest.length());
        return 3 * Texts.distance(given, nearest) > Math.max(3, shorter) || shorter < 2 ? "" : words + nearest + after;
    }
}
