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

/** Recognises exceptions of an exhausted pool, and of an overloaded pool that shed a request. */
final class NoConnection {
    /**
     * The retry time of an exhausted pool, whose next free connection is unpredictable: the shortest time of the
     * header.
     */
    private static final Duration SOON = Duration.ofSeconds(1);

    /**
     * flexpool's report, in the message of the exception or of a suppressed one. The exception's type is no criterion,
     * because many pools use one type for all failures.
     */
    private static final Pattern REPORT = Pattern.compile(
            ".*?: no connection after \\d+ ms(?: and \\d+ attempts)?: (.*?)(?: \\| cause: .*|\\R.*)?", Pattern.DOTALL);

    /** The reason of a failure without an explanation. */
    private static final Pattern EXHAUSTED = Pattern.compile("exhausted[,:].*|class \\S+ is at its maximum:.*");

    /** The explained causes after which another request may soon succeed. */
    private static final Set<String> CAUSES =
            EnumSet.complementOf(EnumSet.of(Cause.CONNECT_FAILURE, Cause.SERVER_FULL)).stream()
                    .map(Cause::words)
                    .collect(Collectors.toUnmodifiableSet());

    private NoConnection() {}

    /**
     * The time after which another request may succeed.
     *
     * @param thrown the exception of a web request
     * @return the time; null if no pool was exhausted or overloaded
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
