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
     * A key.
     *
     * @param name the whole key as the application wrote it
     * @param words the parts between the dots after flexpool's prefix, at least one; of an environment variable every word
     * @param value with placeholders resolved; elements of a list separated by commas
     * @param origin the place: a file and line, a property source, an environment variable
     * @param originNamesKey whether the origin shows how the key is spelt there, as the name of an environment variable does
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
     * A key of which each element of its list was written by itself.
     *
     * @param name the whole key without an index
     * @param words the parts of the name after flexpool's prefix
     * @param elements at least one, in their order
     * @return a key with the values of all elements, and the origin of the first one
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
     * Whether an environment variable is one that Kubernetes sets in every container because a service is named {@code flexpool} or
     * {@code flexpool-something}.
     *
     * @param words its words after {@code FLEXPOOL_}, in lower case
     * @return whether it is no key
     */
    public static boolean isOfKubernetes(List<String> words) {
        return OfKubernetes.NAME.matcher(String.join("_", words)).matches();
    }

    /**
     * The parts after flexpool's prefix.
     *
     * @return at least one
     */
    public List<String> words() {
        return words;
    }

    /**
     * The value as it was written, with placeholders resolved.
     *
     * @return the text, perhaps with blanks around it
     */
    public String value() {
        return value;
    }

    /** The words from an index on, relaxed. */
    String relaxedFrom(int first) {
        return relaxed(String.join("", words.subList(first, words.size())));
    }

    /** The words as one key of core's, whether core knows it or not. */
    String coreKey() {
        return PREFIX + String.join(".", words);
    }

    /**
     * The origin, with the key as the application wrote it if core shows another spelling.
     *
     * @param coreKey the whole key that core's refusal shows
     */
    String origin(String coreKey) {
        return originNamesKey || name.equals(coreKey) ? origin : name + " in " + origin;
    }

    /**
     * The key with its value and origin, in one line.
     *
     * @return the value is masked if the key is that of a secret
     */
    public String describe() {
        return shown() + " (" + origin + ")";
    }

    /**
     * A refusal, in one line.
     *
     * @param rule the violated rule, with the allowed values
     * @return key, value, rule and origin; the value is masked if the key is that of a secret
     */
    public String refused(String rule) {
        return shown() + ": " + rule + " (" + origin + ")";
    }

    private String shown() {
        return Texts.line(name) + " = " + (Texts.isSecret(name) ? "***" : Texts.line(value));
    }

    @Override
    public String toString() {
        return describe();
    }

    /** Loaded only where an environment variable has flexpool's prefix. */
    private static final class OfKubernetes {
        static final Pattern NAME = Pattern.compile("(.+_)?(service_host|service_port(_.+)?|port(_\\d+_.+)?)");
    }
}
