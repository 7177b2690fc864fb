// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.web;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.pool.ShedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
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
    private static final Pattern EXHAUSTED = Pattern.compile(
            "flexpool '.*?': no connection after \\d+ ms(?: and \\d+ attempts)?: (?:exhausted[,:]|class \\S+ has its maximum:).*",
            Pattern.DOTALL);

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
        return one instanceof SQLException
                && one.getMessage() != null
                && EXHAUSTED.matcher(one.getMessage()).matches();
    }
}
