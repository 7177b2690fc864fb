// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** How long the leases of each call site lasted, and in which tests. Guarded by the lock of {@link RuleRun}. */
final class LeaseTimes {
    /** The least number of leases for a meaningful median. */
    static final int FEWEST = 5;
    /** The maximum number of stored leases per call site: enough for a median. */
    private static final int MOST = 10_000;

    private final Map<String, Site> sites = new TreeMap<>();

    /** One call site. */
    private static final class Site {
        private final List<Long> nanos = new ArrayList<>();
        private final Set<String> tests = new TreeSet<>();

        @Nullable
        Duration median() {
            if (nanos.size() < FEWEST) {
                return null;
            }
            List<Long> sorted = new ArrayList<>(nanos);
            Collections.sort(sorted);
            return Duration.ofNanos(sorted.get((sorted.size() - 1) / 2));
        }
    }

    void add(String site, String test, Duration held) {
        Site its = sites.computeIfAbsent(site, name -> new Site());
        if (its.nanos.size() < MOST) {
            its.nanos.add(held.toNanos());
        }
        its.tests.add(test);
    }

    Set<String> names() {
        return sites.keySet();
    }

    /** The medians of all call sites with enough leases. */
    Map<String, Duration> medians() {
        Map<String, Duration> medians = new TreeMap<>();
        sites.forEach((name, site) -> {
            Duration median = site.median();
            if (median != null) {
                medians.put(name, median);
            }
        });
        return medians;
    }

    /** Whether a call site has enough leases. */
    boolean has(String site) {
        Site its = sites.get(site);
        return its != null && its.median() != null;
    }

    /** The message on a call site with a median that is longer than allowed. */
    Optional<String> tooSlow(String site, LeaseBaseline baseline) {
        Site its = sites.get(site);
        Duration allowed = baseline.allowed(site);
        Duration median = its == null ? null : its.median();
        if (its == null || median == null || allowed == null || median.compareTo(allowed) <= 0) {
            return Optional.empty();
        }
        return Optional.of(site + ": " + its.nanos.size() + " leases, median " + LeaseBaseline.text(median)
                + ", allowed " + LeaseBaseline.text(allowed) + " (" + baseline.rule(site) + "), in "
                + String.join(", ", its.tests));
    }
}
