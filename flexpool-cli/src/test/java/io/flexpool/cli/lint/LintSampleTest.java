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

    /** The labelled faults that must be reported, of all: the figures that were measured. */
    private static final Map<String, Integer> REPORTED = Map.of(
            "auto-commit", 48,
            "default-size", 63,
            "leak-detection", 73,
            "minimum-idle", 9,
            "open-in-view", 6,
            "password", 16);

    /** How often a rule may report what is labelled unknown: a size with a default, and a word that may stand for a password. */
    private static final Map<String, Integer> WRONG = Map.of("minimum-idle", 1, "password", 1);

    @TempDir
    private Path folder;

    /** What one rule did. */
    private record Row(int faults, int unknown, int reported, int wrong) {
        private String line(String rule, int cases) {
            return String.format(
                    Locale.ROOT,
                    "| `%s` | %d | %d %% | %d | %d | %s | %s |",
                    rule,
                    faults,
                    Math.round(100.0 * faults / cases),
                    unknown,
                    reported + wrong,
                    percent(reported, reported + wrong),
                    percent(reported, faults));
        }

        private static String percent(int part, int whole) {
            return whole == 0 ? "–" : String.format(Locale.ROOT, "%d %%", Math.round(100.0 * part / whole));
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
            boolean artifact = fact[3].equals("artifact");
            Path file = project.resolve(artifact ? "build.gradle" : "src/main/resources/" + fact[1] + ".properties");
            StringBuilder text = texts.computeIfAbsent(file, unknown -> new StringBuilder());
            if (artifact) {
                text.append("'of:").append(fact[4]).append("'\n");
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

    private static Map<String, Row> rows(Map<String, Path> projects) throws IOException {
        List<String[]> labels = labels();
        Map<String, Set<String>> reported = reported(projects);
        Set<String> rules = new TreeSet<>(reported.keySet());
        labels.forEach(each -> rules.add(each[1]));
        Map<String, Row> rows = new TreeMap<>();
        for (String rule : rules) {
            Set<String> faults = labelled(labels, rule, FAULT);
            Set<String> right = new TreeSet<>(reported.getOrDefault(rule, Set.of()));
            Set<String> wrong = new TreeSet<>(right);
            right.retainAll(faults);
            wrong.removeAll(faults);
            Set<String> missed = new TreeSet<>(faults);
            missed.removeAll(right);
            System.out.println(rule + ": missed " + missed + ", wrong " + wrong);
            rows.put(
                    rule, new Row(faults.size(), labelled(labels, rule, UNKNOWN).size(), right.size(), wrong.size()));
        }
        return rows;
    }

    @Test
    void theRulesFindWhatWasLabelled() throws IOException {
        Map<String, Path> projects = projects(folder);
        Map<String, Row> rows = rows(projects);
        int cases = projects.size();
        List<String> table = new ArrayList<>();
        rows.forEach((rule, row) -> table.add(row.line(rule, cases)));
        table.forEach(System.out::println);
        assertThat(cases).isGreaterThanOrEqualTo(80);
        REPORTED.forEach(
                (rule, least) -> assertThat(rows.get(rule).reported()).as(rule).isGreaterThanOrEqualTo(least));
        rows.forEach((rule, row) -> assertThat(row.wrong()).as(rule).isLessThanOrEqualTo(WRONG.getOrDefault(rule, 0)));
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
