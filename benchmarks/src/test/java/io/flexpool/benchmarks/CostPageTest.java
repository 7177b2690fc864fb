// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static io.flexpool.benchmarks.kit.TextTable.number;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each table of docs/explanation/cost.md and results/claims.md is made of the result files. With {@code -Dflexpool.write} the tables
 * are written anew.
 */
class CostPageTest {
    private static final Path RESULTS = Path.of("results");
    private static final List<Path> PAGES =
            List.of(Path.of("..", "docs", "explanation", "cost.md"), RESULTS.resolve("claims.md"));
    private static final Pattern TABLE =
            Pattern.compile("(?s)(<!-- figures: ([a-z-]+) -->\n)(.*?)(<!-- end of figures -->)");
    private static final long MOST_BYTES = 100_000;
    private static final double PERCENT = 100;
    private static final double MILLI = 1e-3;
    /** The goal of a wait with classes, in waits without other requests. */
    private static final double ALLOWED = 1.2;

    /** Shorter waits are not judged. */
    private static final double JUDGED_MS = 2;

    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void theTablesAreThoseOfTheFiles() throws IOException {
        Map<String, String> tables = tables();
        List<String> found = new ArrayList<>();
        for (Path page : PAGES) {
            String text = Files.readString(page);
            String renewed = renewed(text, tables);
            if (Boolean.getBoolean("flexpool.write")) {
                Files.writeString(page, renewed);
            }
            assertThat(Files.readString(page)).isEqualTo(renewed);
            TABLE.matcher(text).results().forEach(table -> found.add(table.group(2)));
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(tables.keySet());
    }

    /** Else a table without a mark would be one of figures that nobody compares. */
    @Test
    void eachTableIsBetweenItsMarks() throws IOException {
        for (Path page : PAGES) {
            assertThat(TABLE.matcher(Files.readString(page)).replaceAll("").lines())
                    .noneMatch(line -> line.startsWith("|"));
        }
    }

    /** Figures that stand in a sentence and not in a table. */
    @Test
    void theFiguresOfTheSentencesAreThoseOfTheFiles() throws IOException {
        double record = 0;
        for (JsonNode round : rows("performance/overhead-advice.json", row -> true)) {
            for (String variant : List.of("flexpool-watched", "flexpool-bound")) {
                double with = median(of(round, variant).path("inIdeals"));
                record = Math.max(
                        record, with - median(of(round, variant + "-advice-off").path("inIdeals")));
            }
        }
        double cold =
                of("performance/cold.json", "flexpool-bound").path("inBare").asDouble();
        double saturated = of("performance/tail-saturated.json", "flexpool-bound")
                        .at("/meanMicros/median")
                        .asDouble()
                / of("performance/tail-saturated.json", "bare")
                        .at("/meanMicros/median")
                        .asDouble();
        double missed = value("classes/quiet-a.json", "a", "classes", "interactive")
                - ALLOWED * value("classes/quiet-a.json", "a", "alone", "interactive");

        double[] scrapes =
                rows(
                                "performance/scrape.json",
                                row -> row.path("benchmark").asText().endsWith(".busy"))
                        .stream()
                        .mapToDouble(row -> row.at("/secondaryMetrics/scrape/scorePercentiles/50.0")
                                .asDouble())
                        .sorted()
                        .toArray();
        double off = 0;
        for (JsonNode row :
                rows("advisor/validate.json", row -> row.path("predictedP99Ms").asDouble() > JUDGED_MS)) {
            double predicted = row.path("predictedP99Ms").asDouble();
            off = Math.max(off, Math.abs(row.path("measuredP99Ms").asDouble() / predicted - 1));
        }

        assertThat(Files.readString(PAGES.get(0)).replaceAll("\\s+", " "))
                .contains("record adds at most " + number(record * PERCENT, 0) + " % of the ideal")
                .contains("about " + number(cold, 0) + " times as long as the same calls of HikariCP alone")
                .contains("the mean wait is " + number((saturated - 1) * PERCENT, 0) + " % longer")
                .contains(number(scrapes[0], 0) + " to " + number(scrapes[scrapes.length - 1], 0) + " µs")
                .contains("from the prediction by at most " + number(Math.ceil(off * PERCENT), 0) + " %")
                .contains("misses the goal beside batch work by " + number(missed, 2) + " ms");
    }

    @Test
    void eachFileOfTheResultsIsSmallAndNamed() throws IOException {
        String pages = text(PAGES.get(0), RESULTS.resolve("README.md"), RESULTS.resolve("performance.md"))
                + text(RESULTS.resolve("classes.md"), RESULTS.resolve("fleet.md"), RESULTS.resolve("advisor.md"))
                + text(RESULTS.resolve("virtual-threads.md"), RESULTS.resolve("adaptive.md"));
        try (Stream<Path> files = Files.walk(RESULTS)) {
            assertThat(files.filter(file -> file.toString().endsWith(".json")))
                    .isNotEmpty()
                    .allSatisfy(file -> {
                        assertThat(Files.size(file)).isLessThan(MOST_BYTES);
                        assertThat(JSON.readTree(file.toFile())).isNotEmpty();
                        assertThat(pages).contains(file.getFileName().toString());
                    });
        }
    }

    @Test
    void aFigureOfNoFileIsFound(@TempDir Path folder) throws IOException {
        Path page = Files.writeString(
                folder.resolve("cost.md"), Files.readString(PAGES.get(0)).replaceFirst("\\| \\d", "| 9"));
        assertThat(renewed(Files.readString(page), tables())).isNotEqualTo(Files.readString(page));
    }

    private static String renewed(String page, Map<String, String> tables) {
        return TABLE.matcher(page)
                .replaceAll((MatchResult found) -> Matcher.quoteReplacement(
                        found.group(1) + tables.getOrDefault(found.group(2), "no such table\n") + found.group(4)));
    }

    private static Map<String, String> tables() throws IOException {
        Map<String, String> tables = new TreeMap<>();
        tables.put("call", call());
        tables.put("tail", tail());
        tables.put("statement", statement());
        tables.put("pool", pool());
        tables.put("burst", burst());
        tables.put("virtual-threads", virtualThreads());
        tables.put("classes", classes());
        tables.put("fleet", fleet());
        tables.put("advice", advice());
        tables.put("explanations", explanations());
        tables.put("claims", claims());
        tables.put("missed", missed());
        return tables;
    }

    private static String call() throws IOException {
        List<JsonNode> rounds = rows("performance/overhead.json", row -> true);
        Rows table = new Rows(
                "ns over bare",
                "1 thread, Java 17",
                "8 threads, Java 17",
                "1 thread, Java 25",
                "8 threads, Java 25",
                "bytes");
        for (String variant : List.of(
                "ideal",
                "flexpool-watched",
                "flexpool-bound",
                "flexpool-bound-micrometer",
                "hikaricp-micrometer",
                "flexypool-dropwizard")) {
            List<String> cells = new ArrayList<>(List.of(variant));
            double bytes = 0;
            for (String java : List.of("Java 17", "Java 25")) {
                for (String load : List.of("1:2", "8:4")) {
                    JsonNode round = rounds.stream()
                            .filter(row -> row.path("java").asText().startsWith(java))
                            .filter(row -> load.equals(row.path("threads").asInt() + ":"
                                    + row.path("pool").asInt()))
                            .findFirst()
                            .orElseThrow();
                    JsonNode measured = of(round, variant);
                    bytes = median(measured.path("bytes"))
                            - median(of(round, "bare").path("bytes"));
                    cells.add(number(median(measured.path("dNs")), 0));
                }
            }
            cells.add(number(bytes, 0));
            table.add(cells);
        }
        return table.markdown();
    }

    /** Of Java 17, where there are several. */
    private static JsonNode of(String file, String variant) throws IOException {
        return rows(file, row -> row.path("variant").asText().equals(variant)).get(0);
    }

    private static JsonNode of(JsonNode round, String variant) {
        return stream(round.path("variants"))
                .filter(row -> row.path("variant").asText().equals(variant))
                .findFirst()
                .orElseThrow();
    }

    private static String tail() throws IOException {
        Rows table = new Rows("wait, ms", "mean", "p50", "p99", "p99.9");
        for (JsonNode row : rows(
                "performance/tail.json",
                row -> row.path("java").asText().startsWith("Java 17")
                        && !row.path("variant").asText().startsWith("flexypool"))) {
            table.add(
                    row.path("variant").asText(),
                    number(row.at("/meanMicros/median").asDouble() * MILLI, 1),
                    number(row.at("/p50Micros/median").asDouble() * MILLI, 1),
                    number(row.at("/p99Micros/median").asDouble() * MILLI, 1),
                    number(row.at("/p999Micros/median").asDouble() * MILLI, 1));
        }
        return table.markdown();
    }

    private static String statement() throws IOException {
        Rows table = new Rows("a query over bare", "ns", "%", "bytes");
        List<String> variants =
                List.of("ideal-delegates", "flexpool", "flexpool-time-in-database", "p6spy", "datasource-proxy");
        for (JsonNode row : rows(
                "performance/statement-path.json",
                row -> variants.contains(row.path("variant").asText()))) {
            table.add(
                    row.path("variant").asText(),
                    number(row.path("diffMedianNs").asDouble(), 1),
                    number(row.path("diffPercent").asDouble(), 1),
                    number(row.path("bytesOverBare").asDouble(), 0));
        }
        return table.markdown();
    }

    private static String pool() throws IOException {
        Rows table = new Rows("a pool", "first build, ms", "classes", "first call, ms", "memory at rest, KiB");
        for (JsonNode row : rows(
                "performance/footprint.json",
                row -> !row.path("variant").asText().equals("bare"))) {
            table.add(
                    row.path("variant").asText(),
                    number(row.at("/firstBuildMs/median").asDouble(), 0),
                    number(row.at("/classes/median").asDouble(), 0),
                    number(row.at("/firstCallMs/median").asDouble(), 1),
                    number(row.at("/restedKib/median").asDouble(), 0));
        }
        return table.markdown();
    }

    private static String burst() throws IOException {
        Rows table = new Rows("HikariCP", "failed of a burst", "longest, ms", "connections held");
        for (JsonNode row : rows(
                "performance/burst-postgres.json",
                row -> row.path("pool").asText().equals("hikaricp"))) {
            table.add(
                    row.path("variant").asText(),
                    number(median(row.path("failuresPerBurst")), 0),
                    number(median(row.path("worstPerBurstMs")), 0),
                    number(row.path("meanHeld").asDouble(), 1));
        }
        return table.markdown();
    }

    private static String virtualThreads() throws IOException {
        Rows table = new Rows("on PostgreSQL", "requests/s", "wait p50, ms", "wait p99, ms");
        for (String variant : List.of("BARE", "GATED")) {
            List<JsonNode> rounds = stream(json("virtual-threads.json").at("/figures/rows"))
                    .filter(row -> row.path("database").asText().equals("POSTGRES"))
                    .filter(row -> row.path("variant").asText().equals(variant))
                    .toList();
            table.add(
                    variant.toLowerCase(Locale.ROOT),
                    number(median(rounds, "requestsPerSecond"), 0),
                    number(median(rounds, "waitP50Ms"), 0),
                    number(median(rounds, "waitP99Ms"), 0));
        }
        return table.markdown();
    }

    private static String classes() throws IOException {
        Rows table = new Rows("shared by", "wait p99, ms", "answers/s in time", "others' wait, ms");
        for (String variant : List.of("bare-pool", "two-pools", "netflix", "classes")) {
            table.add(
                    variant,
                    number(value("classes/quiet-a.json", "a", variant, "interactive"), 1),
                    number(value("classes/shed.json", "b", "virtual-" + variant, "all"), 0),
                    number(value("classes/quiet-c.json", "c", variant, "others"), 0));
        }
        return table.markdown();
    }

    private static double value(String file, String experiment, String variant, String requestClass)
            throws IOException {
        return rows(
                        file,
                        row -> row.path("experiment").asText().equals(experiment)
                                && row.path("variant").asText().equals(variant)
                                && row.path("class").asText().equals(requestClass))
                .get(0)
                .path("value")
                .asDouble();
    }

    private static String fleet() throws IOException {
        Rows table = new Rows("12 pools, 50 connections", "sessions at most", "samples above 50", "unmet of ideal");
        List<String> calm = List.of("fixed-share", "each-alone");
        for (JsonNode row : rows(
                "fleet/controls.json",
                row -> row.path("schedule").asText().equals("calm")
                        && calm.contains(row.path("variant").asText()))) {
            table.add(fleetRow(row));
        }
        List<String> schedules = List.of("calm", "sigstop", "store-stopped", "rolling-update");
        for (JsonNode row : rows(
                "fleet/postgresql.json",
                row -> schedules.contains(row.path("schedule").asText()))) {
            table.add(fleetRow(row));
        }
        return table.markdown();
    }

    private static List<String> fleetRow(JsonNode row) {
        return List.of(
                row.path("variant").asText() + ", " + row.path("schedule").asText(),
                number(row.path("mostSessions").asDouble(), 0),
                number(row.path("samplesAboveCap").asDouble(), 0),
                number(row.path("unmetOverIdeal").asDouble(), 1));
    }

    private static String advice() throws IOException {
        Rows table = new Rows("method", "target met, %", "above the optimum, %");
        for (JsonNode row : rows("advisor/advisor.json", row -> true)) {
            table.add(
                    row.path("method").asText(),
                    number(row.path("metOnFresh").asDouble() * PERCENT, 0),
                    number(row.path("meanOverOptimum").asDouble() * PERCENT, 0));
        }
        return table.markdown();
    }

    private static String explanations() throws IOException {
        List<JsonNode> situations = rows("explain/server-view.json", row -> true);
        Rows table = new Rows("situations", "runs", "cause right", "culprit right", "culprit wrong", "time added, ms");
        table.add(
                String.valueOf(situations.size()),
                number(sum(situations, "runs"), 0),
                number(sum(situations, "causeRight"), 0),
                number(sum(situations, "culpritRight"), 0),
                number(sum(situations, "culpritWrong"), 0),
                number(median(situations, "addedMedianMs"), 2));
        return table.markdown();
    }

    /** The claims of others that were judged, of each with the file that decides. */
    private static String claims() throws IOException {
        Rows table = new Rows("claim", "published", "measured", "verdict");
        Map<String, List<String>> judged = new LinkedHashMap<>();
        judged.put("scenarios/shoot-out.json", List.of("Proxool throws", "bonecp ignores", "c3p0 ignores"));
        judged.put("scenarios/directory.json", List.of("c3p0 fails"));
        judged.put("scenarios/broker.json", List.of("a broker with c3p0", "the choice of the pool", "KahaDB delivers"));
        judged.put(
                "scenarios/persistence.json",
                List.of(
                        "without the storage's delay persistent throughput rises by 125 to 265 % (topic-1-1",
                        "without the storage's delay persistent throughput rises by 125 to 265 % (topic-5-5",
                        "on storage without delay persistent delivery is on a par with non-persistent (topic-5-5"));
        judged.put("virtual-threads.json", List.of("postgres: while virtual threads"));
        for (Map.Entry<String, List<String>> file : judged.entrySet()) {
            for (String claim : file.getValue()) {
                JsonNode finding = stream(json(file.getKey()).path("findings"))
                        .filter(one -> one.path("claim").asText().startsWith(claim))
                        .findFirst()
                        .orElseThrow();
                table.add(
                        finding.path("claim").asText(),
                        finding.path("published").asText(),
                        finding.path("measured").asText(),
                        words(finding.path("verdict")));
            }
        }
        return table.markdown();
    }

    private static String words(JsonNode verdict) {
        return verdict.asText().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** The goals of this project that a published run missed. */
    private static String missed() throws IOException {
        Rows table = new Rows("missed goal", "measured", "file");
        List<Path> files;
        try (Stream<Path> all = Files.walk(RESULTS.resolve("scenarios"))) {
            files = all.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
        }
        for (Path file : files) {
            for (JsonNode finding : JSON.readTree(file.toFile()).path("findings")) {
                if (words(finding.path("verdict")).equals("goal missed")) {
                    table.add(
                            finding.path("claim").asText(),
                            finding.path("measured").asText(),
                            file.getFileName().toString());
                }
            }
        }
        return table.markdown();
    }

    private static JsonNode json(String file) throws IOException {
        return JSON.readTree(RESULTS.resolve(file).toFile());
    }

    /** Those of a result of this program, or of JMH. */
    private static List<JsonNode> rows(String file, Predicate<JsonNode> chosen) throws IOException {
        JsonNode all = json(file);
        List<JsonNode> rows =
                stream(all.isArray() ? all : all.path("results")).filter(chosen).toList();
        assertThat(rows).as(file).isNotEmpty();
        return rows;
    }

    private static Stream<JsonNode> stream(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private static double median(JsonNode figures) {
        return median(stream(figures).mapToDouble(JsonNode::asDouble).sorted().toArray());
    }

    private static double median(List<JsonNode> rows, String field) {
        return median(rows.stream()
                .mapToDouble(row -> row.path(field).asDouble())
                .sorted()
                .toArray());
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    private static double sum(List<JsonNode> rows, String field) {
        return rows.stream().mapToDouble(row -> row.path(field).asDouble()).sum();
    }

    private static String text(Path... files) throws IOException {
        StringBuilder text = new StringBuilder();
        for (Path file : files) {
            text.append(Files.readString(file));
        }
        return text.toString();
    }

    /** A table in Markdown, whose first column is text. */
    private static final class Rows {
        private final StringBuilder markdown = new StringBuilder();

        Rows(String... heading) {
            add(heading);
            markdown.append("|---|").append("---|".repeat(heading.length - 1)).append('\n');
        }

        void add(String... cells) {
            add(List.of(cells));
        }

        void add(List<String> cells) {
            markdown.append(cells.stream().collect(Collectors.joining(" | ", "| ", " |\n")));
        }

        String markdown() {
            return markdown.toString();
        }
    }
}
