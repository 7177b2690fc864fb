// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static io.flexpool.benchmarks.broker.PersistenceStore.JDBC_POOLED;
import static io.flexpool.benchmarks.broker.PersistenceStore.JDBC_POOLED_WRAPPED;
import static io.flexpool.benchmarks.broker.PersistenceStore.JDBC_UNPOOLED;
import static io.flexpool.benchmarks.broker.PersistenceStore.KAHADB_DISK;
import static io.flexpool.benchmarks.broker.PersistenceStore.KAHADB_MEMORY;
import static io.flexpool.benchmarks.broker.PersistenceStore.NON_PERSISTENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PersistenceFiguresTest {
    private static final String SHAPE = Shape.QUEUE_1_1.toString();
    private static final double SYNC_MS = 4;

    private static Run run(PersistenceStore store, int messages, double rate) {
        return run(store, 0, messages, rate, 0);
    }

    private static Run run(PersistenceStore store, int round, int messages, double rate, long left) {
        return new Run(
                store.toString(),
                SHAPE,
                1024,
                round,
                messages,
                messages,
                messages,
                0,
                0,
                left,
                messages / rate,
                0,
                List.of(),
                1,
                List.of(),
                new Arrivals.Latency(1, 2, 3, 4, 5),
                null,
                null,
                new Disk("ext4", store == KAHADB_DISK ? SYNC_MS : 0.01));
    }

    private static Figures figures(Run... runs) {
        return new Figures(List.of(runs), List.of());
    }

    private static Finding finding(String claim, Run... runs) {
        return finding(claim, List.of(), runs);
    }

    private static Finding finding(String claim, List<Failure> failures, Run... runs) {
        return finding(claim, List.of(Shape.values()), failures, runs);
    }

    private static Finding finding(String claim, List<Shape> shapes, List<Failure> failures, Run... runs) {
        Plan plan = new Plan(
                new Fan(),
                Map.of(),
                List.of(PersistenceStore.values()),
                shapes.stream().map(Shape::workload).toList(),
                1,
                100,
                1,
                false,
                List.of());
        return FanClaims.of(plan).stream()
                .map(each -> each.judged(new Figures(List.of(runs), failures)))
                .filter(finding -> finding.claim().contains(claim))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theGapIsBetweenADurableStoreAndNone() {
        Figures figures = figures(
                run(NON_PERSISTENT, 2_000, 1_000),
                run(KAHADB_DISK, 2_000, 200),
                run(KAHADB_MEMORY, 2_000, 800),
                run(JDBC_POOLED, 2_000, 120));

        assertThat(figures.closed(KAHADB_MEMORY, KAHADB_DISK, SHAPE).median()).isEqualTo(75);
        assertThat(figures.closed(KAHADB_DISK, KAHADB_DISK, SHAPE).median()).isZero();
        assertThat(figures.closed(NON_PERSISTENT, KAHADB_DISK, SHAPE).median()).isEqualTo(100);
        assertThat(figures.closed(JDBC_POOLED, KAHADB_DISK, SHAPE).median()).isCloseTo(-10, within(1e-9));
        assertThat(figures.closed(JDBC_POOLED_WRAPPED, KAHADB_DISK, SHAPE).known())
                .isFalse();
        assertThat(figures.closed(KAHADB_MEMORY, JDBC_POOLED_WRAPPED, SHAPE).known())
                .isFalse();
    }

    @Test
    void theGapIsThatOfTheSameRound() {
        Figures figures = figures(
                run(NON_PERSISTENT, 0, 2_000, 1_000, 0),
                run(KAHADB_DISK, 0, 2_000, 200, 0),
                run(KAHADB_MEMORY, 0, 2_000, 800, 0),
                run(NON_PERSISTENT, 1, 2_000, 500, 0),
                run(KAHADB_DISK, 1, 2_000, 100, 0),
                run(KAHADB_MEMORY, 1, 2_000, 400, 0),
                run(KAHADB_MEMORY, 2, 2_000, 5_000, 0));

        assertThat(figures.closed(KAHADB_MEMORY, KAHADB_DISK, SHAPE)).isEqualTo(new Spread(75, 75, 75, 2));
    }

    @Test
    void aGainOf125PercentReproducesTheClaim() {
        Run disk = run(KAHADB_DISK, 2_000, 100);

        assertThat(finding("125 to 265", disk, run(KAHADB_MEMORY, 2_000, 226)).verdict())
                .isEqualTo(Verdict.REPRODUCED);
        assertThat(finding("125 to 265", disk, run(KAHADB_MEMORY, 2_000, 224)).verdict())
                .isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(finding("125 to 265", disk, run(KAHADB_MEMORY, 1_999, 226)).verdict())
                .isEqualTo(Verdict.CANNOT_BE_JUDGED);
    }

    @Test
    void aDiskWithoutDelayToRemoveDoesNotRefuteTheGain() {
        // One write for the message sent and one for its receipt: 4 ms each at 50 messages/s are 40 % of the time.
        Finding finding = finding("125 to 265", run(KAHADB_DISK, 2_000, 50), run(KAHADB_MEMORY, 2_000, 80));
        assertThat(finding.verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding.why())
                .startsWith("this disk has too little delay to remove: synchronous writes take at most 40 % of a"
                        + " message's time, the gain needs 56 %");

        assertThat(finding("125 to 265", run(KAHADB_DISK, 2_000, 70), run(KAHADB_MEMORY, 2_000, 80))
                        .verdict())
                .isEqualTo(Verdict.NOT_REPRODUCED);
    }

    private static Run[] rounds(int rounds, double rate) {
        return IntStream.range(0, rounds)
                .boxed()
                .flatMap(round -> Stream.of(
                        run(JDBC_POOLED, round, 2_000, 100, 0), run(JDBC_POOLED_WRAPPED, round, 2_000, rate, 0)))
                .toArray(Run[]::new);
    }

    @Test
    void aWrappedPoolMayLoseThreePercent() {
        assertThat(finding("wrapped moves", rounds(3, 97.1)).verdict()).isEqualTo(Verdict.GOAL_MET);
        assertThat(finding("wrapped moves", rounds(3, 96.9)).verdict()).isEqualTo(Verdict.GOAL_MISSED);
    }

    @Test
    void aRunAgainOfTheShapeThatWasMissedJudgesNothing() {
        Finding finding = finding("wrapped moves", List.of(Shape.QUEUE_1_1), List.of(), rounds(3, 101));

        assertThat(finding.verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding.why()).contains("a run again is of all of them");
    }

    @Test
    void twoRoundsOrAFailedJvmJudgeNoWrappedPool() {
        assertThat(finding("wrapped moves", rounds(2, 99)).verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("wrapped moves", List.of(new Failure("jdbc-pooled", "FAILED")), rounds(3, 99))
                        .verdict())
                .isEqualTo(Verdict.CANNOT_BE_JUDGED);
    }

    @Test
    void fewMessagesOfAnotherStoreDoNotMatter() {
        List<Run> runs = new ArrayList<>(List.of(rounds(3, 99)));
        runs.add(run(JDBC_UNPOOLED, 100, 10));

        assertThat(finding("wrapped moves", runs.toArray(Run[]::new)).verdict()).isEqualTo(Verdict.GOAL_MET);
    }

    @Test
    void aClaimOfStoresThatWereLeftOutIsNotForgotten() {
        Finding finding = finding("on a par", run(NON_PERSISTENT, 2_000, 100));

        assertThat(finding.verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding.why())
                .isEqualTo("this run did not measure both kahadb-memory and non-persistent with queue-1-1 in the same"
                        + " round");
        assertThat(finding("lost or doubled").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
    }

    @Test
    void theGoalNeedsAllMessagesAndAllJvms() {
        Run whole = run(KAHADB_DISK, 20, 100);

        assertThat(finding("lost or doubled", whole).verdict()).isEqualTo(Verdict.GOAL_MET);
        assertThat(finding("lost or doubled", run(KAHADB_DISK, 0, 20, 100, 1)).verdict())
                .isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("lost or doubled", List.of(new Failure("jdbc-pooled", "FAILED")), whole)
                        .verdict())
                .isEqualTo(Verdict.CANNOT_BE_JUDGED);
    }
}
