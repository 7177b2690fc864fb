// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Matches the keys of request classes, {@code classes.<class>.<key>}, in any spelling. Environment variables have
 * neither hyphens nor lower case, so a class is found by its relaxed name. Immutable.
 */
final class ClassKeys {
    /** The names, longest first: if both {@code night} and {@code night-batch} match, the longer is meant. */
    private final List<String> names;

    /** Takes lists of class names, separated by commas. */
    ClassKeys(List<String> lists) {
        List<String> longestFirst = new ArrayList<>();
        for (String list : lists) {
            for (String element : list.split(",", -1)) {
                String name = element.strip();
                if (!WrittenKey.relaxed(name).isEmpty() && !longestFirst.contains(name)) {
                    int at = 0;
                    while (at < longestFirst.size() && longestFirst.get(at).length() >= name.length()) {
                        at++;
                    }
                    longestFirst.add(at, name);
                }
            }
        }
        this.names = List.copyOf(longestFirst);
    }

    /** The key in core's spelling; null if the words name no class. */
    @Nullable
    String key(List<String> words) {
        if (words.size() == 3 && names.contains(words.get(1))) {
            return key(words.get(1), words, 2);
        }
        for (String name : names) {
            for (int end = 2; end < words.size(); end++) {
                if (WrittenKey.relaxed(String.join("", words.subList(1, end))).equals(WrittenKey.relaxed(name))) {
                    return key(name, words, end);
                }
            }
        }
        return null;
    }

    private static String key(String name, List<String> words, int from) {
        String key = String.join(".", words.subList(from, words.size()));
        return KnownKeys.CLASSES + "." + name + "." + key.toLowerCase(Locale.ROOT);
    }
}
