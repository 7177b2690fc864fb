// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import java.util.List;

/**
 * One property as it was written, and what was read from it.
 *
 * @param key the whole key, of a pool's own section too
 * @param text the value as text
 * @param origin where it was written, for people
 * @param value what was read from the text, of the key's kind; the text itself until then
 */
record GivenProperty(String key, String text, String origin, Object value) {
    GivenProperty read(Object as) {
        return new GivenProperty(key, text, origin, as);
    }

    /** How a value that came from here was written: this property's value, or one of its list. */
    String written(Object refused) {
        return refused.equals(value) ? text : String.valueOf(refused);
    }

    /** Whether a value came from here, and not from code. */
    boolean gave(Object refused) {
        return refused.equals(value) || (value instanceof List<?> all && all.contains(refused));
    }
}
