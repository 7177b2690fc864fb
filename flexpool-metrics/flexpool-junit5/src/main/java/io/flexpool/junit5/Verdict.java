// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.event.PoolEvent;
import io.flexpool.internal.shared.Words;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a failure says. */
final class Verdict {
    private Verdict() {}

    static String describe(PoolEvent.NestedAcquisition event) {
        return event.pool() + ": " + event.thread() + " asked" + at(" at ", event.callSite()) + " while it held one"
                + at(" from ", event.callSiteOfHeld());
    }

    private static String at(String word, @Nullable String callSite) {
        return callSite == null ? "" : word + callSite;
    }

    static Optional<String> of(Scope scope, List<Out> leaked, Duration grace) {
        List<String> nested = scope.mayNest() ? List.of() : scope.nested;
        if (leaked.isEmpty() && nested.isEmpty()) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder(256).append(scope.title());
        if (!leaked.isEmpty()) {
            text.append(" leaked ")
                    .append(Words.count(leaked.size(), "connection"))
                    .append(", still out ")
                    .append(grace.toMillis())
                    .append(" ms after its end:");
            leaked.forEach(out -> text.append("\n  ").append(out.describe()));
        }
        if (!nested.isEmpty()) {
            text.append(leaked.isEmpty() ? "" : "\nand")
                    .append(" asked for a connection while it held another one of the same pool, ")
                    .append(nested.size() == 1 ? "once:" : nested.size() + " times:");
            nested.forEach(event -> text.append("\n  ").append(event));
        }
        if (!scope.beside.isEmpty()) {
            text.append("\nBeside it ran, and may have taken what another thread than the test's own has: ")
                    .append(String.join(", ", scope.beside));
        }
        return Optional.of(text.toString());
    }
}
