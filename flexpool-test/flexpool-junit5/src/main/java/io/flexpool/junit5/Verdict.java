// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.event.PoolEvent;
import io.flexpool.spi.Texts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The message of a failure. */
final class Verdict {
    private Verdict() {}

    /** Describes a nested acquisition with the lease that the thread held, without leases of earlier tests. */
    static String describe(PoolEvent.NestedAcquisition event, HeldLease held) {
        return event.pool() + ": " + event.thread() + " requested a connection" + at(" at ", event.callSite())
                + " while holding one" + at(" from ", held.lease().callSite());
    }

    private static String at(String word, @Nullable String callSite) {
        return callSite == null ? "" : word + callSite;
    }

    static Optional<String> of(Scope scope, List<HeldLease> leaked, Duration grace) {
        List<String> nested = scope.mayNest() ? List.of() : scope.nested;
        if (leaked.isEmpty() && nested.isEmpty()) {
            return scope.passedUnwatched() ? Optional.of(unwatched(scope)) : Optional.empty();
        }
        StringBuilder text = new StringBuilder(256).append(scope.title());
        if (!leaked.isEmpty()) {
            text.append(" leaked ")
                    .append(Texts.count(leaked.size(), "connection"))
                    .append(", still open ")
                    .append(grace.toMillis())
                    .append(" ms after its end:");
            leaked.forEach(out -> text.append("\n  ").append(out.describe()));
        }
        if (!nested.isEmpty()) {
            text.append(leaked.isEmpty() ? "" : "\nand")
                    .append(" requested a connection while holding another one of the same pool, ")
                    .append(nested.size() == 1 ? "once:" : nested.size() + " times:");
            nested.forEach(event -> text.append("\n  ").append(event));
        }
        if (!scope.beside.isEmpty()) {
            text.append("\nThese tests ran at the same time, so a connection above may be theirs: ")
                    .append(String.join(", ", scope.beside));
        }
        return Optional.of(text.toString());
    }

    private static String unwatched(Scope scope) {
        return scope.title() + ": flexpool watched no pool while its tests ran, so a leak could not be found. "
                + "Wrap the data source that they use, for example with flexpool-spring-boot-starter; or set "
                + LeakCheck.REQUIRE_POOL_PARAMETER + " = false";
    }
}
