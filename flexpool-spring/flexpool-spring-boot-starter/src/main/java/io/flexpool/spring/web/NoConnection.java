// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.web;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.pool.ShedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Whether an exception says that a pool was exhausted, or that it shed a request because it was overloaded. */
final class NoConnection {
    /** Of a pool that was exhausted: nobody knows when a connection is free, so as soon as the header can say. */
    private static final Duration SOON = Duration.ofSeconds(1);

    /**
     * flexpool's own report, which is the message of the exception, or of one that it suppresses. The type is the pool's, and
     * many pools have one type for everything.
     */
    private static final Pattern REPORT = Pattern.compile(
            ".*?: no connection after \\d+ ms(?: and \\d+ attempts)?: (.*?)(?: \\| cause: .*|\\R.*)?", Pattern.DOTALL);

    /** The reason of a failure without an explanation. */
    private static final Pattern EXHAUSTED = Pattern.compile("exhausted[,:].*|class \\S+ is at its maximum:.*");

    /** The causes of explained failures for which another request may be answered soon. */
    private static final Set<String> CAUSES =
            EnumSet.complementOf(EnumSet.of(Cause.CONNECT_FAILURE, Cause.SERVER_FULL)).stream()
                    .map(Cause::words)
                    .collect(Collectors.toUnmodifiableSet());

    private NoConnection() {}

    /**
     * When another request may be answered.
     *
     * @param thrown what a web request ended with
     * @return null if no pool was exhausted or overloaded
     */
    static @Nullable Duration retryAfter(Throwable thrown) {
        Optional<Duration> shed = ShedException.retryAfter(thrown);
        if (shed.isPresent()) {
            return shed.get();
        }
        return AcquisitionFailure.chain(thrown).stream()
                        .flatMap(one -> Stream.concat(Stream.of(one), Stream.of(one.getSuppressed())))
                        .anyMatch(NoConnection::exhausted)
                ? SOON
                : null;
    }

    private static boolean exhausted(Throwable one) {
        if (!(one instanceof SQLException) || one.getMessage() == null) {
            return false;
        }
        Matcher report = REPORT.matcher(one.getMessage());
        return report.matches()
                && (CAUSES.contains(report.group(1))
                        || EXHAUSTED.matcher(report.group(1)).matches());
    }
}
