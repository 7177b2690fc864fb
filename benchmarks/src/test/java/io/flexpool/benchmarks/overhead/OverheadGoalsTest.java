// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.overhead.OverheadJvm.Answer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverheadGoalsTest {
    private static OverheadRow two(String variant, double diff, double bytes) {
        return Jvms.row(new Load(2, 4), 4, variant, diff, diff / 100, bytes);
    }

    /** Of one JVM. */
    private static OverheadGoals goals(OverheadRow... rows) {
        return new OverheadGoals(
                OverheadGroup.of(List.of(Jvms.answer(Jvms.OLD, rows))).get(0));
    }

    /** Of one JVM each. */
    private static OverheadGoals goalsOfTen(OverheadRow usual, OverheadRow ofTheSeventh) {
        List<Answer> answers = new ArrayList<>();
        for (int number = 1; number <= 10; number++) {
            answers.add(Jvms.answer(Jvms.OLD, two("bare", 0, 56), number == 7 ? ofTheSeventh : usual));
        }
        return new OverheadGoals(OverheadGroup.of(answers).get(0));
    }

    @Test
    void everyGoalIsSaidWithItsFigure() {
        OverheadGoals goals = goals(
                two("bare", 0, 56),
                two("control", -5, 56),
                two("flexpool-bound", 125, 88),
                two("flexypool-dropwizard", 1000, 400),
                two("flexypool-micrometer", 499, 160),
                two("flexypool", 126, 160),
                two("hikaricp-dropwizard", 250, 120),
                two("hikaricp-micrometer", 125.1, 56));

        assertThat(goals.verdicts())
                .containsExactly(
                        "control: within 5 ns of bare: met (-5.0)",
                        "flexpool-bound: D at most 1.25 I: met (1.25); at most 32 bytes over bare: met (32.00);"
                                + " below hikaricp-micrometer: met (1.00);"
                                + " flexypool-dropwizard at least 8 times as much: met (8.00);"
                                + " flexypool-micrometer at least 4 times as much: missed (3.99);"
                                + " flexypool at least 1 times as much: met (1.01);"
                                + " hikaricp-dropwizard at least 2 times as much: met (2.00)");
    }

    @Test
    void whatIsMissedIsSaid() {
        OverheadGoals goals = goals(
                two("bare", 0, 56),
                two("control", 5.1, 56),
                two("flexpool-watched", 126, 96),
                two("hikaricp-micrometer", 126, 56));

        assertThat(goals.verdicts())
                .containsExactly(
                        "control: within 5 ns of bare: missed (5.1)",
                        "flexpool-watched: D at most 1.25 I: missed (1.26); at most 32 bytes over bare: missed"
                                + " (40.00); below hikaricp-micrometer: missed (1.00)");
    }

    @Test
    void eightThreadsHaveTheSameLimitAndMayAllocate() {
        Load eight = new Load(8, 4);
        OverheadGoals goals = goals(
                Jvms.row(eight, 4, "bare", 0, 0.0, 90),
                Jvms.row(eight, 4, "flexpool-bound", 125, 1.25, 300),
                Jvms.row(eight, 4, "flexpool-watched", 126, 1.26, 300));

        assertThat(goals.verdicts())
                .containsExactly(
                        "flexpool-bound: D at most 1.25 I: met (1.25)",
                        "flexpool-watched: D at most 1.25 I: missed (1.26)");
    }

    @Test
    void aGoalThatOneOfTenJvmsMissesIsMissedAndTheJvmIsNamed() {
        OverheadGoals goals = goalsOfTen(two("flexpool-bound", 110, 88), two("flexpool-bound", 131, 88));

        assertThat(goals.verdicts())
                .containsExactly("flexpool-bound: D at most 1.25 I: missed, met in 9 of 10 JVMs, not in JVM 7"
                        + " (1.10 / 1.10 / 1.31); at most 32 bytes over bare: met in 10 of 10 JVMs"
                        + " (32.00 / 32.00 / 32.00)");
        assertThat(goals.summary()).isEqualTo(goals.verdicts());
    }

    @Test
    void aGoalThatAllTenJvmsMeetIsMet() {
        OverheadGoals goals = goalsOfTen(two("flexpool-bound", 110, 88), two("flexpool-bound", 125, 88));

        assertThat(goals.verdicts())
                .containsExactly("flexpool-bound: D at most 1.25 I: met in 10 of 10 JVMs (1.10 / 1.10 / 1.25);"
                        + " at most 32 bytes over bare: met in 10 of 10 JVMs (32.00 / 32.00 / 32.00)");
        assertThat(goals.summary()).containsExactly("all goals met: flexpool-bound");
    }

    @Test
    void aControlThatIsOffInOneJvmIsMissed() {
        OverheadGoals goals = goalsOfTen(two("control", 0.5, 56), two("control", -6, 56));

        assertThat(goals.summary())
                .containsExactly("control: within 5 ns of bare: missed, met in 9 of 10 JVMs, not in JVM 7"
                        + " (-6.0 / 0.5 / 0.5)");
    }

    @Test
    void backendsThatObserveEveryCallHaveNoGoal() {
        OverheadGoals goals = goals(
                two("bare", 0, 56),
                two("flexpool-bound-micrometer-histogram", 300, 88),
                two("flexpool-bound-opentelemetry-push", 310, 88),
                two("flexpool-watched-jfr-recording", 120, 88),
                Jvms.row(new Load(2, 4), 4, "flexpool-watched-jfr-recording-all", 500, null, 88),
                two("hikaricp-dropwizard", 280, 120),
                two("hikaricp-micrometer", 140, 56));

        String trackers = "; hikaricp-dropwizard 280.0 ns, 2.80 I; hikaricp-micrometer 140.0 ns, 1.40 I";
        assertThat(goals.verdicts())
                .containsExactly(
                        "flexpool-bound-micrometer-histogram: no goal, observes every call; D 300.0 ns, 3.00 I"
                                + trackers,
                        "flexpool-bound-opentelemetry-push: no goal, observes every call; D 310.0 ns, 3.10 I"
                                + trackers,
                        "flexpool-watched-jfr-recording: no goal, observes every call; D 120.0 ns, 1.20 I" + trackers,
                        "flexpool-watched-jfr-recording-all: no goal, observes every call; D 500.0 ns" + trackers);
    }

    @Test
    void threeKindsInOneLoaderAreComparedWithTheMeanOfTheSameApart() {
        OverheadGoals goals = goals(
                two("flexpool-watched", 100, 88),
                two("flexpool-bound", 104, 88),
                two("flexpool-bound-classes", 111, 88),
                two("flexpool-in-one-loader", 108.1, 88));

        assertThat(goals.verdicts())
                .last()
                .isEqualTo("flexpool-in-one-loader: D at most 1.25 I: met (1.08);"
                        + " at most 3 ns over the same pools in loaders of their own: missed (3.1)");
    }

    @Test
    void whereThreadsWaitThreePoolsAreNotComparedWithOne() {
        Load eight = new Load(8, 4);
        OverheadGoals goals = goals(
                Jvms.row(eight, 4, "flexpool-watched", 100, 1.0, 300),
                Jvms.row(eight, 4, "flexpool-bound", 100, 1.0, 300),
                Jvms.row(eight, 4, "flexpool-bound-classes", 100, 1.0, 300),
                Jvms.row(eight, 4, "flexpool-in-one-loader", 100, 1.0, 300));

        assertThat(goals.verdicts()).last().isEqualTo("flexpool-in-one-loader: D at most 1.25 I: met (1.00)");
    }

    @Test
    void theSummaryListsMissedGoalsInFull() {
        OverheadGoals goals = goals(
                two("bare", 0, 56),
                two("control", 1, 56),
                two("flexpool-watched", 110, 88),
                two("flexpool-bound", 126, 88),
                two("flexpool-bound-opentelemetry-push", 150, 88));

        assertThat(goals.summary())
                .containsExactly(
                        "all goals met: control, flexpool-watched",
                        "flexpool-bound: D at most 1.25 I: missed (1.26); at most 32 bytes over bare: met (32.00)",
                        "flexpool-bound-opentelemetry-push: no goal, observes every call; D 150.0 ns, 1.50 I");
    }
}
