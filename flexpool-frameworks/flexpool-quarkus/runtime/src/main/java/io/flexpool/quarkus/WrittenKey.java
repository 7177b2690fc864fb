// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import io.flexpool.spi.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A key of the application's configuration that begins with {@code quarkus.flexpool}.
 *
 * @param name as it was written
 * @param words the parts after the beginning; of an environment variable every word
 */
record WrittenKey(String name, List<String> words) {
    /** What all keys begin with. */
    static final String PREFIX = "quarkus.flexpool.";

    private static final String OF_ENVIRONMENT = "QUARKUS_FLEXPOOL_";

    /** Null if it is none of flexpool's. */
    static @Nullable WrittenKey of(String name) {
        if (name.startsWith(PREFIX)) {
            return new WrittenKey(name, split(name.substring(PREFIX.length())));
        }
        if (name.startsWith(OF_ENVIRONMENT)) {
            String rest = name.substring(OF_ENVIRONMENT.length()).toLowerCase(Locale.ROOT);
            return new WrittenKey(name, List.of(rest.split("_+")));
        }
        return null;
    }

    /** At dots, but for those between quotation marks, which Quarkus has around a name with dots. */
    private static List<String> split(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        for (int at = 0; at < text.length(); at++) {
            char letter = text.charAt(at);
            if (letter == '"') {
                quoted = !quoted;
            } else if (letter == '.' && !quoted) {
                words.add(word.toString());
                word.setLength(0);
            } else {
                word.append(letter);
            }
        }
        words.add(word.toString());
        return words;
    }

    /** The words from an index on, with dots between them. */
    String from(int first) {
        return String.join(".", words.subList(first, words.size()));
    }

    /** As environment variables allow names to be compared: letters and digits only, lower case. */
    static String relaxed(String name) {
        StringBuilder kept = new StringBuilder(name.length());
        name.toLowerCase(Locale.ROOT).chars().filter(Character::isLetterOrDigit).forEach(kept::appendCodePoint);
        return kept.toString();
    }

    /**
     * What is wrong with it, in one line.
     *
     * @param value shown without passwords
     * @param rule what is allowed
     */
    String refused(String value, String rule) {
        String shown = Texts.isSecret(name) ? "***" : Texts.line(value);
        return Texts.line(name) + " = " + shown + ": " + rule;
    }
}
