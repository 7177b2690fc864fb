// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.kit;

import io.flexpool.spi.Texts;
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
                .min(Comparator.comparingInt(one -> Texts.distance(given, one)))
                .filter(one -> Texts.distance(given, one) <= LARGEST_TYPO)
                .map(one -> "; the nearest is " + one)
                .orElse("");
    }
}
