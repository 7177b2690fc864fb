// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import io.flexpool.diagnostics.CallSiteStatistics;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Decision.RefusedGrowth;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.monitoring.PartView.PartMetric;
import io.flexpool.pool.AcquisitionOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The report of a pool at one moment, in lines of text. */
final class ReportText {
    private static final int MOST_LINES = 50;
    private static final int MOST_DECISIONS = 20;

    private final StringBuilder text = new StringBuilder(4096);

    ReportText(PoolView pool) {
        PoolReading reading = PoolReading.of(pool);
        String others = pool.otherNames().isEmpty() ? "" : ", also called " + String.join(", ", pool.otherNames());
        line(pool.name() + " (" + pool.type() + others + "): " + reading.state().describe());
        line("Mode: " + pool.mode().toString());
        PoolDiagnosis diagnosis = pool.diagnosis();
        unlessEmpty("Automatic actions", diagnosis.controllers(), Function.identity());
        line("Housekeeping: " + reading.housekeeping().describe());
        pool.parts().forEach(part -> part.reportLines().forEach(this::line));
        unlessEmpty("Classes, the most important one first", pool.classes(), RequestClass::describe);
        figures(reading, pool.parts());
        unlessEmpty("Growth refused, by reason", diagnosis.refusedGrowths(), RefusedGrowth::describe);
        list("Open leases, oldest first", pool.openLeases(), MOST_LINES, OpenLease::describe);
        list("Call sites, by total lease time", diagnosis.callSites(), MOST_LINES, ReportText::site);
        Explanation last = diagnosis.lastExplanation();
        line(last == null ? "No failure has been explained." : "Last explained failure:");
        if (last != null) {
            last.text().lines().forEach(each -> line("  " + each));
        }
        decisions(diagnosis.decisions());
        list("Events, oldest first", diagnosis.recentEvents(), Integer.MAX_VALUE, PoolEvent.Recent::describe);
    }

    /** Recent decisions only: old ones do not explain the present. */
    private void decisions(List<Decision> all) {
        int left = Math.max(0, all.size() - MOST_DECISIONS);
        String what = "Sizing decisions, oldest first" + (left == 0 ? "" : ", after " + left + " not shown");
        list(what, all.subList(left, all.size()), MOST_DECISIONS, Decision::describe);
    }

    private void figures(PoolReading reading, List<PartView> parts) {
        PoolStatistics statistics = reading.statistics();
        span("Last " + Math.round(statistics.window().toNanos() / 1e9) + " s", statistics.recent());
        span("Since the start", statistics.total());
        List<String> counters = new ArrayList<>();
        for (PoolMetric metric : PoolMetric.values()) {
            if (metric.kind() == PoolMetric.Kind.COUNTER && !metric.perClass()) {
                counters.add(metric.shortName() + ' ' + reading.counter(metric));
            }
        }
        for (PartView part : parts) {
            for (PartMetric metric : part.metrics()) {
                if (metric.kind() == PoolMetric.Kind.COUNTER) {
                    counters.add(metric.shortName() + ' ' + (long) metric.value());
                }
            }
        }
        line("Counters since the start: " + String.join(", ", counters));
    }

    private void span(String when, PoolStatistics.Figures figures) {
        StringBuilder failures = new StringBuilder();
        for (AcquisitionOutcome outcome : AcquisitionOutcome.values()) {
            long count = figures.acquisition(outcome).count();
            if (outcome != AcquisitionOutcome.OK && count > 0) {
                failures.append(", ").append(count).append(' ').append(outcome.label());
            }
        }
        line(when + ": acquisitions " + durations(figures.acquisition(AcquisitionOutcome.OK)) + failures + "; leases "
                + durations(figures.leases()));
    }

    private static String durations(HistogramSnapshot counted) {
        return counted.count() == 0
                ? "0"
                : counted.count() + " (p50 " + millis(counted.percentileNanos(0.5)) + ", p99 "
                        + millis(counted.percentileNanos(0.99)) + ", longest " + millis(counted.maxNanos()) + ")";
    }

    private static String site(CallSiteStatistics site) {
        return site.describe() + "; acquisition p50 "
                + millis(site.acquisitionP50().toNanos()) + ", p99 "
                + millis(site.acquisitionP99().toNanos()) + "; lease p50 "
                + millis(site.leaseP50().toNanos()) + ", p99 "
                + millis(site.leaseP99().toNanos());
    }

    private <T> void unlessEmpty(String what, List<T> items, Function<T, String> words) {
        if (!items.isEmpty()) {
            list(what, items, MOST_LINES, words);
        }
    }

    private <T> void list(String what, List<T> items, int most, Function<T, String> words) {
        if (items.isEmpty()) {
            line(what + ": none");
            return;
        }
        line(what + " (" + items.size() + "):");
        items.stream().limit(most).forEach(item -> line("  " + words.apply(item)));
        if (items.size() > most) {
            line("  and " + (items.size() - most) + " more");
        }
    }

    /** Writes a line; each text of the application takes one line. */
    private void line(String words) {
        text.append(PlainText.line(words)).append('\n');
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, nanos < 10_000_000 ? "%.2f ms" : "%.0f ms", nanos / 1e6);
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
