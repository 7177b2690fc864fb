// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.shared.Words;
import io.flexpool.monitoring.ConfigKey.Kind;
import io.flexpool.pool.RefusedValueException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a key's value may be, and what holds without one. Immutable.
 *
 * @param inRange whether a value may be, as far as it can be said without the pool and the other keys
 * @param range the same in words, after "must be"
 * @param allowed all that a value must be, for the documentation
 * @param read makes a value of the key's kind what it stands for; throws {@link RefusedValueException}
 * @param fallback what holds without a value, in words
 * @param value what holds without a value; null for nothing, or for what depends on the pool
 * @param needs the key without which this one has no effect; null if there is none
 */
record ValueRule(
        Kind kind,
        Predicate<Object> inRange,
        String range,
        String allowed,
        Function<Object, Object> read,
        String fallback,
        @Nullable Object value,
        @Nullable String needs) {

    private static ValueRule of(Kind kind, String allowed, Predicate<Object> inRange) {
        return new ValueRule(kind, inRange, allowed, allowed, value -> value, "none", null, null);
    }

    static ValueRule text(String allowed) {
        return of(Kind.TEXT, allowed, value -> true);
    }

    static ValueRule list(String allowed) {
        return of(Kind.LIST, allowed, value -> true);
    }

    static ValueRule flag(boolean fallback) {
        return of(Kind.FLAG, "true or false", value -> true).or(String.valueOf(fallback), fallback);
    }

    static ValueRule count(int least, int most) {
        return of(Kind.COUNT, "from " + least + " to " + most, value -> (int) value >= least && (int) value <= most);
    }

    static ValueRule duration(Duration least, Duration most) {
        return of(Kind.DURATION, "from " + least + " to " + most, within(least, most));
    }

    /** More than nothing, up to a period as ISO 8601 writes it. */
    static ValueRule upTo(String most) {
        return of(Kind.DURATION, "above PT0S and at most " + most, within(Duration.ofNanos(1), Duration.parse(most)));
    }

    private static Predicate<Object> within(Duration least, Duration most) {
        return value -> ((Duration) value).compareTo(least) >= 0 && ((Duration) value).compareTo(most) <= 0;
    }

    /**
     * A word for each constant of the fallback's enum, in lower case.
     *
     * @param otherwise called with a word that is none of them; may throw {@link RefusedValueException} with a better rule
     */
    static <E extends Enum<E>> ValueRule choice(E fallback, Consumer<String> otherwise) {
        List<E> constants = Arrays.asList(fallback.getDeclaringClass().getEnumConstants());
        List<String> words = constants.stream().map(Words::word).toList();
        String allowed = String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.get(words.size() - 1);
        Function<Object, Object> read = written -> {
            int at = words.indexOf((String) written);
            if (at < 0) {
                otherwise.accept((String) written);
                throw new RefusedValueException("", written, "must be " + allowed);
            }
            return constants.get(at);
        };
        return new ValueRule(Kind.TEXT, value -> true, allowed, allowed, read, Words.word(fallback), fallback, null);
    }

    private ValueRule or(String words, @Nullable Object fallbackValue) {
        return new ValueRule(kind, inRange, range, allowed, read, words, fallbackValue, needs);
    }

    /** A number or a duration holds without a value. */
    ValueRule or(String written) {
        return or(written, kind == Kind.COUNT ? Integer.valueOf(written) : Words.duration(written));
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
        return new ValueRule(kind, inRange, range, words, read, fallback, value, needs);
    }

    /** Without effect unless another key is given. */
    ValueRule needing(String key) {
        return new ValueRule(kind, inRange, range, allowed, read, fallback, value, key);
    }
}
