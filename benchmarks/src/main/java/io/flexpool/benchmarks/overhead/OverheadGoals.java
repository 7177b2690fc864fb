// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.overhead.isolated.Variant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What flexpool may cost at most, as sentences about one run's figures. A goal that compares with a variant which was
 * not run has no sentence.
 */
final class OverheadGoals {
    /** From this many threads on the second limit counts. */
    private static final int MANY_THREADS = 8;

    private static final double MOST_IDEALS = 1.25;
    private static final double MOST_IDEALS_OF_MANY = 1.5;
    private static final double MOST_BYTES = 32;
    /** Half a byte: less than any object, more than the counting's error. */
    private static final double BYTES_TOLERANCE = 0.5;

    private static final double CONTROL_NANOS = 10;

    /** What does additional work with every call: its cost is reported, without a goal. */
    private static final Set<String> PUSHED = Set.of(
            "micrometer-histogram", "opentelemetry-push", "jfr-recording", "jfr-recording-all", "call-sites-always");

    /** Their cost is stated next to these: a pool's own metrics observe every call too. */
    private static final List<Variant> TRACKERS = List.of(Variant.HIKARICP_DROPWIZARD, Variant.HIKARICP_MICROMETER);

    private static final String NO_GOAL = ": no goal, observes every call";

    private final Map<String, OverheadRow> rows = new LinkedHashMap<>();

    /** For the rows of one load. */
    OverheadGoals(List<OverheadRow> rows) {
        rows.forEach(row -> this.rows.put(row.variant(), row));
    }

    /** One sentence for each variant that a goal is about, or whose cost is to be stated. */
    List<String> verdicts() {
        List<String> verdicts = new ArrayList<>();
        OverheadRow control = rows.get(Variant.CONTROL.toString());
        if (control != null) {
            verdicts.add(control.variant() + ": within 10 ns of bare: "
                    + word(Math.abs(control.diffMedianNs()) <= CONTROL_NANOS) + " ("
                    + TextTable.number(control.diffMedianNs(), 1) + ")");
        }
        rows.values().stream()
                .filter(row -> row.variant().startsWith("flexpool-"))
                .forEach(row -> verdicts.add(isPushed(row) ? statement(row) : verdict(row)));
        return verdicts;
    }

    /** The variants that met all goals in one sentence, and one for each of the others. */
    List<String> summary() {
        List<String> met = new ArrayList<>();
        List<String> summary = new ArrayList<>();
        for (String verdict : verdicts()) {
            if (verdict.contains(": " + word(false) + " (") || verdict.contains(NO_GOAL)) {
                summary.add(verdict);
            } else {
                met.add(verdict.substring(0, verdict.indexOf(':')));
            }
        }
        if (!met.isEmpty()) {
            summary.add(0, "all goals met: " + String.join(", ", met));
        }
        return summary;
    }

    private static boolean isPushed(OverheadRow row) {
        return PUSHED.stream().anyMatch(row.variant()::endsWith);
    }

    private String statement(OverheadRow row) {
        StringBuilder text =
                new StringBuilder(row.variant()).append(NO_GOAL).append("; D ").append(cost(row));
        for (Variant tracker : TRACKERS) {
            OverheadRow other = rows.get(tracker.toString());
            if (other != null) {
                text.append("; ").append(tracker).append(' ').append(cost(other));
            }
        }
        return text.toString();
    }

    private static String cost(OverheadRow row) {
        String nanos = TextTable.number(row.diffMedianNs(), 1) + " ns";
        return row.inIdeals() == null ? nanos : nanos + ", " + TextTable.number(row.inIdeals(), 2) + " I";
    }

    private String verdict(OverheadRow row) {
        StringBuilder text = new StringBuilder(row.variant()).append(':');
        Double ideals = row.inIdeals();
        if (ideals != null) {
            double most = row.threads() < MANY_THREADS ? MOST_IDEALS : MOST_IDEALS_OF_MANY;
            append(text, "D at most " + TextTable.number(most, 2) + " I", ideals <= most, ideals);
        }
        OverheadRow bare = rows.get(Variant.BARE.toString());
        // Who waits makes objects for it, in bare HikariCP too; the limit is about the ordinary way.
        if (bare != null && row.threads() <= row.pool()) {
            double over = row.bytesPerOp() - bare.bytesPerOp();
            append(text, "at most 32 bytes over bare", over <= MOST_BYTES + BYTES_TOLERANCE, over);
        }
        appendFactor(text, row, Variant.FLEXYPOOL_DROPWIZARD, 8);
        appendFactor(text, row, Variant.FLEXYPOOL_MICROMETER, 4);
        appendFactor(text, row, Variant.FLEXYPOOL, 1);
        appendFactor(text, row, Variant.HIKARICP_DROPWIZARD, 2);
        return text.toString();
    }

    private void appendFactor(StringBuilder text, OverheadRow row, Variant peer, double least) {
        @Nullable OverheadRow other = rows.get(peer.toString());
        if (other != null) {
            double factor = other.diffMedianNs() / row.diffMedianNs();
            append(text, peer + " at least " + TextTable.number(least, 0) + " times as much", factor >= least, factor);
        }
    }

    private static void append(StringBuilder text, String goal, boolean met, double figure) {
        text.append(text.charAt(text.length() - 1) == ':' ? " " : "; ")
                .append(goal)
                .append(": ")
                .append(word(met))
                .append(" (")
                .append(TextTable.number(figure, 2))
                .append(')');
    }

    private static String word(boolean met) {
        return met ? "met" : "missed";
    }
}
