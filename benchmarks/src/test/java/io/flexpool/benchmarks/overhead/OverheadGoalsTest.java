// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OverheadGoalsTest {
    private static OverheadRow row(
            int threads, int pool, String variant, double diff, @Nullable Double ideals, double bytes) {
        return new OverheadRow(threads, pool, variant, 100 + diff, diff, diff - 1, diff + 1, ideals, bytes);
    }

    private static OverheadRow two(String variant, double diff, double bytes) {
        return row(2, 4, variant, diff, diff / 100, bytes);
    }

    @Test
    void everyGoalIsSaidWithItsFigure() {
        OverheadGoals goals = new OverheadGoals(List.of(
                two("bare", 0, 56),
                two("control", -10, 56),
                two("flexpool-bound", 125, 88),
                two("flexypool-dropwizard", 1000, 400),
                two("flexypool-micrometer", 499, 160),
                two("flexypool", 126, 160),
                two("hikaricp-dropwizard", 250, 120)));

        assertThat(goals.verdicts())
                .containsExactly(
                        "control: within 10 ns of bare: met (-10.0)",
                        "flexpool-bound: D at most 1.25 I: met (1.25); at most 32 bytes over bare: met (32.00);"
                                + " flexypool-dropwizard at least 8 times as much: met (8.00);"
                                + " flexypool-micrometer at least 4 times as much: missed (3.99);"
                                + " flexypool at least 1 times as much: met (1.01);"
                                + " hikaricp-dropwizard at least 2 times as much: met (2.00)");
    }

    @Test
    void whatIsMissedIsSaid() {
        OverheadGoals goals = new OverheadGoals(
                List.of(two("bare", 0, 56), two("control", 10.1, 56), two("flexpool-watched", 126, 96)));

        assertThat(goals.verdicts())
                .containsExactly(
                        "control: within 10 ns of bare: missed (10.1)",
                        "flexpool-watched: D at most 1.25 I: missed (1.26); at most 32 bytes over bare: missed"
                                + " (40.00)");
    }

    @Test
    void eightThreadsHaveAHigherLimitAndMayAllocate() {
        OverheadGoals goals =
                new OverheadGoals(List.of(row(8, 4, "bare", 0, 0.0, 90), row(8, 4, "flexpool-bound", 150, 1.5, 300)));

        assertThat(goals.verdicts()).containsExactly("flexpool-bound: D at most 1.50 I: met (1.50)");
    }

    @Test
    void backendsThatObserveEveryCallHaveNoGoal() {
        OverheadGoals goals = new OverheadGoals(List.of(
                two("bare", 0, 56),
                two("flexpool-bound-micrometer-histogram", 300, 88),
                two("flexpool-bound-opentelemetry-push", 310, 88),
                two("flexpool-watched-jfr-recording", 120, 88),
                row(2, 4, "flexpool-watched-jfr-recording-all", 500, null, 88),
                two("hikaricp-dropwizard", 280, 120),
                two("hikaricp-micrometer", 140, 56)));

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
    void theSummaryListsMissedGoalsInFull() {
        OverheadGoals goals = new OverheadGoals(List.of(
                two("bare", 0, 56),
                two("control", 1, 56),
                two("flexpool-watched", 110, 88),
                two("flexpool-bound", 126, 88),
                two("flexpool-bound-opentelemetry-push", 150, 88)));

        assertThat(goals.summary())
                .containsExactly(
                        "all goals met: control, flexpool-watched",
                        "flexpool-bound: D at most 1.25 I: missed (1.26); at most 32 bytes over bare: met (32.00)",
                        "flexpool-bound-opentelemetry-push: no goal, observes every call; D 150.0 ns, 1.50 I");
    }
}
