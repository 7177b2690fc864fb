// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Values by key, from code or from properties; otherwise the key's fallback. Immutable. */
public final class Values {
    public static final Values NONE = new Values(Map.of());

    private final Map<SettingKey, Object> given;

    private Values(Map<SettingKey, Object> given) {
        this.given = given;
    }

    /** A copy with one more value, which replaces an earlier value; a list extends it. */
    public Values with(SettingKey key, Object value) {
        Map<SettingKey, Object> all = new LinkedHashMap<>(given);
        Object before = all.put(key, Objects.requireNonNull(value, key.key().name() + " is null"));
        if (before instanceof List<?> some && value instanceof List<?> more) {
            List<Object> both = new ArrayList<>(some);
            both.addAll(more);
            all.put(key, List.copyOf(both));
        }
        return new Values(all);
    }

    Values without(SettingKey key) {
        Map<SettingKey, Object> all = new LinkedHashMap<>(given);
        all.remove(key);
        return new Values(all);
    }

    boolean has(SettingKey key) {
        return given.containsKey(key);
    }

    /** A copy without values outside their key's range, which are refused. */
    Values checked(Refusals refusals, Problems problems) {
        Values good = this;
        for (Map.Entry<SettingKey, Object> one : given.entrySet()) {
            SettingKey key = one.getKey();
            Object value = one.getValue();
            if (!key.rule().inRange(value)) {
                problems.add(
                        key, refusals.of(key, value, "must be " + key.rule().range()));
                good = good.without(key);
            }
            for (String text : value instanceof List<?> ? texts(key) : List.<String>of()) {
                if (text.isBlank()) {
                    problems.add(key, refusals.ofText(key, text, "must not be blank"));
                    good = good.without(key);
                    break;
                }
            }
        }
        return good;
    }

    /** A value of the type of the key's rule; null without one. */
    public <T> @Nullable T get(SettingKey key, Class<T> type) {
        Object value = given.getOrDefault(key, key.rule().value());
        return value == null ? null : type.cast(value);
    }

    /** A value of a key with a fallback. */
    public <T> T need(SettingKey key, Class<T> type) {
        return Objects.requireNonNull(get(key, type), key.key().name());
    }

    public boolean flag(SettingKey key) {
        return need(key, Boolean.class);
    }

    public int count(SettingKey key) {
        return need(key, Integer.class);
    }

    public @Nullable Duration duration(SettingKey key) {
        return get(key, Duration.class);
    }

    /** A duration in nanoseconds; Long.MAX_VALUE without one. */
    public long nanos(SettingKey key) {
        Duration value = duration(key);
        return value == null ? Long.MAX_VALUE : value.toNanos();
    }

    public List<String> texts(SettingKey key) {
        List<?> all = get(key, List.class);
        if (all == null) {
            return List.of();
        }
        List<String> texts = new ArrayList<>();
        for (Object one : all) {
            texts.add((String) one);
        }
        return List.copyOf(texts);
    }
}
