// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One Java or Kotlin type, read without a compiler: its methods with their bodies, and the types of its fields.
 * Comments and strings are replaced by blanks. Immutable.
 *
 * @param file the file, relative to the read directory
 * @param name the name of the type
 * @param header the declaration before the body, with annotations
 * @param methods the methods directly in the type
 * @param fields the type of each name with exactly one declaration
 */
record SourceFile(Path file, String name, String header, List<Method> methods, Map<String, String> fields) {
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|object)\\s+(?<name>[A-Z]\\w*)");
    private static final Pattern NAME = Pattern.compile("\\b(?<name>\\w++)\\s*+\\(");
    private static final Pattern JAVA_FIELD = Pattern.compile("\\b(?<type>[A-Z]\\w*)\\s+(?<name>[a-z]\\w*)\\s*[;=,)]");
    private static final Pattern KOTLIN_FIELD =
            Pattern.compile("\\b(?:va[lr]\\s+)?(?<name>[a-z]\\w*)\\s*:\\s*(?<type>[A-Z]\\w*)");
    private static final Pattern ANNOTATION = Pattern.compile("@[\\w.]+\\s*");

    /**
     * A method with its body.
     *
     * @param line the line of the body's first character
     */
    record Method(String name, String header, String body, int line) {
        boolean has(String word) {
            return header.contains(word);
        }

        /** The line of an index in the body. */
        int lineOf(int at) {
            return line + lines(body.substring(0, at));
        }
    }

    /** Reads a text; null without a type, or with unbalanced braces. */
    static @Nullable SourceFile of(Path file, String text) {
        String code = blank(text);
        Matcher type = TYPE.matcher(code);
        if (!type.find()) {
            return null;
        }
        int open = code.indexOf('{', type.end());
        int end = open < 0 ? -1 : end(code, open);
        if (end < 0) {
            return null;
        }
        return new SourceFile(
                file,
                type.group("name"),
                code.substring(0, open),
                methods(code, open, end),
                fields(code, String.valueOf(file).endsWith(".kt")));
    }

    private static List<Method> methods(String code, int open, int end) {
        List<Method> methods = new ArrayList<>();
        int from = open + 1;
        int line = 1;
        int counted = 0;
        for (int at = open + 1; at < end; at++) {
            char each = code.charAt(at);
            if (each == '(') {
                int close = closing(code, at);
                if (close < 0) {
                    return methods;
                }
                at = close;
            } else if (each == ';' || each == '}') {
                from = at + 1;
            } else if (each == '{') {
                int close = end(code, at);
                String header = code.substring(from, at);
                String declared = withoutAnnotations(header);
                Matcher name = NAME.matcher(declared);
                line += lines(code.substring(counted, at));
                counted = at;
                if (close > 0 && name.find() && !declared.contains("=")) {
                    methods.add(new Method(name.group("name"), header, code.substring(at, close), line));
                }
                at = close < 0 ? end : close;
                from = at + 1;
            }
        }
        return List.copyOf(methods);
    }

    /** Removes annotations with their arguments, which may contain equals signs and other names. */
    private static String withoutAnnotations(String header) {
        StringBuilder rest = new StringBuilder();
        int at = 0;
        Matcher annotation = ANNOTATION.matcher(header);
        while (annotation.find(at)) {
            rest.append(header, at, annotation.start());
            at = annotation.end();
            if (at < header.length() && header.charAt(at) == '(') {
                int close = closing(header, at);
                at = close < 0 ? header.length() : close + 1;
            }
        }
        return rest.append(header.substring(at)).toString();
    }

    private static Map<String, String> fields(String code, boolean kotlin) {
        Map<String, String> fields = new HashMap<>();
        Set<String> twice = new HashSet<>();
        Matcher field = (kotlin ? KOTLIN_FIELD : JAVA_FIELD).matcher(code);
        while (field.find()) {
            String before = fields.put(field.group("name"), field.group("type"));
            if (before != null && !before.equals(field.group("type"))) {
                twice.add(field.group("name"));
            }
        }
        fields.keySet().removeAll(twice);
        return Map.copyOf(fields);
    }

    /** Replaces comments and strings by blanks; keeps line ends. */
    private static String blank(String text) {
        char[] code = text.toCharArray();
        int at = 0;
        while (at < code.length) {
            int end = at;
            if (text.startsWith("//", at)) {
                end = before(text.indexOf('\n', at), code.length);
            } else if (text.startsWith("/*", at)) {
                end = before(text.indexOf("*/", at + 2), code.length - 2) + 2;
            } else if (text.startsWith("\"\"\"", at)) {
                end = before(text.indexOf("\"\"\"", at + 3), code.length - 3) + 3;
            } else if (code[at] == '"' || code[at] == '\'') {
                end = at + 1;
                while (end < code.length && code[end] != code[at] && code[end] != '\n') {
                    end += code[end] == '\\' ? 2 : 1;
                }
                end = Math.min(end + 1, code.length);
            }
            for (int each = at; each < end; each++) {
                code[each] = code[each] == '\n' ? '\n' : ' ';
            }
            at = Math.max(end, at + 1);
        }
        return new String(code);
    }

    private static int lines(String text) {
        return (int) text.chars().filter(each -> each == '\n').count();
    }

    private static int before(int found, int otherwise) {
        return found < 0 ? otherwise : found;
    }

    /** The index of the closing brace; negative without one. */
    private static int end(String code, int open) {
        return matching(code, open, '{', '}');
    }

    private static int closing(String code, int open) {
        return matching(code, open, '(', ')');
    }

    private static int matching(String code, int open, char begin, char end) {
        int depth = 0;
        for (int at = open; at < code.length(); at++) {
            if (code.charAt(at) == begin) {
                depth++;
            } else if (code.charAt(at) == end) {
                depth--;
                if (depth == 0) {
                    return at;
                }
            }
        }
        return -1;
    }
}
