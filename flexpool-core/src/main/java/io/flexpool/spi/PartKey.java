// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.monitoring.ConfigKey.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A key of a part, with the type of its value, its range and its documentation. Immutable. Made once, as a constant.
 *
 * @param <T> a {@link Boolean}, {@link Integer}, {@link Duration}, {@link String}, list of strings, or an enum's constant
 */
public final class PartKey<T> {
    private final ConfigKey key;
    private final @Nullable Comparable<?> min;
    private final @Nullable Comparable<?> max;
    private final String range;
    private final List<? extends Enum<?>> choices;
    private final @Nullable T fallback;
    private final @Nullable String needs;

    private PartKey(
            ConfigKey key,
            @Nullable Comparable<?> min,
            @Nullable Comparable<?> max,
            String range,
            List<? extends Enum<?>> choices,
            @Nullable T fallback,
            @Nullable String needs) {
        this.key = key;
        this.min = min;
        this.max = max;
        this.range = range;
        this.choices = choices;
        this.fallback = fallback;
        this.needs = needs;
    }

    private static <T> PartKey<T> of(
            String name,
            Kind kind,
            String allowed,
            String meaning,
            @Nullable Comparable<?> min,
            @Nullable Comparable<?> max) {
        Objects.requireNonNull(name, "name is null");
        Objects.requireNonNull(meaning, "meaning is null");
        return new PartKey<>(
                new ConfigKey(name, kind, "none", allowed, meaning), min, max, allowed, List.of(), null, null);
    }

    /**
     * A switch.
     *
     * @param name as in {@link ConfigKey#name()}: without the prefix {@code flexpool.}
     * @param fallback what holds if it is not given
     * @param meaning what it does, in one sentence
     * @return the key
     */
    public static PartKey<Boolean> flag(String name, boolean fallback, String meaning) {
        return PartKey.<Boolean>of(name, Kind.FLAG, "true or false", meaning, null, null)
                .or(fallback, String.valueOf(fallback));
    }

    /**
     * A whole number.
     *
     * @param name see {@link #flag}
     * @param min the lowest allowed number
     * @param max the highest allowed number
     * @param meaning see {@link #flag}
     * @return the key, without a fallback
     */
    public static PartKey<Integer> count(String name, int min, int max, String meaning) {
        return of(name, Kind.COUNT, "from " + min + " to " + max, meaning, min, max);
    }

    /**
     * A duration.
     *
     * @param name see {@link #flag}
     * @param min the shortest allowed duration
     * @param max the longest allowed duration
     * @param meaning see {@link #flag}
     * @return the key, without a fallback
     */
    public static PartKey<Duration> duration(String name, Duration min, Duration max, String meaning) {
        return of(name, Kind.DURATION, "from " + min + " to " + max, meaning, min, max);
    }

    /**
     * A text.
     *
     * @param name see {@link #flag}
     * @param allowed the allowed texts, as a phrase that follows "must be"; the part checks them
     * @param meaning see {@link #flag}
     * @return the key, without a fallback
     */
    public static PartKey<String> text(String name, String allowed, String meaning) {
        return of(name, Kind.TEXT, allowed, meaning, null, null);
    }

    /**
     * Texts separated by commas.
     *
     * @param name see {@link #flag}
     * @param allowed see {@link #text}
     * @param meaning see {@link #flag}
     * @return the key, without a fallback
     */
    public static PartKey<List<String>> list(String name, String allowed, String meaning) {
        return of(name, Kind.LIST, allowed, meaning, null, null);
    }

    /**
     * A choice of words: the constants of an enum, in lower case with hyphens.
     *
     * @param name see {@link #flag}
     * @param fallback what holds if it is not given
     * @param meaning see {@link #flag}
     * @param <E> the enum
     * @return the key
     */
    public static <E extends Enum<E>> PartKey<E> choice(String name, E fallback, String meaning) {
        Objects.requireNonNull(name, "name is null");
        Objects.requireNonNull(fallback, "fallback is null");
        Objects.requireNonNull(meaning, "meaning is null");
        List<E> constants = List.of(fallback.getDeclaringClass().getEnumConstants());
        StringBuilder allowed = new StringBuilder();
        for (int at = 0; at < constants.size(); at++) {
            String before = at == 0 ? "" : at < constants.size() - 1 ? ", " : " or ";
            allowed.append(before).append(word(constants.get(at)));
        }
        ConfigKey key = new ConfigKey(name, Kind.TEXT, word(fallback), allowed.toString(), meaning);
        return new PartKey<>(key, null, null, allowed.toString(), constants, fallback, null);
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The same key with a fallback.
     *
     * @param value what holds if it is not given
     * @param written the written form of the value, for the documentation
     * @return a new key
     */
    public PartKey<T> or(T value, String written) {
        return new PartKey<>(documented(written, key.allowed()), min, max, range, choices, value, needs);
    }

    /**
     * The same key, for which the part determines the fallback.
     *
     * @param words the fallback in words, for the documentation
     * @return a new key, without a fallback
     */
    public PartKey<T> orElse(String words) {
        return new PartKey<>(documented(words, key.allowed()), min, max, range, choices, null, needs);
    }

    /**
     * The same key, with other allowed values than its range; the part checks them.
     *
     * @param words the allowed values, as a phrase that follows "must be"
     * @return a new key
     */
    public PartKey<T> allowed(String words) {
        return new PartKey<>(documented(key.fallback(), words), min, max, range, choices, fallback, needs);
    }

    /**
     * The same key, refused without another key.
     *
     * @param other the name of the other key, without the prefix {@code flexpool.}
     * @return a new key
     */
    public PartKey<T> needing(String other) {
        return new PartKey<>(key, min, max, range, choices, fallback, Objects.requireNonNull(other, "other is null"));
    }

    private ConfigKey documented(String without, String allowed) {
        return new ConfigKey(key.name(), key.kind(), without, allowed, key.meaning());
    }

    /** {@return the name, without the prefix {@code flexpool.}} */
    public String name() {
        return key.name();
    }

    /** {@return the key's documentation} */
    public ConfigKey key() {
        return key;
    }

    /** {@return the lowest allowed number or shortest allowed duration; empty without one} */
    public Optional<Comparable<?>> min() {
        return Optional.ofNullable(min);
    }

    /** {@return the highest allowed number or longest allowed duration; empty without one} */
    public Optional<Comparable<?>> max() {
        return Optional.ofNullable(max);
    }

    /** {@return the range in words, as a phrase that follows "must be"} */
    public String range() {
        return range;
    }

    /** {@return the constants of a choice; empty for other keys} */
    public List<? extends Enum<?>> choices() {
        return choices;
    }

    /** {@return the fallback; empty without one, or if it depends on the pool} */
    public Optional<T> fallback() {
        return Optional.ofNullable(fallback);
    }

    /** {@return the key without which this key is refused; empty without one} */
    public Optional<String> needs() {
        return Optional.ofNullable(needs);
    }

    /** {@return the name} */
    @Override
    public String toString() {
        return key.name();
    }
}
