// SPDX-License-Identifier: Apache-2.0
package io.flexpool.framework;

import io.flexpool.spi.Texts;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** One of flexpool's keys as an application wrote it, with its value and origin. Immutable. */
public final class WrittenKey {
    private static final String PREFIX = "flexpool.";

    private final String name;
    private final List<String> words;
    private final String value;
    private final String origin;
    private final boolean originNamesKey;

    /**
     * Creates a key.
     *
     * @param name the full key, as written
     * @param words the parts between the dots after flexpool's prefix, at least one; for an environment variable, every
     *     word
     * @param value the value with resolved placeholders; list elements separated by commas
     * @param origin the origin: a file and line, a property source, or an environment variable
     * @param originNamesKey whether the origin shows the written spelling, as an environment variable's name does
     */
    public WrittenKey(String name, List<String> words, String value, String origin, boolean originNamesKey) {
        this.name = Objects.requireNonNull(name, "name is null");
        this.words = List.copyOf(words);
        this.value = Objects.requireNonNull(value, "value is null");
        this.origin = Objects.requireNonNull(origin, "origin is null");
        this.originNamesKey = originNamesKey;
        if (this.words.isEmpty()) {
            throw new IllegalArgumentException("a key needs at least one word: " + Texts.line(name));
        }
    }

    /**
     * Creates a key from separately written list elements.
     *
     * @param name the full key, without an index
     * @param words the parts of the name after flexpool's prefix
     * @param elements the elements, at least one, in order
     * @return a key with the values of all elements, and the origin of the first
     */
    public static WrittenKey list(String name, List<String> words, List<WrittenKey> elements) {
        String values = elements.stream().map(WrittenKey::value).collect(Collectors.joining(","));
        WrittenKey first = elements.get(0);
        return new WrittenKey(name, words, values, first.origin, first.originNamesKey);
    }

    /**
     * Reduces a name to the part that all its spellings share: environment variables have neither hyphens nor capitals.
     *
     * @param name the name of a key, pool or class
     * @return its letters and digits, in lower case
     */
    public static String relaxed(String name) {
        StringBuilder kept = new StringBuilder(name.length());
        String lower = name.toLowerCase(Locale.ROOT);
        for (int at = 0; at < lower.length(); at++) {
            if (Character.isLetterOrDigit(lower.charAt(at))) {
                kept.append(lower.charAt(at));
            }
        }
        return kept.toString();
    }

    /**
     * Whether Kubernetes has set an environment variable for a service named {@code flexpool} or
     * {@code flexpool-something}: it sets these in every container.
     *
     * @param words the words after {@code FLEXPOOL_}, in lower case
     * @return true if it is such a variable, and no key
     */
    public static boolean isOfKubernetes(List<String> words) {
        return OfKubernetes.NAME.matcher(String.join("_", words)).matches();
    }

    /**
     * The parts after flexpool's prefix.
     *
     * @return the parts, at least one
     */
    public List<String> words() {
        return words;
    }

    /**
     * The written value, with resolved placeholders.
     *
     * @return the text, perhaps with surrounding blanks
     */
    public String value() {
        return value;
    }

    /** The words from an index on, relaxed. */
    String relaxedFrom(int first) {
        return relaxed(String.join("", words.subList(first, words.size())));
    }

    /** The words joined to a key in core's form, known or unknown. */
    String coreKey() {
        return PREFIX + String.join(".", words);
    }

    /**
     * The origin; with the written key if core shows another spelling.
     *
     * @param coreKey the full key in core's refusal
     */
    String origin(String coreKey) {
        return originNamesKey || name.equals(coreKey) ? origin : name + " in " + origin;
    }

    /**
     * The key with its value and origin, in one line.
     *
     * @return the line; masks the value of a secret
     */
    public String describe() {
        return shown() + " (" + origin + ")";
    }

    /**
     * A refusal, in one line.
     *
     * @param rule the violated rule, with the allowed values
     * @return key, value, rule and origin; masks the value of a secret
     */
    public String refused(String rule) {
        return shown() + ": " + rule + " (" + origin + ")";
    }

    /** Whether a source has listed the same key again. */
    boolean isSame(WrittenKey other) {
        return name.equals(other.name) && origin.equals(other.origin);
    }

    /** The refusal of a second spelling in the same source. Without values: a framework may return one for both. */
    String second(WrittenKey first) {
        return Texts.line(name) + ": the key is given twice, also as " + Texts.line(first.name)
                + (first.origin.equals(origin) ? "" : " in " + first.origin) + " (" + origin + ")";
    }

    private String shown() {
        return Texts.line(name) + " = " + (Texts.isSecret(name) ? "***" : Texts.line(value));
    }

    @Override
    public String toString() {
        return describe();
    }

    /** Loaded only if an environment variable has flexpool's prefix. */
    private static final class OfKubernetes {
        static final Pattern NAME = Pattern.compile("(.+_)?(service_host|service_port(_.+)?|port(_\\d+_.+)?)");
    }
}
