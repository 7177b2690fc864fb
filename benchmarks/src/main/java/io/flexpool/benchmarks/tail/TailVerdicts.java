// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.report.Report;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the figures say beside the bare pool's, and, if leases are given back at once, beside the ideal's. */
final class TailVerdicts {
    private static final String IDEAL = Variant.IDEAL.toString();
    private static final int SMALL = 1;
    private static final int LARGE = 100;

    private final List<TailRow> rows;
    private final List<TailRun> runs;
    private final boolean withoutAHold;

    /**
     * Of one report.
     *
     * @param withoutAHold whether leases are given back at once; only then there is a goal
     */
    TailVerdicts(List<TailRow> rows, List<TailRun> runs, boolean withoutAHold) {
        this.rows = rows;
        this.runs = runs;
        this.withoutAHold = withoutAHold;
    }

    /** Sentences by heading, for each Java. */
    Map<String, List<String>> byHeading() {
        Map<String, List<String>> sentences = new LinkedHashMap<>();
        Map<String, List<TailRow>> byJava =
                rows.stream().collect(Collectors.groupingBy(TailRow::java, LinkedHashMap::new, Collectors.toList()));
        byJava.forEach((java, ofJava) -> {
            List<String> beside = ofJava.stream()
                    .filter(row -> !row.variant().equals(Variant.BARE.toString()))
                    .map(TailVerdicts::besideBare)
                    .toList();
            if (!beside.isEmpty()) {
                sentences.put("over bare, " + java, beside);
            }
            List<String> goals = goals(ofJava);
            if (!goals.isEmpty()) {
                sentences.put("goals, " + java, goals);
            }
        });
        return sentences;
    }

    private static String besideBare(TailRow row) {
        TailRow.Over over = row.overBare();
        return row.variant() + ": leases per second " + times(over.opsPerSecond()) + "; mean wait "
                + times(over.meanMicros()) + ", p50 " + times(over.p50Micros()) + ", p99 " + times(over.p99Micros())
                + ", p99.9 " + times(over.p999Micros()) + ", max " + times(over.maxMicros()) + "; processor time "
                + times(over.cpuMicrosPerOp());
    }

    private static String times(Spread quotients) {
        double median = quotients.median();
        return "x " + quotients.textAndRange(median < SMALL ? 3 : median < LARGE ? 2 : 0);
    }

    /** At least the ideal's throughput, by the median of the rounds. */
    private List<String> goals(List<TailRow> ofJava) {
        return withoutAHold
                ? ofJava.stream()
                        .filter(ideal -> ideal.variant().equals(IDEAL))
                        .flatMap(ideal -> ofJava.stream()
                                .filter(row -> row.variant().startsWith("flexpool-"))
                                .map(row -> besideIdeal(row, ideal)))
                        .toList()
                : List.of();
    }

    private String besideIdeal(TailRow row, TailRow ideal) {
        Spread overIdeal = TailRow.Over.of(of(row), of(ideal)).opsPerSecond();
        return Report.judged(
                row.variant() + ": at least as many leases per second as the ideal",
                overIdeal.median() >= 1,
                times(overIdeal) + "; over bare "
                        + row.overBare().opsPerSecond().text(2) + ", the ideal "
                        + ideal.overBare().opsPerSecond().text(2));
    }

    private List<TailRun> of(TailRow row) {
        return runs.stream()
                .filter(run ->
                        run.variant().equals(row.variant()) && run.jvm().name().equals(row.java()))
                .toList();
    }
}
