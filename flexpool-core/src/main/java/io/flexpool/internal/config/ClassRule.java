// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.config;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is said of one class of requests; checked in {@link ClassSettings}. Immutable.
 *
 * @param name how code and properties name it
 * @param guarantee the part of the limit that it gets before others, 0 to 1
 * @param max how many connections it ever has at once; null for any number
 * @param timeout how long its requests wait; null for as long as all others
 * @param threads whose requests are of this class, unless code says another one: names, where {@code *} stands for anything
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

    /** One of which nothing but the name is known. */
    public static ClassRule named(String name) {
        return new ClassRule(name, 0, null, null, List.of());
    }

    /** With a guarantee. */
    public ClassRule withGuarantee(double part) {
        return new ClassRule(name, part, max, timeout, threads);
    }

    /** With a maximum. */
    public ClassRule withMax(int connections) {
        return new ClassRule(name, guarantee, connections, timeout, threads);
    }

    /** With a timeout. */
    public ClassRule withTimeout(Duration time) {
        return new ClassRule(name, guarantee, max, time, threads);
    }

    /** With the names of threads, instead of those before. */
    public ClassRule withThreads(List<String> names) {
        return new ClassRule(name, guarantee, max, timeout, names);
    }

    /** The names of threads as one expression; null if there are none. */
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
