// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import io.flexpool.monitoring.ConfigKey;
import io.flexpool.spi.PartKey;

/** A key of a part, in the terms in which core's own are read and checked. Immutable. */
record PartSettingKey(PartKey<?> part, ValueRule rule) implements SettingKey {
    static PartSettingKey of(PartKey<?> part) {
        return new PartSettingKey(
                part,
                new ValueRule(
                        part.key().kind(),
                        part.least().orElse(null),
                        part.most().orElse(null),
                        part.range(),
                        part.key().allowed(),
                        part.choices(),
                        part.key().fallback(),
                        part.fallback().orElse(null),
                        part.needs().orElse(null)));
    }

    @Override
    public ConfigKey key() {
        return part.key();
    }
}
