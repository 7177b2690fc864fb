// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the rules over public configurations that were labelled by hand before. Prints the table of {@code docs/study.md}, and
 * holds precision and recall.
 */
class LintSampleTest {
    private static final Path SAMPLE = Path.of("src", "test", "resources", "lint-sample");
    private static final Path STUDY = Path.of("..", "docs", "study.md");
    private static final String FAULT = "fault";
    private static final String UNKNOWN = "unknown";

    /** The names of labels that the rules name in another way. */
    private static final Map<String, String> NAMES = Map.of("pool-size-default", "default-size");

    /** The cases with smaller numbers were used to correct the rules, and of the others those with odd numbers. */
    private static final int FIRST_HELD_OUT = 82;

    private static final double PRECISION = 0.95;

    @TempDir
    private Path folder;

    /** What one rule did. */
    private record Row(int faults, int reported, int wrong) {
        private double precision() {
            return reported + wrong == 0 ? 1 : (double) reported / (reported + wrong);
        }

        private String line(String rule, Row heldOut) {
            return String.format(
                    Locale.ROOT,
                    "| `%s` | %d | %d | %s | %s | %d | %s | %s |",
                    rule,
                    faults,
                    reported + wrong,
                    percent(reported, reported + wrong),
                    percent(reported, faults),
                    heldOut.reported + heldOut.wrong,
                    percent(heldOut.reported, heldOut.reported + heldOut.wrong),
                    percent(heldOut.reported, heldOut.faults));
        }

        private static String percent(int part, int whole) {
            return whole == 0 ? "–" : String.format(Locale.ROOT, "%.1f", 100.0 * part / whole);
        }
    }

    private static List<String[]> labels() throws IOException {
        return Files.readAllLines(SAMPLE.resolve("labels.csv")).stream()
                .skip(1)
                .map(line -> line.split(",", 4))
                .toList();
    }

    private static Set<String> labelled(List<String[]> labels, String rule, String label) {
        Set<String> cases = new TreeSet<>();
        for (String[] each : labels) {
            if (each[1].equals(rule) && each[2].equals(label)) {
                cases.add(each[0]);
            }
        }
        return cases;
    }

    /**
     * Writes the settings of each case into a project of its own: the table has what a file sets, not the file.
     *
     * @return the projects, by the case
     */
    private static Map<String, Path> projects(Path folder) throws IOException {
        Map<String, Path> projects = new TreeMap<>();
        Map<Path, StringBuilder> texts = new TreeMap<>();
        Map<Path, String> documents = new HashMap<>();
        for (String line : Files.readAllLines(SAMPLE.resolve("facts.tsv")).subList(1, facts())) {
            String[] fact = line.split("\t", -1);
            Path project = folder.resolve(fact[0]);
            projects.put(fact[0], project);
            Path file = project.resolve(
                    switch (fact[3]) {
                        case "artifact" -> "build.gradle";
                        case "code" -> "src/main/java/Code.java";
                        default -> "src/main/resources/" + fact[1] + ".properties";
                    });
            StringBuilder text = texts.computeIfAbsent(file, unknown -> new StringBuilder());
            if (fact[3].equals("artifact") || fact[3].equals("code")) {
                String quote = fact[3].equals("artifact") ? "'" : "";
                text.append(quote)
                        .append(quote.isEmpty() ? "" : "of:")
                        .append(fact[4])
                        .append(quote)
                        .append('\n');
                continue;
            }
            if (!fact[2].equals(documents.getOrDefault(file, fact[2]))) {
                text.append("#---\n");
            }
            documents.put(file, fact[2]);
            text.append(fact[3]).append('=').append(fact[4]).append('\n');
        }
        for (Map.Entry<Path, StringBuilder> each : texts.entrySet()) {
            Files.createDirectories(each.getKey().getParent());
            Files.writeString(each.getKey(), each.getValue());
        }
        return projects;
    }

    private static int facts() throws IOException {
        return Files.readAllLines(SAMPLE.resolve("facts.tsv")).size();
    }

    /** The cases in which each rule reports something. */
    private static Map<String, Set<String>> reported(Map<String, Path> projects) throws IOException {
        Map<String, Set<String>> found = new TreeMap<>();
        for (Map.Entry<String, Path> each : projects.entrySet()) {
            Linter.Result result = Linter.run(each.getValue(), false, -1);
            assertThat(result.problems()).as(each.getKey()).isEmpty();
            for (Finding finding : result.findings()) {
                String rule =
                        NAMES.getOrDefault(finding.rule().id(), finding.rule().id());
                found.computeIfAbsent(rule, key -> new TreeSet<>()).add(each.getKey());
            }
        }
        return found;
    }

    private static Map<String, Row> rows(Map<String, Set<String>> reported, Predicate<String> of) throws IOException {
        List<String[]> labels =
                labels().stream().filter(each -> of.test(each[0])).toList();
        Set<String> rules = new TreeSet<>(reported.keySet());
        labels.forEach(each -> rules.add(each[1]));
        Map<String, Row> rows = new TreeMap<>();
        for (String rule : rules) {
            Set<String> faults = labelled(labels, rule, FAULT);
            Set<String> right = new TreeSet<>(reported.getOrDefault(rule, Set.of()));
            right.removeIf(of.negate());
            Set<String> wrong = new TreeSet<>(right);
            right.retainAll(faults);
            wrong.removeAll(faults);
            Set<String> missed = new TreeSet<>(faults);
            missed.removeAll(right);
            System.out.println(rule + ": missed " + missed + ", wrong " + wrong);
            rows.put(rule, new Row(faults.size(), right.size(), wrong.size()));
        }
        return rows;
    }

    private static boolean isHeldOut(String number) {
        int value = Integer.parseInt(number);
        return value >= FIRST_HELD_OUT && value % 2 == 0;
    }

    @Test
    void theRulesFindWhatWasLabelled() throws IOException {
        Map<String, Path> projects = projects(folder);
        Map<String, Set<String>> reported = reported(projects);
        Map<String, Row> rows = rows(reported, each -> true);
        Map<String, Row> heldOut = rows(reported, LintSampleTest::isHeldOut);
        rows.keySet().retainAll(reported.keySet());
        int cases = projects.size();
        List<String> table = new ArrayList<>();
        rows.forEach((rule, row) -> table.add(row.line(rule, heldOut.getOrDefault(rule, new Row(0, 0, 0)))));
        table.forEach(System.out::println);
        assertThat(cases).isGreaterThanOrEqualTo(300);
        rows.forEach((rule, row) -> assertThat(row.precision()).as(rule).isGreaterThanOrEqualTo(PRECISION));
        heldOut.forEach((rule, row) -> assertThat(row.precision()).as(rule).isGreaterThanOrEqualTo(PRECISION));
        assertThat(Files.readString(STUDY)).contains(table);
    }

    @Test
    void everyCaseHasASource() throws IOException {
        List<String> sources = Files.readAllLines(SAMPLE.resolve("sources.csv"));
        Map<String, Path> projects = projects(folder);
        assertThat(sources).hasSize(projects.size() + 1);
        for (String[] each : labels()) {
            assertThat(projects).containsKey(each[0]);
            assertThat(each[2]).isIn(FAULT, UNKNOWN);
        }
    }
}
