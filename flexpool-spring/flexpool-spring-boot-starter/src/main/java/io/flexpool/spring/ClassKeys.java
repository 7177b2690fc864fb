// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The keys of classes of requests, {@code classes.<class>.<key>}, in any of Spring's spellings: environment variables have
 * neither hyphens nor capitals, so a class is found by its relaxed name. Immutable.
 */
final class ClassKeys {
    /** Core's key that names the classes. */
    static final String CLASSES = "classes";

    /** The longest first: of {@code night} and {@code night-batch} the second is meant where both fit. */
    private final List<String> names;

    /** The keys of those classes that lists name, with commas between them. */
    ClassKeys(List<String> lists) {
        this.names = lists.stream()
                .flatMap(list -> Stream.of(list.split(",", -1)))
                .map(String::strip)
                .filter(name -> !WrittenKeys.relaxed(name).isEmpty())
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList();
    }

    /** A key as core spells it; null if the words are none of a class that is named. */
    @Nullable
    String key(List<String> words) {
        if (words.size() < 3 || !WrittenKeys.relaxed(words.get(0)).equals(CLASSES)) {
            return null;
        }
        if (words.size() == 3 && names.contains(words.get(1))) {
            return key(words.get(1), words, 2);
        }
        for (String name : names) {
            for (int end = 2; end < words.size(); end++) {
                if (WrittenKeys.relaxed(String.join("", words.subList(1, end))).equals(WrittenKeys.relaxed(name))) {
                    return key(name, words, end);
                }
            }
        }
        return null;
    }

    private static String key(String name, List<String> words, int from) {
        String key = String.join(".", words.subList(from, words.size()));
        return CLASSES + "." + name + "." + key.toLowerCase(Locale.ROOT);
    }
}
