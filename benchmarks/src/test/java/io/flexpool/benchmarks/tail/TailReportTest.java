// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.kit.JvmFacts;
import io.flexpool.benchmarks.kit.Spread;
import java.util.List;
import org.junit.jupiter.api.Test;

class TailReportTest {
    private static final TailLoad HELD = new TailLoad(16, 4, 1_000, 0, 0, 2, 9, 1);
    private static final TailLoad AT_ONCE = new TailLoad(16, 4, 0, 0, 0, 2, 9, 1);
    private static final JvmFacts JAVA = new JvmFacts("17.0.15", "Debian", "OpenJDK", "G1", 2, 4096);
    private static final JvmFacts OTHER = new JvmFacts("25", "Eclipse", "OpenJDK", "G1", 2, 4096);

    private static TailRun run(JvmFacts jvm, String variant, int round, double opsPerSecond, double wait) {
        return new TailRun(
                jvm,
                variant,
                round,
                0,
                new TailWindow(
                        900,
                        opsPerSecond,
                        wait,
                        wait,
                        2 * wait,
                        3 * wait,
                        4 * wait,
                        40 + round,
                        70 + round,
                        wait,
                        1,
                        3,
                        4));
    }

    /** The machine was ten times as fast in the second round. */
    private static final List<TailRun> TWO_ROUNDS = List.of(
            run(JAVA, "flexpool-bound", 0, 50, 3),
            run(JAVA, "bare", 0, 100, 6),
            run(JAVA, "bare", 1, 1_000, 10),
            run(JAVA, "flexpool-bound", 1, 2_000, 30));

    @Test
    void aRowHasTheMedianTheLeastAndTheMost() {
        TailRow bound = TailReport.of(HELD, 2, TWO_ROUNDS).results().get(1);

        assertThat(bound.variant()).isEqualTo("flexpool-bound");
        assertThat(bound.opsPerSecond()).isEqualTo(new Spread(1_025, 50, 2_000, 2));
        assertThat(bound.p99Micros()).isEqualTo(new Spread(33, 6, 60, 2));
        assertThat(bound.fewest()).isEqualTo(new Spread(40.5, 40, 41, 2));
    }

    @Test
    void quotientsAreOfOneRound() {
        TailRow bound = TailReport.of(HELD, 2, TWO_ROUNDS).results().get(1);

        assertThat(bound.overBare().opsPerSecond()).isEqualTo(new Spread(1.25, 0.5, 2, 2));
        assertThat(bound.overBare().p999Micros()).isEqualTo(new Spread(1.75, 0.5, 3, 2));
    }

    @Test
    void theTableHasARowForEachJavaAndVariantInTheOrderOfTheVariants() {
        TailReport report = TailReport.of(
                HELD,
                1,
                List.of(
                        run(OTHER, "flexpool-watched", 0, 1, 1),
                        run(OTHER, "bare", 0, 1, 1),
                        run(JAVA, "bare", 0, 3_583.4, 53_199.6)));

        assertThat(report.tables().get(0).text().markdown().lines())
                .hasSize(5)
                .anyMatch(line -> line.startsWith("| Java 25 (Eclipse) | bare | 1.0 | 1.00 | 1.0 | "))
                .anyMatch(line -> line.startsWith("| Java 25 (Eclipse) | flexpool-watched | "))
                .anyMatch(line -> line.startsWith("| Java 17.0.15 (Debian) | bare | 3,583 | 1.00 | 53,200 | 53,200 | ")
                        && line.contains(" | 40–70 | "));
        assertThat(report.results()).extracting(TailRow::variant).containsExactly("bare", "flexpool-watched", "bare");
    }

    @Test
    void eachVariantIsComparedWithBare() {
        assertThat(TailReport.of(HELD, 2, TWO_ROUNDS).goals())
                .containsOnlyKeys("over bare, Java 17.0.15 (Debian)")
                .containsEntry(
                        "over bare, Java 17.0.15 (Debian)",
                        List.of(
                                "flexpool-bound: leases per second x 1.25 (0.50–2.00); mean wait x 1.75 (0.50–3.00), p50 x"
                                        + " 1.75 (0.50–3.00), p99 x 1.75 (0.50–3.00), p99.9 x 1.75 (0.50–3.00), max x 1.75"
                                        + " (0.50–3.00); processor time x 1.75 (0.50–3.00)"));
    }

    @Test
    void withoutAHoldTheGoalIsTheIdeal() {
        TailReport report = TailReport.of(
                AT_ONCE,
                1,
                List.of(
                        run(JAVA, "bare", 0, 1_000, 1),
                        run(JAVA, "ideal", 0, 500, 1),
                        run(JAVA, "flexypool-dropwizard", 0, 100, 1),
                        run(JAVA, "flexpool-watched", 0, 500, 1),
                        run(JAVA, "flexpool-bound", 0, 400, 1)));

        assertThat(report.goals().get("goals, Java 17.0.15 (Debian)"))
                .containsExactly(
                        "flexpool-watched: at least as many leases per second as the ideal: met (x 1.00; over bare 0.50,"
                                + " the ideal 0.50)",
                        "flexpool-bound: at least as many leases per second as the ideal: missed (x 0.800; over bare"
                                + " 0.40, the ideal 0.50)");
        assertThat(report.notes()).anyMatch(note -> note.contains("each gives its connection back at once"));
        assertThat(report.notes()).anyMatch(note -> note.contains("of one in 64 requests"));
    }

    @Test
    void withoutTheIdealThereIsNoGoal() {
        assertThat(TailReport.of(AT_ONCE, 2, TWO_ROUNDS).goals()).containsOnlyKeys("over bare, Java 17.0.15 (Debian)");
    }

    @Test
    void theNotesSayWhatTheClientsDo() {
        TailReport report = TailReport.of(new TailLoad(30, 4, 1_000, 500, 2_000, 2, 9, 3), 5, TWO_ROUNDS);

        assertThat(report.notes())
                .anyMatch(note -> note.contains("30 clients on 4 connections")
                        && note.contains("each keeps its connection for 1 ms without using a processor, uses 500 us of"
                                + " processor time while it has its connection, uses 2 ms of processor time between two"
                                + " leases"))
                .anyMatch(
                        note -> note.contains("5 JVMs of each Java and variant") && note.contains("3 windows of 9 s"));
    }
}
