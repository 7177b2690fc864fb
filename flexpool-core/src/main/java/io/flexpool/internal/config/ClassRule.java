// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of one class of requests; checked in {@link ClassSettings}. Immutable.
 *
 * @param name its name in code and properties
 * @param guarantee the guaranteed part of the limit, 0 to 1
 * @param max the maximum number of connections; null for any number
 * @param timeout the acquisition timeout of its requests; null for the pool's
 * @param threads the names of threads whose requests have this class, unless code sets another; {@code *}: any text
 */
public record ClassRule(
        String name,
        double guarantee,
        @Nullable Integer max,
        @Nullable Duration timeout,
        List<String> threads) {
    /** Copies the list. */
    public ClassRule {
        threads = List.copyOf(threads);
    }

    /** A class with only a name. */
    public static ClassRule named(String name) {
        return new ClassRule(name, 0, null, null, List.of());
    }

    /** A copy with a guarantee. */
    public ClassRule withGuarantee(double part) {
        return new ClassRule(name, part, max, timeout, threads);
    }

    /** A copy with a maximum. */
    public ClassRule withMax(int connections) {
        return new ClassRule(name, guarantee, connections, timeout, threads);
    }

    /** A copy with a timeout. */
    public ClassRule withTimeout(Duration time) {
        return new ClassRule(name, guarantee, max, time, threads);
    }

    /** A copy with other names of threads. */
    public ClassRule withThreads(List<String> names) {
        return new ClassRule(name, guarantee, max, timeout, names);
    }

    /** The names of threads as one expression; null without names. */
    public @Nullable Pattern threadNames() {
        return threads.isEmpty()
                ? null
                : Pattern.compile(
                        threads.stream().map(ClassRule::expression).collect(Collectors.joining("|")), Pattern.DOTALL);
    }

    private static String expression(String name) {
        return Pattern.quote(name).replace("*", "\\E.*\\Q");
    }
}
