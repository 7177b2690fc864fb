// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import io.flexpool.cli.Reasons;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Formats the result for a terminal. */
final class LintText {
    private LintText() {}

    static void print(Linter.Result result, PrintWriter out) {
        Set<Rule> explained = EnumSet.noneOf(Rule.class);
        for (Finding each : result.findings()) {
            Rule rule = each.rule();
            out.println(line(
                    each.file() + ":" + each.line() + ": " + rule.severity() + " " + rule.id() + ": " + each.what()));
            if (explained.add(rule)) {
                out.println("    why      " + rule.why() + (rule.page() == null ? "" : " (" + rule.page() + ")"));
            }
            out.println("    instead  " + each.instead());
        }
        result.unknown().forEach(each -> out.println(line("unknown: " + each)));
        out.println(summary(result));
    }

    /** Escapes line ends, which file names may contain. */
    static String line(String text) {
        return Reasons.printable(text).replace("\n", "\\n").replace("\r", "\\r");
    }

    private static String summary(Linter.Result result) {
        Map<Severity, Integer> counts = new EnumMap<>(Severity.class);
        result.findings().forEach(each -> counts.merge(each.rule().severity(), 1, Integer::sum));
        StringBuilder summary = new StringBuilder();
        for (Severity each : new Severity[] {Severity.ERROR, Severity.WARNING, Severity.NOTE}) {
            int count = counts.getOrDefault(each, 0);
            summary.append(count).append(' ').append(each).append(count == 1 ? ", " : "s, ");
        }
        return summary.append(result.suppressed())
                .append(" suppressed, in ")
                .append(result.files())
                .append(result.files() == 1 ? " file" : " files")
                .toString();
    }
}
