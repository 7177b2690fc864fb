// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import java.util.Objects;

/**
 * Thrown by a strategy or a metrics backend for a value that a key does not allow. Holds key, value and rule
 * separately, so that the reader of properties can name key and value as they were written. Immutable, apart from the
 * state of every exception.
 */
public final class RefusedValueException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /** As in {@link #key()}. */
    private final String key;

    private final transient Object value;

    /** As in {@link #rule()}. */
    private final String rule;

    /**
     * A refusal.
     *
     * @param key the key without a prefix, for example {@code retry.deadline}; for a metrics backend as in its
     *     {@code MetricsProvider.keys()}
     * @param value the refused value
     * @param rule the rule, as a phrase that begins with "must"
     */
    public RefusedValueException(String key, Object value, String rule) {
        super(key + " = " + shown(value) + ": " + rule);
        this.key = key;
        this.value = Objects.requireNonNull(value, "value is null");
        this.rule = rule;
    }

    private static String shown(Object value) {
        String text = String.valueOf(value);
        return text.isBlank() ? '"' + text + '"' : text;
    }

    /** {@return the key, without a prefix} */
    public String key() {
        return key;
    }

    /** {@return the refused value, of the key's kind} */
    public Object value() {
        return value;
    }

    /** {@return the rule, as a phrase that begins with "must"} */
    public String rule() {
        return rule;
    }
}
