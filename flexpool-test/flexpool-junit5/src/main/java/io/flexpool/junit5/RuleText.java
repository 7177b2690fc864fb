// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.spi.Texts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The messages of {@link LeaseRules}: test, call site, count, and the limit. */
final class RuleText {
    /** The maximum number of listed call sites of a test. */
    private static final int MOST_LINES = 20;

    private RuleText() {}

    static Optional<String> of(TestScope scope, List<IoRecording.Found> io, List<String> unseen, boolean passed) {
        List<String> said = new ArrayList<>();
        if (scope.tookTooMany()) {
            said.add("took " + Texts.count(scope.taken.size(), "lease") + ", allowed at most " + scope.limit() + ":"
                    + lines(counted(scope.taken, TakenLease::describe)));
        }
        if (!io.isEmpty()) {
            said.add("performed I/O during a lease, " + Texts.count(io.size(), "time") + "; none is allowed:"
                    + lines(counted(io, IoRecording.Found::describe)));
        }
        if (!said.isEmpty()) {
            return Optional.of(scope.title() + " " + String.join("\nand ", said));
        }
        if (!unseen.isEmpty()) {
            return Optional.of(scope.title() + ": no rule can be checked: " + String.join("; ", unseen));
        }
        return scope.passedUnwatched(passed) ? Optional.of(unwatched(scope.title())) : Optional.empty();
    }

    /** The count of each description, the most frequent first. */
    private static <T> List<String> counted(List<T> all, Function<T, String> description) {
        Map<String, Long> counts =
                all.stream().collect(Collectors.groupingBy(description, LinkedHashMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(counted -> counted.getValue() + " × " + counted.getKey())
                .toList();
    }

    private static String lines(List<String> lines) {
        String shown =
                lines.stream().limit(MOST_LINES).map(line -> "\n  " + line).collect(Collectors.joining());
        return lines.size() <= MOST_LINES ? shown : shown + "\n  and " + (lines.size() - MOST_LINES) + " more";
    }

    static String slow(String title, List<String> sites) {
        return title + ": leases of " + Texts.count(sites.size(), "call site") + " last longer than "
                + LeaseRules.BASELINE_PARAMETER + " allows:" + lines(sites);
    }

    static String unwatched(String title) {
        return title
                + ": flexpool watched no pool while it ran, so no rule could be checked. Wrap the data source that it "
                + "uses, for example with flexpool-spring-boot-starter; or set " + LeakCheck.REQUIRE_POOL_PARAMETER
                + " = false";
    }
}
