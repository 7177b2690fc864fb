// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.internal.shared.Words;
import io.flexpool.spi.PartKey;
import io.flexpool.spi.PartSettings;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The values of one pool, as its parts read and refuse them. */
final class PartValues implements PartSettings {
    private final PartTable table;
    private final Values values;

    private PartValues(PartTable table, Values values) {
        this.table = table;
        this.values = values;
    }

    /** By the interface, as the refusals: a table without parts loads neither. */
    static PartSettings of(PartTable table, Values values) {
        return new PartValues(table, values);
    }

    @Override
    @SuppressWarnings("unchecked") // the key's rule made the value what the key's type says
    public <T> Optional<T> get(PartKey<T> key) {
        return Optional.ofNullable((T) values.get(table.known(key.name()), Object.class));
    }

    @Override
    public boolean given(String key) {
        SettingKey known = any(key);
        return known != null && values.has(known);
    }

    @Override
    public Optional<String> words(String key) {
        SettingKey known = any(key);
        Object value = known == null ? null : values.get(known, Object.class);
        return Optional.ofNullable(value)
                .map(shown -> shown instanceof Enum<?> word ? Words.word(word) : String.valueOf(shown));
    }

    private @Nullable SettingKey any(String key) {
        SettingKey core = CoreKey.named(key);
        return core == null ? table.named(key) : core;
    }

    /** How parts refuse values. */
    static PartSettings.Refusals refusals(
            PartTable table, Values values, io.flexpool.internal.config.Refusals refusals, Problems problems) {
        return new PartSettings.Refusals() {
            @Override
            public void refuse(PartKey<?> key, Object value, String rule) {
                add(table.known(key.name()), value, rule);
            }

            @Override
            public void refuse(String key, String rule) {
                CoreKey core = CoreKey.named(key);
                if (core == null) {
                    throw new IllegalArgumentException(key + " is not a key of core");
                }
                Object value = values.get(core, Object.class);
                add(core, value == null ? "none" : value, rule);
            }

            @Override
            public void missing(PartKey<?> key, String rule, PartKey<?> neededBy) {
                SettingKey known = table.known(key.name());
                if (!problems.about(known)) {
                    problems.add(known, refusals.ofMissing(known, rule, table.known(neededBy.name())));
                }
            }

            private void add(SettingKey key, Object value, String rule) {
                if (!problems.about(key)) {
                    problems.add(key, refusals.of(key, value, rule));
                }
            }
        };
    }
}
