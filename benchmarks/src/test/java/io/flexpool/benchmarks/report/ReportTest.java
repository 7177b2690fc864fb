// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.kit.Environment;
import io.flexpool.benchmarks.kit.OutputFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.ParseError;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ReportTest {
    @TempDir
    private Path folder;

    @Test
    void everyTableGraphAndFindingOfEveryResultIsOnThePage() throws IOException {
        ScenarioResult result = Samples.result(true);

        Document page = page(result, Samples.result(false));

        assertThat(page.select("section")).hasSize(2).allSatisfy(section -> {
            assertThat(section.select("h2").text()).isEqualTo("Directory <service>");
            assertThat(section.select("table caption").eachText()).containsExactly("Steady");
            assertThat(section.select("thead th").eachText()).containsExactly("pool", "requests", "failures");
            assertThat(section.select("tbody tr").eachText()).containsExactly("c3p0 1,427,995 75", "hikari<b> 12");
            assertThat(section.select("figcaption").eachText()).containsExactly("Busy & idle", "Latency");
            assertThat(section.select("article h4").eachText()).containsExactly("c3p0 fails in bursts", "no failure");
            assertThat(section.select("article .verdict").eachText()).containsExactly("reproduced", "goal missed");
            assertThat(section.select("article").get(0).select("dl > div").eachText())
                    .containsExactly("published 75 failures", "measured 70 failures", "ratio 0.93");
            assertThat(section.select("article").get(1).select("dl > div").eachText())
                    .containsExactly("measured 3");
            assertThat(section.select("article > p").eachText()).contains("70 of 100 & more", "three of <c3p0>");
            assertThat(section.select("li").eachText()).contains("A note with <angles>.");
            assertThat(section.select("pre").text())
                    .isEqualTo("java -jar flexpool-benchmarks.jar directory --pools c3p0,hikaricp --note 'a b'");
            assertThat(section.select("dt").eachText()).contains("pools", "processors", "hikaricp");
            assertThat(section.text()).contains("2026-11-21T16:00:00Z");
        });
        assertThat(page.select("section .interrupted")).hasSize(1);
        assertThat(page.select("nav a").eachAttr("href"))
                .allSatisfy(link -> assertThat(page.select(link)).hasSize(1));
    }

    @Test
    void aGraphHasAxesWithUnitsALegendAndEveryPoint() throws IOException {
        Document page = page(Samples.result(true));

        Element busy = page.select("figure").get(0);
        assertThat(busy.select("svg text.label").eachText()).containsExactly("connections", "time (s)");
        assertThat(busy.select(".legend li").eachText()).containsExactly("busy", "idle");
        assertThat(busy.select("> svg polyline")).hasSize(2);
        assertThat(busy.select("circle title").eachText())
                .containsExactly("busy: 0, 1", "busy: 10, 20", "idle: 0, 20", "idle: 10, 1");
        assertThat(busy.select("svg text.tick").eachText()).contains("0", "5", "10", "20");
        // The highest of 20 is at the top of the axis, the lowest stands above zero by a twentieth of it.
        assertThat(busy.select("> svg polyline").eachAttr("points"))
                .containsExactly("84.0,269.6 620.0,34.0", "84.0,34.0 620.0,269.6");
        Element latency = page.select("figure").get(1);
        assertThat(latency.select("svg text.label").eachText())
                .containsExactly("latency (ms), logarithmic", "percentile (%)");
        assertThat(latency.select("svg text.tick").eachText()).contains("0.1", "1", "10", "100", "1,000", "10,000");
        assertThat(page.select("svg[role=img]").eachAttr("aria-labelledby"))
                .allSatisfy(id -> assertThat(page.getElementById(id)).isNotNull());
    }

    @Test
    void thePageNeedsNoOtherFileNoNetworkAndNoScript() throws IOException {
        Document page = page(Samples.result(true));

        assertThat(page.select("script, link, img, iframe, object, embed, base, form"))
                .isEmpty();
        assertThat(page.select("[src], [srcset], [data], [action], [background], [poster]"))
                .isEmpty();
        assertThat(page.select("[href]").eachAttr("href"))
                .isNotEmpty()
                .allSatisfy(link -> assertThat(link).startsWith("#"));
        assertThat(page.select("style").html()).doesNotContain("url(", "@import", "http", "//");
        page.getAllElements()
                .forEach(element -> element.attributes()
                        .forEach(attribute -> assertThat(attribute.getKey()).doesNotStartWith("on")));
        assertThat(page.select("style").html())
                .contains("prefers-color-scheme: dark", "@media print", "@media (max-width");
        assertThat(page.select("meta[name=viewport]")).hasSize(1);
    }

    @Test
    void thePageIsHtmlWithoutAMistake() throws IOException {
        Path html = folder.resolve("page.html");
        report(html, written(Samples.result(true)));
        Parser parser = Parser.htmlParser().setTrackErrors(10);

        parser.parseInput(Files.readString(html), "");

        assertThat(parser.getErrors()).extracting(ParseError::toString).isEmpty();
    }

    @Test
    void aLineIsBrokenWhereThereIsNoNumber() throws IOException {
        Graph gap = new Graph(
                "Gap",
                new Graph.Axis("time", "s", false),
                new Graph.Axis("rate", "1/s", true),
                List.of(new Graph.Series("r", List.of(p(0, 1), p(1, 10), p(2, Double.NaN), p(3, 0), p(4, 10)))));

        Document page = page(with(List.of(gap)));

        assertThat(page.select("figure > svg polyline")).hasSize(2);
        assertThat(page.select("figure > svg circle")).hasSize(3);
    }

    @Test
    void aResultKeepsEachPointAndAllDigits() throws IOException {
        ScenarioResult result = with(List.of(wave()));

        ScenarioResult read = ResultFile.read(written(result));

        assertThat(read.graphs()).isEqualTo(result.graphs());
        assertThat(ResultFile.tree(result).at("/figures/mean").asDouble()).isEqualTo(1.23456789);
    }

    @Test
    void publishedResultsAreShort() throws IOException {
        Path full = written(with(List.of(wave())));
        String before = Files.readString(full);
        Path published = Files.createDirectory(folder.resolve("published"));

        assertThat(program(new StringWriter())
                        .execute(full.toString(), "--html", page(), "--publish", published.toString()))
                .isZero();

        Path copy = published.resolve(full.getFileName());
        ScenarioResult read = ResultFile.read(copy);
        assertThat(read.graphs().get(0).series().get(0).points())
                .hasSizeBetween(20, Outline.MOST_POINTS)
                .startsWith(p(0, 0))
                .endsWith(p(499, 19.9));
        assertThat(read.figures()).isEqualTo(Map.of("failures", 75, "mean", 1.23457));
        assertThat(Files.readString(full)).isEqualTo(before);
        assertThat(Jsoup.parse(folder.resolve("page.html")).select("figure")).hasSize(1);
    }

    @Test
    void aCopyNeverTakesThePlaceOfAResultOrOfAnotherCopy() throws IOException {
        Path result = written(Samples.result(true));
        String before = Files.readString(result);
        Path other = Files.createDirectory(folder.resolve("other"));
        Path namesake = Files.copy(result, other.resolve(result.getFileName()));
        Path published = Files.createDirectory(folder.resolve("published"));

        notPublished("has one of the results", folder, result);
        notPublished("has one of the results", other, result, namesake);
        notPublished("would have two results of the name " + result.getFileName(), published, result, namesake);
        notPublished("is no folder", folder.resolve("absent"), result);
        assertThat(published).isEmptyDirectory();
        assertThat(Files.readString(result)).isEqualTo(before);
    }

    private void notPublished(String why, Path to, Path... results) {
        StringWriter err = new StringWriter();
        Stream<String> arguments = Stream.concat(
                Stream.of(results).map(Path::toString), Stream.of("--html", page(), "--publish", to.toString()));

        assertThat(program(err).execute(arguments.toArray(String[]::new))).isEqualTo(2);
        assertThat(err.toString()).contains("--publish", "'" + to + "' " + why);
        assertThat(Path.of(page())).doesNotExist();
    }

    private String page() {
        return folder.resolve("page.html").toString();
    }

    private static Graph wave() {
        List<Graph.Point> points = IntStream.range(0, 500)
                .mapToObj(x -> p(x, x == 499 ? 19.9 : 10 * Math.sin(x / 20.0)))
                .toList();
        return new Graph(
                "Wave",
                new Graph.Axis("time", "s", false),
                new Graph.Axis("rate", "1/s", false),
                List.of(new Graph.Series("r", points)));
    }

    private static Graph.Point p(double x, double y) {
        return new Graph.Point(x, y);
    }

    private static ScenarioResult with(List<Graph> graphs) {
        ScenarioResult sample = Samples.result(true);
        return with(sample.findings(), sample.tables(), graphs);
    }

    private static ScenarioResult with(List<Finding> findings, List<Table> tables, List<Graph> graphs) {
        ScenarioResult sample = Samples.result(true);
        return new ScenarioResult(
                sample.scenario(),
                sample.title(),
                sample.startedAt(),
                sample.seconds(),
                true,
                sample.command(),
                sample.options(),
                sample.environment(),
                findings,
                tables,
                graphs,
                sample.notes(),
                sample.figures());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {                         | is not JSON
                    {} {}                     | is not JSON
                    [1]                       | is no result of a scenario
                    {"scenario":"burst"}      | is no result of a scenario: it has no field 'format'
                    {"format":2}              | its format is 2, this version reads format 1
                    {"format":"1"}            | another version
                    {"format":1}              | misses the field 'scenario'
                    """)
    void aFileThatIsNoResultIsRefusedByName(String text, String why) throws IOException {
        Path bad = Files.writeString(folder.resolve("bad.json"), text);

        refused(bad, why);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    "claim":"no failure"   | "claim":"x", "clam":"" | the unknown field 'findings[1].clam'
                    "verdict":"REPRODUCED" | "verdict":"FINE"       | a wrong value in 'findings[0].verdict'
                    "measured":"3"         | "measured":null        | null in findings[1].measured
                    "cpus":                | "cpu":                 | misses the field 'environment.cpus'
                    "complete":true        | "complete":"yes"      | a wrong value in 'complete'
                    "75"]                    | "75","1"]                | a row of 4 cells in the table 'Steady', which has 3 columns
                    """)
    void aResultWithAMistakeIsRefusedWithItsPlace(String right, String wrong, String why) throws IOException {
        Path file = written(Samples.result(true));
        String text = Files.readString(file);
        assertThat(text).contains(right);
        Files.writeString(file, text.replace(right, wrong));

        refused(file, why);
    }

    @Test
    void aPageNeverTakesThePlaceOfAResult() throws IOException {
        Path result = written(Samples.result(true));
        Path alias = Files.createSymbolicLink(folder.resolve("alias.html"), result);
        String before = Files.readString(result);
        StringWriter err = new StringWriter();

        assertThat(program(err).execute("--html", result.toString(), result.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--html", "'" + result + "' is the name of a result");
        assertThat(program(err).execute(result.toString(), "--html", alias.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("'" + result + "' is one of the results; must be another file");
        assertThat(Files.readString(result)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
    void aRatioThatIsNoNumberIsNotShown(double ratio) throws IOException {
        Finding finding = new Finding("claim", "source", "0", "7", ratio, Finding.Verdict.CANNOT_BE_JUDGED, "why");

        Document page = page(with(List.of(finding), List.of(), List.of()));

        assertThat(page.select("article dl > div").eachText()).containsExactly("published 0", "measured 7");
        StringWriter screen = new StringWriter();
        with(List.of(finding), List.of(), List.of()).print(new PrintWriter(screen));
        assertThat(screen.toString()).contains("measured 7" + System.lineSeparator());
    }

    @Test
    void halfACharacterCostsNeitherThePageNorTheResult() throws IOException {
        Table table = new Table(
                "t", List.of("why"), List.of(List.of("a\uD83Db"), List.of("\uDE00"), List.of("\uD83D\uDE00")));

        Document page = page(with(List.of(), List.of(table), List.of()));

        assertThat(page.select("tbody th").eachText()).containsExactly("a?b", "?", "\uD83D\uDE00");
        Path html = folder.resolve("half.html");
        new OutputFile(html).text(new ReportPage(List.of(with(List.of(), List.of(table), List.of()))).html());
        assertThat(Jsoup.parse(html).select("tbody th").eachText())
                .containsExactly("a\uFFFDb", "\uFFFD", "\uD83D\uDE00");
    }

    @Test
    void aRowIsNamedByTheWordsThatDistinguishIt() throws IOException {
        Table both = new Table(
                "both",
                List.of("pool", "variant", "1 thread", "100"),
                List.of(
                        List.of("c3p0", "bare", "24 (20–30)", "hung"),
                        List.of("c3p0", "flexpool", "1,052", "76, errors: 3")));
        Table numbers = new Table("numbers", List.of("burst", "lost"), List.of(List.of("1", "2"), List.of("1", "3")));

        Document page = page(with(List.of(), List.of(both, numbers), List.of()));

        assertThat(page.select("table").get(0).select("thead th").eachText())
                .containsExactly("pool variant", "1 thread", "100");
        assertThat(page.select("table").get(0).select("tbody th[scope=row]").eachText())
                .containsExactly("c3p0 bare", "c3p0 flexpool");
        assertThat(page.select("table").get(0).select("tbody td .number").eachText())
                .containsExactly("24 (20–30)", "hung", "1,052", "76, errors: 3");
        assertThat(page.select("table").get(1).select("tbody th").eachText()).containsExactly("1", "1");
    }

    @Test
    void tenLinesDifferInColourAndDashes() throws IOException {
        List<Graph.Series> ten = IntStream.range(0, 10)
                .mapToObj(at -> new Graph.Series("line " + at, List.of(p(0, at), p(1, at))))
                .toList();
        Graph graph = new Graph("g", new Graph.Axis("a", "", false), new Graph.Axis("b", "", false), ten);

        Document page = page(with(List.of(graph)));

        List<String> looks = page.select("figure > svg g.series").eachAttr("class");
        assertThat(looks).hasSize(10).doesNotHaveDuplicates();
        String css = page.select("style").html();
        for (String look : looks) {
            String name = look.substring("series ".length());
            // On a light page, a dark one and paper.
            assertThat(css.split("--" + name + ": #", -1)).as(name).hasSize(4);
            assertThat(css).contains("." + name + " circle { fill: var(--" + name + "); }");
        }
    }

    @Test
    void theMachineIsNamed() throws IOException {
        assertThat(page(Samples.result(true)).select("dl.facts dt").eachText()).contains("memory", "processors");
        assertThat(Environment.here().versions().get(Environment.MEMORY)).matches("[1-9][0-9]* MB");
    }

    @Test
    void aFileThatIsNotThereIsRefusedByName() {
        refused(folder.resolve("absent.json"), "does not exist");
        refused(folder, "is a folder");
    }

    @Test
    void aFigureThatIsNoNumberComesBack() throws IOException {
        ScenarioResult result = with(List.of(new Graph(
                "g",
                new Graph.Axis("a", "", false),
                new Graph.Axis("b", "", false),
                List.of(new Graph.Series("s", List.of(p(0, Double.NaN)))))));

        ScenarioResult read = ResultFile.read(written(result));

        assertThat(read.graphs()).isEqualTo(result.graphs());
        assertThat(read.findings()).isEqualTo(result.findings());
        assertThat(read.tables()).isEqualTo(result.tables());
        assertThat(read.environment()).isEqualTo(result.environment());
    }

    private void refused(Path file, String why) {
        Path html = folder.resolve("page.html");
        StringWriter err = new StringWriter();

        int exitCode = program(err).execute(file.toString(), "--html", html.toString());

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).contains("'" + file + "'").contains(why);
        assertThat(html).doesNotExist();
    }

    private Document page(ScenarioResult... results) throws IOException {
        Path html = folder.resolve("page.html");
        Path[] files = new Path[results.length];
        for (int at = 0; at < results.length; at++) {
            files[at] = written(results[at]);
        }
        report(html, files);
        return Jsoup.parse(html);
    }

    private static void report(Path html, Path... files) {
        CommandLine program = program(new StringWriter());
        String[] arguments = new String[files.length + 2];
        for (int at = 0; at < files.length; at++) {
            arguments[at] = files[at].toString();
        }
        arguments[files.length] = "--html";
        arguments[files.length + 1] = html.toString();
        assertThat(program.execute(arguments)).isZero();
    }

    private static CommandLine program(StringWriter err) {
        return new CommandLine(new ReportCommand())
                .setOut(new PrintWriter(new StringWriter()))
                .setErr(new PrintWriter(err, true));
    }

    private Path written(ScenarioResult result) throws IOException {
        Path file = Files.createTempFile(folder, "result", ".json");
        new OutputFile(file).json(ResultFile.tree(result));
        return file;
    }
}
