// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.ConfigKey.Kind;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.RefusedValueException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The allowed values of a key, and its fallback. Immutable. Data, not functions: the first build creates the table of
 * keys, and each function would be a separate class.
 *
 * @param least the lower end of a number's or duration's range, as far as it does not depend on the pool and other
 *     keys; null for any value
 * @param most the upper end
 * @param range the range in words, after "must be"
 * @param allowed the allowed values, for the documentation
 * @param choices the constants of a choice; empty for other keys
 * @param fallback the fallback in words
 * @param value the fallback; null without one, or if it depends on the pool
 * @param needs the key that this key needs; null without one
 */
public record ValueRule(
        Kind kind,
        @Nullable Object least,
        @Nullable Object most,
        String range,
        String allowed,
        List<? extends Enum<?>> choices,
        String fallback,
        @Nullable Object value,
        @Nullable String needs) {

    private static ValueRule of(Kind kind, String allowed, @Nullable Object least, @Nullable Object most) {
        return new ValueRule(kind, least, most, allowed, allowed, List.of(), "none", null, null);
    }

    static ValueRule text(String allowed) {
        return of(Kind.TEXT, allowed, null, null);
    }

    static ValueRule list(String allowed) {
        return of(Kind.LIST, allowed, null, null);
    }

    static ValueRule flag(boolean fallback) {
        return of(Kind.FLAG, "true or false", null, null).or(String.valueOf(fallback), fallback);
    }

    static ValueRule count(int least, int most) {
        return of(Kind.COUNT, "from " + least + " to " + most, least, most);
    }

    static ValueRule duration(Duration least, Duration most) {
        return duration(least, most, most.toString());
    }

    /** A duration in a range; {@code written} is the longest duration in ISO 8601. */
    static ValueRule duration(Duration least, Duration most, String written) {
        return of(Kind.DURATION, "from " + least + " to " + written, least, most);
    }

    /** A duration above zero, up to {@code most}; {@code written} is that in ISO 8601. */
    static ValueRule upTo(Duration most, String written) {
        return of(Kind.DURATION, "above PT0S and at most " + written, Duration.ofNanos(1), most);
    }

    /** A word for each constant of the fallback's enum, in lower case. */
    static <E extends Enum<E>> ValueRule choice(E fallback) {
        List<E> constants = List.of(fallback.getDeclaringClass().getEnumConstants());
        StringBuilder allowed = new StringBuilder();
        for (int at = 0; at < constants.size(); at++) {
            String before = at == 0 ? "" : at < constants.size() - 1 ? ", " : " or ";
            allowed.append(before).append(Words.word(constants.get(at)));
        }
        String words = allowed.toString();
        return new ValueRule(Kind.TEXT, null, null, words, words, constants, Words.word(fallback), fallback, null);
    }

    /** Whether a value of the key's kind is within the range. */
    boolean inRange(Object given) {
        if (least instanceof Integer from && most instanceof Integer to) {
            return (int) given >= from && (int) given <= to;
        }
        if (least instanceof Duration from && most instanceof Duration to) {
            return ((Duration) given).compareTo(from) >= 0 && ((Duration) given).compareTo(to) <= 0;
        }
        return true;
    }

    /**
     * Converts a value of the key's kind to its meaning. YAML 1.1 reads an unquoted off as false.
     *
     * @throws RefusedValueException if the value has no meaning
     */
    Object read(Object written) {
        if (choices.isEmpty()) {
            return written;
        }
        for (Enum<?> constant : choices) {
            if (Words.word(constant).equals(written.equals("false") ? "off" : written)) {
                return constant;
            }
        }
        if (value instanceof PoolMode) {
            // PoolMode.of() also accepts former words.
            PoolMode.of((String) written);
        }
        throw new RefusedValueException("", written, "must be " + allowed);
    }

    /** A copy with a fallback in its written form. */
    ValueRule or(String written, @Nullable Object fallbackValue) {
        return new ValueRule(kind, least, most, range, allowed, choices, written, fallbackValue, needs);
    }

    /** A copy with a fallback that is unknown here. */
    ValueRule orElse(String words) {
        return or(words, null);
    }

    /** A copy with a further rule that is checked with the pool or other keys. */
    ValueRule and(String more) {
        String words = allowed + ", " + more;
        return new ValueRule(kind, least, most, range, words, choices, fallback, value, needs);
    }

    /** A copy for a key that has no effect without another key. */
    ValueRule needing(String key) {
        return new ValueRule(kind, least, most, range, allowed, choices, fallback, value, key);
    }
}
