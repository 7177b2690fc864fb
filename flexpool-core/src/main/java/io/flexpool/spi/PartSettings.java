// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import io.flexpool.monitoring.ConfigKey;
import java.util.Objects;
import java.util.Optional;

/** What is configured for one pool, as a part reads it. Immutable. Made by flexpool alone; minor releases add methods. */
public interface PartSettings {
    /**
     * A value.
     *
     * @param key one of the part's own
     * @param <T> the value's type
     * @return what was given, else the key's fallback; empty if there is neither
     */
    <T> Optional<T> get(PartKey<T> key);

    /**
     * A value of a key that has a fallback.
     *
     * @param key one of the part's own
     * @param <T> the value's type
     * @return what was given, else the key's fallback
     * @throws IllegalStateException if there is neither
     */
    default <T> T need(PartKey<T> key) {
        Objects.requireNonNull(key, "key is null");
        return get(key).orElseThrow(
                        () -> new IllegalStateException(key.name() + " has neither a value nor a fallback"));
    }

    /**
     * Whether a value was given for a key.
     *
     * @param key the name of any key, of core's too, without the prefix {@code flexpool.}
     * @return false also if only a fallback holds, or if there is no such key
     */
    boolean given(String key);

    /**
     * What holds for a key, in words.
     *
     * @param key as for {@link #given}
     * @return what was given, else the fallback; a choice in lower case with hyphens; empty if there is neither, or no such key
     */
    Optional<String> words(String key);

    /** Takes what is wrong with a part's values. For the thread that checks. */
    interface Refusals {
        /**
         * Refuses a value. Does nothing if the key has been refused already.
         *
         * @param key one of the part's own
         * @param value the value, or what names it; a secret is masked
         * @param rule what it must be, as a clause that begins with a verb: {@code must be …}, {@code needs …}
         */
        void refuse(PartKey<?> key, Object value, String rule);

        /**
         * Refuses a key of core beside the part, for example {@code sizing.instances}.
         *
         * @param key the name of the key, without the prefix {@code flexpool.}
         * @param rule what holds, as a clause that begins with a verb: {@code must be left out beside …}
         * @throws IllegalArgumentException if there is no such key
         * @see ConfigKey#name()
         */
        void refuse(String key, String rule);

        /**
         * Says that a key has no value and must have one.
         *
         * @param key one of the part's own
         * @param rule what holds, as a clause that begins with a verb: {@code must be given with …}
         * @param neededBy the key of the part because of which it is needed
         */
        void missing(PartKey<?> key, String rule, PartKey<?> neededBy);
    }
}
