// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.pool.RefusedValueException;
import java.util.Map;

/**
 * Words the refusals of one pool's configuration. What properties gave is named by key and value as they were written,
 * and by where; what code gave by the key alone.
 *
 * @param pool the pool's name
 * @param properties what properties gave, by key without prefix
 */
public record Refusals(String pool, Map<String, GivenProperty> properties) {
    /**
     * A refusal.
     *
     * @param key without prefix
     * @param value what is refused
     * @param rule what is allowed
     */
    public IllegalArgumentException of(String key, Object value, String rule) {
        GivenProperty given = properties.get(key);
        if (given == null || !given.gave(value)) {
            return BadConfiguration.of(pool, key, value, rule);
        }
        return refused(given, given.written(value), rule);
    }

    private IllegalArgumentException refused(GivenProperty given, String value, String rule) {
        return new IllegalArgumentException(BadConfiguration.line(pool, given.key(), value, rule, given.origin()));
    }

    public IllegalArgumentException of(CoreKey key, Object value, String rule) {
        return of(key.key().name(), value, rule);
    }

    /** Of a text that may be blank: with quotes around it. */
    public IllegalArgumentException ofText(CoreKey key, String value, String rule) {
        String name = key.key().name();
        GivenProperty given = properties.get(name);
        String quoted = "'" + value + "'";
        return given != null && given.gave(value)
                ? refused(given, quoted, rule)
                : BadConfiguration.of(pool, name, quoted, rule);
    }

    /** With a cause. */
    public IllegalArgumentException of(CoreKey key, Object value, String rule, Throwable cause) {
        IllegalArgumentException refused = of(key, value, rule);
        refused.initCause(cause);
        return refused;
    }

    /**
     * What a strategy or a backend refused.
     *
     * @param prefix what stands before its key: nothing, or that of the backend
     */
    public IllegalArgumentException of(String prefix, RefusedValueException refused) {
        IllegalArgumentException named = of(prefix + refused.key(), refused.value(), refused.rule());
        named.initCause(refused);
        return named;
    }
}
