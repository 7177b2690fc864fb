// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.virtualthreads;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import io.flexpool.benchmarks.report.ScenarioResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows with known figures. */
class VirtualThreadsReportTest {
    private static final Plan PLAN = new Plan(
            List.of(LeaseDatabase.STUB), List.of(Variant.BARE, Variant.GATED), 2_000, 10, 1_000, 2_000, 8_000, 3, 1);

    private final List<Row> rows = new ArrayList<>();

    private void add(Variant variant, double perSecond, double waitMs, @Nullable Double busy, int rounds) {
        for (int round = 1; round <= rounds; round++) {
            rows.add(new Row(
                    LeaseDatabase.STUB,
                    variant,
                    round,
                    perSecond + round,
                    waitMs / 2,
                    waitMs,
                    waitMs + 1,
                    1e6 / perSecond,
                    busy,
                    busy == null ? null : 1_500.0,
                    variant == Variant.BARE ? 2 : 0,
                    0,
                    null));
        }
    }

    private ScenarioResult result() {
        return new VirtualThreadsReport(PLAN, rows).result(Instant.now(), true, List.of("virtual-threads"));
    }

    private List<Verdict> verdicts() {
        return result().findings().stream().map(Finding::verdict).toList();
    }

    @Test
    void theTableHasTheMediansAndTheSums() {
        add(Variant.BARE, 4_000, 600, 0.97, 3);
        add(Variant.GATED, 9_000, 220, null, 3);

        assertThat(result().tables())
                .singleElement()
                .satisfies(table -> assertThat(table.rows())
                        .containsExactly(
                                List.of(
                                        "stub",
                                        "bare",
                                        "4,002 (4,001–4,003)",
                                        "300 (300–300)",
                                        "600 (600–600)",
                                        "601 (601–601)",
                                        "250 (250–250)",
                                        "97 (97–97)",
                                        "1,500 (1,500–1,500)",
                                        "6",
                                        "0"),
                                List.of(
                                        "stub",
                                        "gated",
                                        "9,002 (9,001–9,003)",
                                        "110 (110–110)",
                                        "220 (220–220)",
                                        "221 (221–221)",
                                        "111 (111–111)",
                                        "-",
                                        "-",
                                        "0",
                                        "0")));
    }

    @Test
    void theClaimHoldsWhereAllCarriersAreBusyAndTheGoalsWhereTheGateIsBetter() {
        add(Variant.BARE, 4_000, 600, 0.97, 3);
        add(Variant.GATED, 9_000, 220, 0.4, 3);

        assertThat(verdicts())
                .containsExactly(Verdict.REPRODUCED, Verdict.GOAL_MET, Verdict.GOAL_MET, Verdict.GOAL_MET);
    }

    @Test
    void theyFailWhereItIsWorse() {
        add(Variant.BARE, 4_000, 600, 0.5, 3);
        add(Variant.GATED, 3_000, 800, 0.9, 3);

        assertThat(verdicts())
                .containsExactly(Verdict.NOT_REPRODUCED, Verdict.GOAL_MISSED, Verdict.GOAL_MISSED, Verdict.GOAL_MISSED);
    }

    @Test
    void fewRoundsAndAnOlderJavaDecideNothing() {
        add(Variant.BARE, 4_000, 600, null, 3);
        add(Variant.GATED, 9_000, 220, null, 3);
        assertThat(verdicts().get(0)).isEqualTo(Verdict.CANNOT_BE_JUDGED);

        rows.clear();
        add(Variant.BARE, 4_000, 600, 0.97, 2);
        assertThat(verdicts()).containsOnly(Verdict.CANNOT_BE_JUDGED);
    }
}
