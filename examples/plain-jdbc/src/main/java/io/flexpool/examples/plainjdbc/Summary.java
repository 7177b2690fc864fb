// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.plainjdbc;

import com.codahale.metrics.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects what was measured and what had to happen, and prints both at the end. For one thread. */
final class Summary {
    private static final Logger STORY = LoggerFactory.getLogger("demo");
    private static final double NANOS_PER_MILLI = 1e6;

    private final List<String> lines = new ArrayList<>();
    private final List<String> checks = new ArrayList<>();
    private boolean allHappened = true;

    void openClose(String variant, Snapshot times) {
        if (lines.isEmpty()) {
            lines.add(row("open and close, ms", "min", "max", "mean", "stddev", "median"));
        }
        lines.add(row(
                variant,
                millis((double) times.getMin()),
                millis((double) times.getMax()),
                millis(times.getMean()),
                millis(times.getStdDev()),
                millis(times.getMedian())));
    }

    void ratios(String what, Snapshot slow, Snapshot fast) {
        lines.add(String.format(
                Locale.ROOT,
                "%s: x%,.0f of the means, x%,.0f of the medians (published: x%.0f of the means)",
                what,
                slow.getMean() / fast.getMean(),
                slow.getMedian() / fast.getMedian(),
                OpenCloseStep.PUBLISHED_RATIO));
    }

    void burst(String variant, Burst.Result result) {
        lines.add(String.format(
                Locale.ROOT,
                "burst on %s: %d served, %d failed, slowest after %,d ms",
                variant,
                result.served(),
                result.failures().size(),
                result.slowestMillis()));
    }

    void outage(int connectFailures, int limit, long recoveryMillis) {
        lines.add(String.format(
                Locale.ROOT,
                "outage: %d connect failures received, limit %d, recovered %,d ms after the database",
                connectFailures,
                limit,
                recoveryMillis));
    }

    /** Notes whether something that had to happen did. */
    void check(String what, boolean happened) {
        checks.add((happened ? "yes  " : "NO   ") + what);
        allHappened &= happened;
    }

    /**
     * Prints everything.
     *
     * @return whether all that had to happen did
     */
    boolean print() {
        STORY.info("");
        STORY.info("Summary");
        lines.forEach(line -> STORY.info("   {}", line));
        STORY.info("");
        checks.forEach(line -> STORY.info("   {}", line));
        STORY.info("");
        STORY.info(allHappened ? "All of it happened." : "NOT all of it happened.");
        return allHappened;
    }

    List<String> lines() {
        return List.copyOf(lines);
    }

    private static String row(String variant, String... figures) {
        StringBuilder row = new StringBuilder(String.format(Locale.ROOT, "%-22s", variant));
        for (String figure : figures) {
            row.append(String.format(Locale.ROOT, "%12s", figure));
        }
        return row.toString();
    }

    private static String millis(double nanos) {
        return String.format(Locale.ROOT, "%.6f", nanos / NANOS_PER_MILLI);
    }
}
