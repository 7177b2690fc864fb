// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads YAML without executing anything, and words its errors. */
final class Yamls {
    /** High enough for a large company's applications. Aliases are no danger, because nothing is copied. */
    private static final int ALIASES = 10_000;

    static final String RENDER = "render it first, with helm template … | flexpool budget - …";

    /** Kubernetes keeps no object of more than 1.5 MB. */
    private static final int LONGEST_WORD = 2_000_000;

    private static final int LARGEST = 64 << 20;
    private static final int DEEPEST = 200;
    private static final long MOST_VALUES = 5_000_000;
    private static final Long UNFINISHED = -1L;

    private Yamls() {}

    /**
     * The non-empty documents of a text.
     *
     * @throws IllegalArgumentException if the text is no YAML; the message has line and reason
     */
    static List<Object> all(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(ALIASES);
        options.setCodePointLimit(LARGEST);
        options.setNestingDepthLimit(DEEPEST);
        options.setAllowRecursiveKeys(false);
        List<Object> documents = new ArrayList<>();
        refuseLongWords(text);
        try {
            for (Object document : new Yaml(new SafeConstructor(options)).loadAll(text)) {
                if (document != null) {
                    values(document, new IdentityHashMap<>(), 0);
                    documents.add(document);
                }
            }
        } catch (MarkedYAMLException broken) {
            throw new IllegalArgumentException(reason(broken, text), broken);
        } catch (YAMLException | StackOverflowError broken) {
            throw new IllegalArgumentException(
                    "is not valid YAML: " + firstLine(String.valueOf(broken.getMessage())), broken);
        }
        return documents;
    }

    /** Refuses long words, in which the time of the parser is quadratic. */
    private static void refuseLongWords(String text) {
        int line = 1;
        int begin = 0;
        for (int at = 0; at < text.length(); at++) {
            char each = text.charAt(at);
            line += each == '\n' ? 1 : 0;
            if (each <= ' ' || each == '"' || each == '\'' || each == '\\') {
                begin = at + 1;
            } else if (at - begin >= LONGEST_WORD) {
                throw new IllegalArgumentException(
                        "line " + line + ": has a value of more than " + LONGEST_WORD + " characters");
            }
        }
    }

    /**
     * The number of values with all aliases expanded, which is the effort of a walk through them.
     *
     * @param known the counts of finished values; {@link #UNFINISHED} for values that contain this one
     * @throws IllegalArgumentException if an alias contains itself, or the number is too large
     */
    private static long values(@Nullable Object value, IdentityHashMap<Object, Long> known, int depth) {
        if (!(value instanceof Map<?, ?>) && !(value instanceof Collection<?>)) {
            return 1;
        }
        Long before = known.put(value, UNFINISHED);
        if (before == null) {
            long count = 1;
            Collection<?> inside = value instanceof Map<?, ?> map ? map.values() : (Collection<?>) value;
            for (Object each : inside) {
                count += depth < DEEPEST ? values(each, known, depth + 1) : MOST_VALUES;
                if (count > MOST_VALUES) {
                    throw new IllegalArgumentException("has aliases that expand to more than " + MOST_VALUES
                            + " values, or are nested deeper than " + DEEPEST);
                }
            }
            before = count;
        }
        if (before.equals(UNFINISHED)) {
            throw new IllegalArgumentException("has an alias that contains itself");
        }
        known.put(value, before);
        return before;
    }

    private static String reason(MarkedYAMLException broken, String text) {
        String line = broken.getProblemMark() == null
                ? ""
                : "line " + (broken.getProblemMark().getLine() + 1) + ": ";
        if (text.contains("{{")) {
            return line + "is a Helm template: " + RENDER;
        }
        return line + firstLine(String.valueOf(broken.getProblem()));
    }

    private static String firstLine(String text) {
        return Reasons.printable(text.lines().findFirst().orElse(text));
    }

    /** Checks that a value is a map. */
    static Map<?, ?> map(@Nullable Object value, String what) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new IllegalArgumentException(what + " = " + shown(value) + ": must have keys");
    }

    /** Checks that a value is a list. */
    static List<?> list(@Nullable Object value, String what) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException(what + " = " + shown(value) + ": must be a list");
    }

    /** The value at a path of keys; null without one. */
    static @Nullable Object at(@Nullable Object from, String... path) {
        Object value = from;
        for (String key : path) {
            value = value instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return value;
    }

    /**
     * The list at a path of keys; empty without one.
     *
     * @throws IllegalArgumentException if the value is no list
     */
    static List<?> listAt(@Nullable Object from, String... path) {
        Object value = at(from, path);
        return value == null ? List.of() : list(value, String.join(".", path));
    }

    private static String shown(@Nullable Object value) {
        return value instanceof Map<?, ?> || value instanceof List<?> ? "(nested)" : Reasons.shortened(value);
    }
}
