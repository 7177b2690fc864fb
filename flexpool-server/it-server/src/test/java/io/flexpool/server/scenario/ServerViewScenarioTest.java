// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.diagnostics.Explanation;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Stages ten situations in which a pool is exhausted, in random order, with a server view and without, and judges each explanation.
 * <p>
 * The short form stages each situation once: {@code mvn -Pscenarios verify -pl flexpool-server/it-server -am
 * -Dtest=ServerViewScenarioTest -Dsurefire.failIfNoSpecifiedTests=false}. The published figures are of 20 runs with 5 requests:
 * {@code -Dscenario.runs=20 -Dscenario.requests=5}.
 */
@Tag("scenario")
class ServerViewScenarioTest {
    private static final Map<String, String> SETTINGS = Map.of(
            "max_connections", "40",
            "deadlock_timeout", "100ms",
            "autovacuum", "off");
    private static final int RUNS = Integer.getInteger("scenario.runs", 1);
    private static final int REQUESTS = Integer.getInteger("scenario.requests", 2);
    private static final double LEAST_RIGHT = 0.95;
    /** From so many runs on, the median of the time that an explanation adds is a figure. */
    private static final int LEAST_RUNS_OF_A_MEDIAN = 20;

    private static final double MAX_ADDED_MEDIAN_MS = 5;
    private static final double MAX_ADDED_MS = 200;

    private record Run(Situation situation, boolean view) {}

    /** One row of the table. */
    private static final class Row {
        private final Map<String, Integer> causes = new TreeMap<>();
        private final List<Double> withView = new ArrayList<>();
        private final List<Double> withoutView = new ArrayList<>();
        private int causeRight;
        private int culpritRight;
        private int culpritWrong;

        private void judge(List<Explanation> explanations, List<Verdict> verdicts) {
            causes.merge(
                    explanations.isEmpty()
                            ? "none"
                            : explanations.get(0).cause().name(),
                    1,
                    Integer::sum);
            if (!verdicts.isEmpty()) {
                causeRight += verdicts.get(0).causeRight() ? 1 : 0;
                culpritRight += verdicts.get(0).causeRight() && verdicts.get(0).culpritRight() ? 1 : 0;
            }
            culpritWrong += verdicts.stream().anyMatch(Verdict::culpritWrong) ? 1 : 0;
        }

        private double addedMedianMs() {
            return median(withView) - median(withoutView);
        }

        private double addedMaxMs() {
            return Collections.max(withView) - median(withoutView);
        }

        private static double median(List<Double> figures) {
            double[] sorted =
                    figures.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "cause right %d, culprit right %d, culprit wrong %d, added ms: median %.2f, max %.1f; first causes %s",
                    causeRight,
                    culpritRight,
                    culpritWrong,
                    addedMedianMs(),
                    addedMaxMs(),
                    causes);
        }
    }

    @Test
    void theCauseIsFoundAndNobodyIsBlamedWrongly() throws Exception {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        Map<Situation, Row> rows = rows();
        StringBuilder table = new StringBuilder(RUNS + " runs of each situation\n");
        rows.forEach((situation, row) -> table.append(String.format(Locale.ROOT, "%-20s ", situation))
                .append(row)
                .append('\n'));
        System.out.print(table);

        double least = LEAST_RIGHT * RUNS * Situation.values().length;
        assertThat(rows.values())
                .allSatisfy(row -> assertThat(row.culpritWrong).as("%s", row).isZero());
        assertThat(rows.values().stream().mapToInt(row -> row.causeRight).sum())
                .as("%s", table)
                .isGreaterThanOrEqualTo((int) least);
        assertThat(rows.values().stream().mapToInt(row -> row.culpritRight).sum())
                .as("%s", table)
                .isGreaterThanOrEqualTo((int) least);
        if (RUNS >= LEAST_RUNS_OF_A_MEDIAN) {
            assertThat(rows.values()).allSatisfy(row -> {
                assertThat(row.addedMedianMs()).as("%s", row).isLessThanOrEqualTo(MAX_ADDED_MEDIAN_MS);
                assertThat(row.addedMaxMs()).as("%s", row).isLessThanOrEqualTo(MAX_ADDED_MS);
            });
        }
    }

    private static Map<Situation, Row> rows() throws SQLException, InterruptedException {
        Map<Situation, Row> rows = new EnumMap<>(Situation.class);
        Arrays.asList(Situation.values()).forEach(situation -> rows.put(situation, new Row()));
        List<Run> runs = new ArrayList<>();
        for (Situation situation : Situation.values()) {
            runs.addAll(Collections.nCopies(RUNS, new Run(situation, true)));
            runs.addAll(Collections.nCopies(RUNS, new Run(situation, false)));
        }
        Collections.shuffle(runs, new Random(Long.getLong("scenario.seed", 1)));
        try (PostgresServer server = PostgresServer.start(SETTINGS)) {
            for (Run run : runs) {
                stage(server, run, Objects.requireNonNull(rows.get(run.situation())));
            }
        }
        return rows;
    }

    private static void stage(PostgresServer server, Run run, Row row) throws SQLException, InterruptedException {
        try (Stage stage = new Stage(server, run.view())) {
            Culprit culprit = run.situation().stage(stage);
            List<Double> failures = Tries.failed(REQUESTS, stage::failedRequest);
            if (!run.view()) {
                row.withoutView.addAll(failures);
                return;
            }
            row.withView.addAll(failures);
            List<Explanation> explanations = List.copyOf(stage.explanations());
            row.judge(
                    explanations,
                    explanations.stream()
                            .map(one -> Verdict.of(one, run.situation().cause(), culprit))
                            .toList());
        }
    }
}
