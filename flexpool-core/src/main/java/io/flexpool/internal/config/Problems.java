// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with one configuration, collected, so that its author sees all of it at once. A check that follows
 * from a value that was refused is left out: {@link #about} says so. For one thread.
 */
public final class Problems {
    private final List<IllegalArgumentException> all = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();

    /** Adds a refusal of a key's value. */
    public void add(SettingKey key, IllegalArgumentException refused) {
        add(key.key().name(), refused);
    }

    /** Adds a refusal of a value; {@code key} is without prefix, and null of what concerns no key of this pool. */
    void add(@Nullable String key, IllegalArgumentException refused) {
        if (key != null) {
            keys.add(key);
        }
        if (all.stream().noneMatch(one -> String.valueOf(one.getMessage()).equals(refused.getMessage()))) {
            all.add(refused);
        }
    }

    /** Whether the value of one of these keys was refused. */
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
     * @throws IllegalArgumentException naming all problems, one a line; if there is one alone, that one itself
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
