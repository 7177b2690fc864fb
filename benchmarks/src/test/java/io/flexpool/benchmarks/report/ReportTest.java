// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

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
    void everyTableAndFindingOfEveryResultIsInTheMarkdown() throws IOException {
        Path markdown = folder.resolve("page.md");
        assertThat(program(new StringWriter())
                        .execute(
                                written(Samples.result(true)).toString(),
                                written(Samples.result(false)).toString(),
                                "--markdown",
                                markdown.toString()))
                .isZero();

        assertThat(Files.readString(markdown).split("(?m)^## "))
                .hasSize(3)
                .filteredOn(section -> !section.isEmpty())
                .allSatisfy(section -> assertThat(section)
                        .startsWith("directory\n")
                        .contains("Directory <service>", "A note with <angles>.", "2026-11-21T16:00:00Z")
                        .contains("- REPRODUCED: c3p0 fails in bursts (published comparison); published 75 failures,"
                                + " measured 70 failures, ratio 0.93; 70 of 100 & more")
                        .contains("- GOAL MISSED: no failure (goal); measured 3; three of <c3p0>")
                        .contains("Steady:", "| c3p0 | 1,427,995 | 75 |"));
        assertThat(Files.readString(markdown)).containsOnlyOnce("INTERRUPTED");
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
    void aRatioThatIsNoNumberIsNotShown(double ratio) {
        Finding finding = new Finding("claim", "source", "0", "7", ratio, Finding.Verdict.CANNOT_BE_JUDGED, "why");

        StringWriter screen = new StringWriter();
        with(List.of(finding), List.of(), List.of()).print(new PrintWriter(screen));
        assertThat(screen.toString()).contains("measured 7" + System.lineSeparator());
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

        assertThat(program(new StringWriter()).execute(full.toString(), "--publish", published.toString()))
                .isZero();

        Path copy = published.resolve(full.getFileName());
        ScenarioResult read = ResultFile.read(copy);
        assertThat(read.graphs().get(0).series().get(0).points())
                .hasSizeBetween(20, Thinning.MAX_PUBLISHED)
                .startsWith(p(0, 0))
                .endsWith(p(499, 19.9));
        assertThat(read.figures()).isEqualTo(Map.of("failures", 75, "mean", 1.23457));
        assertThat(Files.readString(full)).isEqualTo(before);
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
        Stream<String> arguments =
                Stream.concat(Stream.of(results).map(Path::toString), Stream.of("--publish", to.toString()));

        assertThat(program(err).execute(arguments.toArray(String[]::new))).isEqualTo(2);
        assertThat(err.toString()).contains("--publish", "'" + to + "' " + why);
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
                    "measured":"3"         | "measured":null        | a wrong value in 'findings[1].measured'
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
        Path alias = Files.createSymbolicLink(folder.resolve("alias.md"), result);
        String before = Files.readString(result);
        StringWriter err = new StringWriter();

        assertThat(program(err).execute(result.toString(), "--markdown", alias.toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("'" + result + "' is one of the results; must be another file");
        assertThat(Files.readString(result)).isEqualTo(before);
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
        Path markdown = folder.resolve("page.md");
        StringWriter err = new StringWriter();

        int exitCode = program(err).execute(file.toString(), "--markdown", markdown.toString());

        assertThat(exitCode).isEqualTo(2);
        assertThat(err.toString()).contains("'" + file + "'").contains(why);
        assertThat(markdown).doesNotExist();
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
