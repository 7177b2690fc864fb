// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.kit.TextTable;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** A result for people at a terminal. Its graphs are for the page. */
final class ResultText {
    private ResultText() {}

    static void print(ScenarioResult result, PrintWriter out) {
        out.println();
        out.println(result.title() + (result.complete() ? "" : " (INTERRUPTED: what was measured until then)"));
        out.println(result.environment().summary());
        out.println("started " + result.startedAt() + ", took " + TextTable.number(result.seconds(), 0) + " s; "
                + inWords(result.options()));
        result.notes().forEach(out::println);
        for (Table table : result.tables()) {
            out.println();
            out.println(table.title());
            text(table).print(out);
        }
        for (Finding finding : result.findings()) {
            out.println();
            print(finding, out);
        }
        out.flush();
    }

    private static TextTable text(Table table) {
        TextTable text = new TextTable(table.columns().toArray(String[]::new));
        table.rows().forEach(row -> text.row(row.toArray(String[]::new)));
        return text;
    }

    private static void print(Finding finding, PrintWriter out) {
        out.println(finding.verdict().words().toUpperCase(Locale.ROOT) + ": " + finding.claim() + " ("
                + finding.source() + ")");
        String published = finding.published() == null ? "" : "published " + finding.published() + ", ";
        OptionalDouble its = finding.finiteRatio();
        String ratio = its.isEmpty() ? "" : ", ratio " + TextTable.number(its.getAsDouble(), 2);
        out.println("  " + published + "measured " + finding.measured() + ratio);
        out.println("  " + finding.why());
    }

    private static String inWords(Map<String, String> options) {
        return options.entrySet().stream()
                .map(option -> option.getKey() + " " + option.getValue())
                .collect(Collectors.joining(", "));
    }
}
