// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static io.flexpool.benchmarks.kit.TextTable.number;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * flexpool's figures in results/simulation.md, those of the best fixed sizes beside them, and the map are those of the code.
 * With {@code -Dflexpool.write} they are made anew.
 */
@Tag("scenario")
class SizingPageTest {
    private static final Path RESULTS = Path.of("results");
    private static final Path PAGE = RESULTS.resolve("simulation.md");
    /** The picture of the page that explains the controller. */
    private static final Path EXPLAINED = Path.of("..", "docs", "explanation", "sizing-step.svg");
    /** A scenario with its best fixed size, the cell of that size, perhaps those of others, and the last columns. */
    private static final Pattern ROW = Pattern.compile("\\| ([a-z0-9-]+) \\((\\d+)\\) \\| ([^|]+) \\|.*");

    private static final Pattern MAP_ROW = Pattern.compile("\\| ([0-9.]+) (ms|s) (\\| \\d+\\.\\d ){5}\\|");
    private static final int SEEDS = 5;
    private static final int MAP_SEEDS = 3;
    private static final double MOST_PER_CENT = 5;
    private static final double MS_PER_SECOND = 1000;

    private static final Set<String> PUBLISHED =
            Scenarios.ALL.stream().map(Scenario::name).collect(Collectors.toSet());
    private static final Map<String, Scenario> SCENARIOS = Stream.of(Scenarios.ALL, NewScenarios.ALL, HardScenarios.ALL)
            .flatMap(List::stream)
            .collect(Collectors.toMap(Scenario::name, scenario -> scenario));

    @Test
    void theFiguresAreThoseOfTheCode() throws IOException {
        List<String> page = Files.readAllLines(PAGE);
        List<String> renewed = page.stream().map(SizingPageTest::renewed).toList();
        if (Boolean.getBoolean("flexpool.write")) {
            Files.write(PAGE, renewed);
        }

        assertThat(Files.readAllLines(PAGE)).isEqualTo(renewed);
        assertThat(renewed).filteredOn(line -> ROW.matcher(line).matches()).hasSize(SCENARIOS.size());
        assertThat(renewed)
                .filteredOn(line -> MAP_ROW.matcher(line).matches())
                .hasSize(HardScenarios.LEASES.length)
                .allSatisfy(line -> assertThat(Stream.of(line.split(" *\\| *")).skip(2))
                        .allSatisfy(cell -> assertThat(Double.parseDouble(cell)).isLessThanOrEqualTo(MOST_PER_CENT)));
    }

    private static String renewed(String line) {
        Matcher map = MAP_ROW.matcher(line);
        if (map.matches()) {
            double lease = Double.parseDouble(map.group(1)) / (map.group(2).equals("ms") ? MS_PER_SECOND : 1);
            return DoubleStream.of(HardScenarios.TIMEOUTS)
                    .mapToObj(timeout -> number(100 * share(HardScenarios.map(lease, timeout)), 1))
                    .collect(Collectors.joining(" | ", "| " + map.group(1) + " " + map.group(2) + " | ", " |"));
        }
        Matcher row = ROW.matcher(line);
        if (!row.matches()) {
            return line;
        }
        String name = row.group(1);
        int size = Integer.parseInt(row.group(2));
        List<String> cells = List.of(line.split(" \\| "));
        Scenario scenario = scenario(name);
        List<SimResult> fixed = fixed(scenario, size);
        Cell own = cell(played(scenario), fixed);
        boolean worst = !PUBLISHED.contains(name);
        List<String> others = cells.subList(2, cells.size() - (worst ? 2 : 1));
        Stream<String> last = worst ? Stream.of(text(own), number(own.worstRegret(), 2)) : Stream.of(text(own));
        return Stream.of(Stream.of(cells.get(0), text(cell(fixed, fixed))), others.stream(), last)
                .flatMap(some -> some)
                .collect(Collectors.joining(" | ", "", " |"));
    }

    private static Scenario scenario(String name) {
        return Objects.requireNonNull(SCENARIOS.get(name), name);
    }

    private static List<SimResult> fixed(Scenario scenario, int size) {
        return runs(BestStatic.sized(scenario, size), StaticSize::new);
    }

    private static List<SimResult> played(Scenario scenario) {
        return runs(scenario, FlexPoolController::new);
    }

    private static List<SimResult> runs(Scenario scenario, Supplier<SimController> controller) {
        return LongStream.rangeClosed(1, SEEDS)
                .parallel()
                .mapToObj(seed -> Simulation.run(scenario, seed, controller))
                .toList();
    }

    private static Cell cell(List<SimResult> runs, List<SimResult> fixed) {
        return new Cell(runs.stream()
                .map(run -> SimRow.of(run, fixed.get(runs.indexOf(run))))
                .toList());
    }

    private static String text(Cell cell) {
        return number(cell.mean(SimRow::failures), 0) + " / " + number(cell.mean(SimRow::p99AcquireMs), 0) + " / "
                + number(cell.mean(SimRow::meanHeld), 1) + " / " + number(cell.regret(), 2);
    }

    /** Of all requests, the part that fails, 0 to 1. */
    private static double share(Scenario scenario) {
        return LongStream.rangeClosed(1, MAP_SEEDS)
                .parallel()
                .mapToObj(seed -> Simulation.run(scenario, seed, FlexPoolController::new))
                .mapToDouble(run -> (double) run.failures() / run.requests())
                .average()
                .orElseThrow();
    }

    /** The page that explains the controller shows one of them. */
    @Test
    void thePicturesAreOnThePage() throws IOException {
        String page = Files.readString(PAGE);
        for (String picture :
                List.of("step-size", "step-p99", "slow-size", "latency-size", "leak-size", "overload-size")) {
            assertThat(page).contains("](simulation/" + picture + ".svg)");
            assertThat(RESULTS.resolve(Path.of("simulation", picture + ".svg"))).isNotEmptyFile();
        }
        assertThat(EXPLAINED).hasSameTextualContentAs(RESULTS.resolve(Path.of("simulation", "step-size.svg")));
    }

    /** The decisions of the page that explains the controller are of slow-x3 with seed 1. */
    @Test
    void theDecisionsThatAreExplainedAreThoseOfTheCode() throws IOException {
        String page = Files.readString(EXPLAINED.resolveSibling("sizing.md"));
        String block = page.substring(page.indexOf("```text\n") + "```text\n".length());
        List<String> shown = Stream.of(block.substring(0, block.indexOf("```"))
                        .replaceAll("\\s+", " ")
                        .split(" ?\\d+\\.\\d\\d s "))
                .filter(text -> !text.isBlank())
                .map(String::strip)
                .toList();
        FlexPoolController controller = new FlexPoolController();
        Simulation.run(scenario("slow-x3"), 1, () -> controller);

        assertThat(shown).hasSize(2);
        assertThat(controller.decisions())
                .extracting(decision -> decision.explanation())
                .containsSubsequence(shown);
    }
}
