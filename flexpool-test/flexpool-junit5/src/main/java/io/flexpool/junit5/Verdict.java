// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.event.PoolEvent;
import io.flexpool.internal.shared.Words;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The message of a failure. */
final class Verdict {
    private Verdict() {}

    static String describe(PoolEvent.NestedAcquisition event) {
        return event.pool() + ": " + event.thread() + " requested a connection" + at(" at ", event.callSite())
                + " while holding one" + at(" from ", event.callSiteOfHeld());
    }

    private static String at(String word, @Nullable String callSite) {
        return callSite == null ? "" : word + callSite;
    }

    static Optional<String> of(Scope scope, List<HeldLease> leaked, Duration grace) {
        List<String> nested = scope.mayNest() ? List.of() : scope.nested;
        if (leaked.isEmpty() && nested.isEmpty()) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder(256).append(scope.title());
        if (!leaked.isEmpty()) {
            text.append(" leaked ")
                    .append(Words.count(leaked.size(), "connection"))
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
            text.append("\nTests that ran at the same time and may own connections of other threads: ")
                    .append(String.join(", ", scope.beside));
        }
        return Optional.of(text.toString());
    }
}
