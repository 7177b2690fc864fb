// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import io.flexpool.spi.Texts;
import java.util.Collection;

/** The known name that a misspelt one is near to. */
public final class Nearest {
    /** Of a key with its prefixes; a longer word is no slip, and comparing takes time with its length. */
    private static final int LONGEST = 200;

    private Nearest() {}

    /**
     * A suffix of a message that names the nearest name; empty if none is near: more than a third of the letters are others.
     *
     * @param words before the name, as in "; the nearest key is "
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
