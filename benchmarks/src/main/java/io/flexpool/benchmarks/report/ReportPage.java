// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.TextTable;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One or many results as one page that needs no other file, no network and no script. Every text of a result is escaped.
 */
final class ReportPage {
    private static final String NUMBER = "(x|×)?[-−+±]?[0-9][0-9.,]*( ?(%|ms|µs|s|MB|kB|msg/s|x|×))?";

    /** With the least and the most behind it, and with what was lost. */
    private static final String NUMERIC =
            NUMBER + "( \\(" + NUMBER + " ?[–-] ?" + NUMBER + "\\))?(, (errors|hung|failed).*)?";

    /** What stands where there is no number. */
    private static final Set<String> NO_NUMBER = Set.of("", "-", "–", "hung", "failed");

    private static final int MOST_NAMES = 3;

    /** A cell that is not worth a second line. */
    private static final int SHORT = 24;

    private final List<ScenarioResult> results;
    private final Markup page = new Markup();

    ReportPage(List<ScenarioResult> results) {
        this.results = List.copyOf(results);
    }

    /** The whole page. */
    String html() {
        String title = results.size() == 1
                ? "flexpool: " + results.get(0).title()
                : "flexpool: " + results.size() + " scenarios, published and measured";
        page.single("!DOCTYPE html").line().open("html", "lang", "en").open("head");
        page.single("meta", "charset", "utf-8");
        page.single("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
        page.single("meta", "name", "color-scheme", "content", "light dark");
        page.leaf("title", title).style(css()).close().line().open("body").open("main");
        page.leaf("h1", title);
        page.leaf(
                "p",
                "Published figures come from other machines and other years; they stand beside what was measured here,"
                        + " never in place of it. A verdict is computed from the measured figures and says why.");
        overview();
        for (int at = 0; at < results.size(); at++) {
            section(results.get(at), anchor(at));
        }
        return page.close().close().close().line().toString();
    }

    private static String css() {
        try (InputStream in = ReportPage.class.getResourceAsStream("report.css")) {
            return new String(Objects.requireNonNull(in, "report.css").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String anchor(int at) {
        return "result-" + (at + 1);
    }

    private void overview() {
        page.open("nav", "aria-label", "Scenarios").open("ul");
        for (int at = 0; at < results.size(); at++) {
            ScenarioResult result = results.get(at);
            page.open("li").leaf("a", result.title(), "href", "#" + anchor(at));
            for (Map.Entry<Verdict, Long> verdict : counted(result).entrySet()) {
                page.text(" ");
                badge(
                        verdict.getKey(),
                        verdict.getValue() + " × " + verdict.getKey().words());
            }
            page.close();
        }
        page.close().close().line();
    }

    private static Map<Verdict, Long> counted(ScenarioResult result) {
        return result.findings().stream()
                .collect(Collectors.groupingBy(
                        Finding::verdict, () -> new EnumMap<>(Verdict.class), Collectors.counting()));
    }

    private void badge(Verdict verdict, String text) {
        page.leaf(
                "span",
                text,
                "class",
                "verdict " + verdict.words().replace(' ', '-').toLowerCase(Locale.ROOT));
    }

    private void section(ScenarioResult result, String anchor) {
        page.open("section", "id", anchor).leaf("h2", result.title());
        if (!result.complete()) {
            page.leaf("p", "Interrupted: this is what was measured until then.", "class", "interrupted");
        }
        page.leaf(
                "p",
                "Scenario " + result.scenario() + ", started " + result.startedAt() + ", took "
                        + TextTable.number(result.seconds(), 0) + " s, on "
                        + result.environment().summary() + ".",
                "class",
                "where");
        findings(result.findings());
        result.tables().forEach(this::table);
        for (int at = 0; at < result.graphs().size(); at++) {
            new Plot(result.graphs().get(at), anchor + "-graph-" + (at + 1)).writeTo(page);
        }
        notes(result.notes());
        repeat(result);
        environment(result.environment());
        page.close().line();
    }

    private void findings(List<Finding> findings) {
        if (findings.isEmpty()) {
            return;
        }
        page.leaf("h3", "Findings").open("div", "class", "findings");
        for (Finding finding : findings) {
            page.open("article");
            badge(finding.verdict(), finding.verdict().words());
            page.leaf("h4", finding.claim()).leaf("p", finding.source(), "class", "source");
            page.open("dl");
            if (finding.published() != null) {
                pair("published", finding.published());
            }
            pair("measured", finding.measured());
            finding.finiteRatio().ifPresent(ratio -> pair("ratio", Scale.label(Math.round(ratio * 1000) / 1000.0)));
            page.close().leaf("p", finding.why()).close().line();
        }
        page.close();
    }

    private void pair(String name, String value) {
        page.open("div").leaf("dt", name).leaf("dd", value).close();
    }

    private void table(Table table) {
        page.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", table.title());
        page.open("table").leaf("caption", table.title()).open("thead").open("tr");
        boolean[] numeric = new boolean[table.columns().size()];
        for (int column = 0; column < numeric.length; column++) {
            numeric[column] = isNumeric(table, column);
        }
        int names = names(table, numeric);
        name(table.columns().subList(0, names), numeric, "col");
        for (int column = names; column < numeric.length; column++) {
            cell("th", table.columns().get(column), numeric[column], "scope", "col");
        }
        page.close().close().open("tbody");
        for (List<String> row : table.rows()) {
            page.open("tr");
            name(row.subList(0, names), numeric, "row");
            for (int column = names; column < numeric.length; column++) {
                cell("td", row.get(column), numeric[column]);
            }
            page.close();
        }
        page.close().close().close().line();
    }

    /** The number of leading columns that identify a row; else the first one. */
    private static int names(Table table, boolean[] numeric) {
        for (int names = 1; names <= Math.min(MOST_NAMES, numeric.length) && !numeric[names - 1]; names++) {
            int upTo = names;
            long different = table.rows().stream()
                    .map(row -> row.subList(0, upTo))
                    .distinct()
                    .count();
            if (different == table.rows().size()) {
                return names;
            }
        }
        return Math.min(1, numeric.length);
    }

    /** One cell, so that all of a row's name stays in sight where a table moves sideways. */
    private void name(List<String> words, boolean[] numeric, String scope) {
        if (words.size() == 1) {
            cell("th", words.get(0), numeric[0], "scope", scope);
        } else if (words.size() > 1) {
            page.open("th", "scope", scope, "class", "words");
            for (int at = 0; at < words.size(); at++) {
                page.text(at == 0 ? "" : " ").leaf("span", words.get(at), "class", "word");
            }
            page.close();
        }
    }

    private void cell(String name, String text, boolean numeric, String... attributes) {
        page.open(name, attributes);
        if (numeric) {
            number(text);
        } else if (text.length() <= SHORT) {
            page.leaf("span", text, "class", "short");
        } else {
            page.text(text);
        }
        page.close();
    }

    /** The brackets with the least and the most stay in one piece. */
    private void number(String text) {
        int from = text.indexOf('(');
        int to = text.indexOf(')') + 1;
        page.open("span", "class", "number");
        if (from > 0 && to > from) {
            page.text(text.substring(0, from)).leaf("span", text.substring(from, to), "class", "spread");
            page.text(text.substring(to));
        } else {
            page.text(text);
        }
        page.close();
    }

    private static boolean isNumeric(Table table, int column) {
        List<String> cells = table.rows().stream()
                .map(row -> row.get(column))
                .filter(cell -> !NO_NUMBER.contains(cell))
                .toList();
        return !cells.isEmpty() && cells.stream().allMatch(cell -> cell.matches(NUMERIC));
    }

    private void notes(List<String> notes) {
        if (!notes.isEmpty()) {
            page.leaf("h3", "To judge the figures").open("ul");
            notes.forEach(note -> page.leaf("li", note));
            page.close();
        }
    }

    private void repeat(ScenarioResult result) {
        page.leaf("h3", "To repeat it");
        page.open("pre")
                .leaf(
                        "code",
                        "java -jar flexpool-benchmarks.jar "
                                + result.command().stream()
                                        .map(ReportPage::quoted)
                                        .collect(Collectors.joining(" ")))
                .close();
        if (!result.options().isEmpty()) {
            page.open("dl", "class", "facts");
            result.options().forEach(this::pair);
            page.close();
        }
    }

    /** As a shell takes it for one word. */
    private static String quoted(String argument) {
        return argument.matches("[A-Za-z0-9_./:,=+@%-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }

    private void environment(Environment environment) {
        page.leaf("h3", "Environment").open("dl", "class", "facts");
        pair("system", environment.os() + " " + environment.arch());
        pair("processors", Integer.toString(environment.cpus()));
        pair("heap at most", TextTable.number((double) environment.maxHeapMb(), 0) + " MB");
        pair("Java", environment.java());
        pair("virtual machine", environment.vm());
        environment.versions().forEach(this::pair);
        page.close();
    }
}
