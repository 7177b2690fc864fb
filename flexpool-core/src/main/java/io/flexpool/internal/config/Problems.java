// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The problems of one configuration, collected, so that its author sees all of them at once. A check that depends on a
 * refused value is left out: see {@link #about}. For one thread.
 */
public final class Problems {
    private final List<IllegalArgumentException> all = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();

    /** Adds a refusal of a key's value. */
    public void add(SettingKey key, IllegalArgumentException refused) {
        add(key.key().name(), refused);
    }

    /** Adds a refusal of a value; {@code key} is without prefix, and null for a problem without a key of this pool. */
    void add(@Nullable String key, IllegalArgumentException refused) {
        if (key != null) {
            keys.add(key);
        }
        if (all.stream().noneMatch(one -> String.valueOf(one.getMessage()).equals(refused.getMessage()))) {
            all.add(refused);
        }
    }

    /** Whether the value of any of these keys was refused. */
    boolean about(SettingKey... some) {
        for (SettingKey key : some) {
            if (keys.contains(key.key().name())) {
                return true;
            }
        }
        return false;
    }

    /** Whether the value of a key that begins so was refused. */
    boolean aboutAny(String prefix) {
        for (String key : keys) {
            if (key.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Ends the collecting.
     *
     * @throws IllegalArgumentException naming all problems, one per line; a single problem itself
     */
    public void throwIfAny() {
        if (all.isEmpty()) {
            return;
        }
        if (all.size() == 1) {
            throw all.get(0);
        }
        IllegalArgumentException together = new IllegalArgumentException(
                all.stream().map(Throwable::getMessage).collect(Collectors.joining(System.lineSeparator())));
        all.stream().filter(one -> one.getCause() != null).forEach(together::addSuppressed);
        throw together;
    }
}
