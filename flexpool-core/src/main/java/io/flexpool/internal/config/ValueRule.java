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
 * What a key's value may be, and what holds without one. Immutable. Data and not functions: the table of keys is made by
 * the first build, and each function would be a class of its own.
 *
 * @param least a number's or a duration's range, as far as it can be said without the pool and the other keys; null for
 *     any value
 * @param most as the least
 * @param range the same in words, after "must be"
 * @param allowed all that a value must be, for the documentation
 * @param choices the constants that a text stands for; empty if it stands for itself
 * @param fallback what holds without a value, in words
 * @param value what holds without a value; null for nothing, or for what depends on the pool
 * @param needs the key without which this one has no effect; null if there is none
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

    /** The longest duration is written as ISO 8601 writes it. */
    static ValueRule duration(Duration least, Duration most, String written) {
        return of(Kind.DURATION, "from " + least + " to " + written, least, most);
    }

    /** More than nothing, up to a period, which is written as ISO 8601 writes it. */
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
     * Makes a value of the key's kind what it stands for.
     *
     * @throws RefusedValueException if it stands for nothing
     */
    Object read(Object written) {
        if (choices.isEmpty()) {
            return written;
        }
        for (Enum<?> constant : choices) {
            if (Words.word(constant).equals(written)) {
                return constant;
            }
        }
        if (value instanceof PoolMode) {
            // It knows the words of before.
            PoolMode.of((String) written);
        }
        throw new RefusedValueException("", written, "must be " + allowed);
    }

    /** What holds without a value, as it is written. */
    ValueRule or(String written, @Nullable Object fallbackValue) {
        return new ValueRule(kind, least, most, range, allowed, choices, written, fallbackValue, needs);
    }

    /** What holds without a value is not known here. */
    ValueRule orElse(String words) {
        return or(words, null);
    }

    /** More that is allowed, or not, but is checked where the pool or the other keys are known. */
    ValueRule and(String more) {
        return allowed(allowed + ", " + more);
    }

    /** Instead of the range, where that would mislead. */
    ValueRule allowed(String words) {
        return new ValueRule(kind, least, most, range, words, choices, fallback, value, needs);
    }

    /** Without effect unless another key is given. */
    ValueRule needing(String key) {
        return new ValueRule(kind, least, most, range, allowed, choices, fallback, value, key);
    }
}
