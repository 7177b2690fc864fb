// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.report.Finding.Verdict;
import org.junit.jupiter.api.Test;

class ClaimTest {
    private static final Claim<Double> TWICE =
            Claim.of("a page, 2016", "a pool doubles the rate", "200 / 100", ClaimTest::evidence, rate -> rate >= 200);
    private static final Claim<Double> GOAL =
            Claim.goal("this project's goal", "nothing is slower", ClaimTest::evidence, rate -> rate >= 100);

    private static Measured evidence(double rate) {
        return Measured.of(rate + " messages/s", rate / 100, "three rounds")
                .unless(rate < 10, "too few messages")
                .unless(rate < 0, "a clock that ran backwards");
    }

    @Test
    void aPublishedClaimIsReproducedOrNot() {
        assertThat(TWICE.judged(200.0))
                .isEqualTo(new Finding(
                        "a pool doubles the rate",
                        "a page, 2016",
                        "200 / 100",
                        "200.0 messages/s",
                        2.0,
                        Verdict.REPRODUCED,
                        "three rounds"));
        assertThat(TWICE.judged(199.0).verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void aGoalIsMetOrMissedAndNothingWasPublishedOfIt() {
        assertThat(GOAL.judged(100.0).verdict()).isEqualTo(Verdict.GOAL_MET);
        assertThat(GOAL.judged(99.0).verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(GOAL.judged(100.0).published()).isNull();
    }

    @Test
    void evidenceInDoubtDecidesNothingAndSaysWhyFirst() {
        Finding finding = GOAL.judged(-1.0);

        assertThat(finding.verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding.why()).isEqualTo("too few messages; a clock that ran backwards; three rounds");
        assertThat(finding.ratio()).isEqualTo(-0.01);
    }

    @Test
    void whereNothingWasMeasuredTheRuleIsNotAsked() {
        Claim<Double> claim =
                Claim.of("a page, 2016", "so it is", null, figures -> Measured.nothing("any pool"), figures -> {
                    throw new AssertionError("asked");
                });

        assertThat(claim.judged(1.0))
                .isEqualTo(new Finding(
                        "so it is",
                        "a page, 2016",
                        null,
                        "-",
                        null,
                        Verdict.CANNOT_BE_JUDGED,
                        "this run did not measure any pool"));
    }
}
