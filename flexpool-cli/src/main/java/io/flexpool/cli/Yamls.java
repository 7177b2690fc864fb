// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads YAML without executing anything, and words what is wrong with it. */
final class Yamls {
    /** One for each application of a large company: an alias is no attack, because nothing is copied. */
    private static final int ALIASES = 10_000;

    private static final int LARGEST = 64 << 20;
    private static final int DEEPEST = 200;

    private Yamls() {}

    /**
     * All documents of a text that are not empty.
     *
     * @throws IllegalArgumentException with the line and the reason in one sentence
     */
    static List<Object> all(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(ALIASES);
        options.setCodePointLimit(LARGEST);
        options.setNestingDepthLimit(DEEPEST);
        options.setAllowRecursiveKeys(false);
        List<Object> documents = new ArrayList<>();
        try {
            for (Object document : new Yaml(new SafeConstructor(options)).loadAll(text)) {
                if (document != null) {
                    documents.add(document);
                }
            }
        } catch (MarkedYAMLException broken) {
            throw new IllegalArgumentException(reason(broken, text), broken);
        } catch (YAMLException | StackOverflowError broken) {
            throw new IllegalArgumentException("is no YAML: " + firstLine(String.valueOf(broken.getMessage())), broken);
        }
        return documents;
    }

    private static String reason(MarkedYAMLException broken, String text) {
        String line = broken.getProblemMark() == null
                ? ""
                : "line " + (broken.getProblemMark().getLine() + 1) + ": ";
        if (text.contains("{{")) {
            return line + "is a Helm template: render it first, with helm template … | flexpool budget - …";
        }
        return line + firstLine(String.valueOf(broken.getProblem()));
    }

    private static String firstLine(String text) {
        return Reasons.printable(text.lines().findFirst().orElse(text));
    }

    /** A value that must have keys. */
    static Map<?, ?> map(@Nullable Object value, String what) {
        if (value instanceof Map<?, ?> map) {
            return map;
        }
        throw new IllegalArgumentException(what + " = " + shown(value) + ": must have keys");
    }

    /** A value that must be a list. */
    static List<?> list(@Nullable Object value, String what) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException(what + " = " + shown(value) + ": must be a list");
    }

    /** The value at a path of keys; null if there is none. */
    static @Nullable Object at(@Nullable Object from, String... path) {
        Object value = from;
        for (String key : path) {
            value = value instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return value;
    }

    /**
     * The list at a path of keys; empty if there is none.
     *
     * @throws IllegalArgumentException if there is something else
     */
    static List<?> listAt(@Nullable Object from, String... path) {
        Object value = at(from, path);
        return value == null ? List.of() : list(value, String.join(".", path));
    }

    private static String shown(@Nullable Object value) {
        return value instanceof Map<?, ?> || value instanceof List<?> ? "(nested)" : String.valueOf(value);
    }
}
