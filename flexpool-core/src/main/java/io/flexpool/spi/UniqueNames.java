// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spi;

import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes pool names unique in exports: the second pool is {@code name#2}, the third {@code name#3}. For the integrations
 * of frameworks and backends, not for applications. Thread-safe.
 */
public final class UniqueNames {
    private final Set<String> taken = ConcurrentHashMap.newKeySet();

    /** Begins with all names free. */
    public UniqueNames() {}

    /**
     * Takes a name.
     *
     * @param wanted the name
     * @return the name if it is free, otherwise the first free name of {@code wanted#2}, {@code wanted#3}…
     */
    public String take(String wanted) {
        return first(wanted, name -> taken.add(name) ? name : null);
    }

    /**
     * Frees a name.
     *
     * @param name as {@link #take} returned it
     */
    public void free(String name) {
        taken.remove(Objects.requireNonNull(name, "name is null"));
    }

    /**
     * Tries a name, then {@code wanted#2}, {@code wanted#3}…, if the caller decides which names are free.
     *
     * @param wanted the name that is tried first
     * @param <T> the result of an attempt
     * @param attempt receives a name, and returns null if it is taken; an exception ends the search
     * @return the first result that is not null
     */
    public static <T> T first(String wanted, Function<String, @Nullable T> attempt) {
        Objects.requireNonNull(wanted, "wanted is null");
        Objects.requireNonNull(attempt, "attempt is null");
        for (int number = 1; ; number++) {
            T result = attempt.apply(number == 1 ? wanted : wanted + "#" + number);
            if (result != null) {
                return result;
            }
        }
    }
}
