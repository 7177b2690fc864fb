// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.broker.MeteredDataSource.Reading;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import io.flexpool.benchmarks.report.Graph;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BrokerFindingsTest {
    private static final int K = Chain.SMALL;

    private static Run run(BrokerStore store, int messages, double rate, double perMessage, long lost) {
        return run(store, 0, messages, rate, perMessage, lost);
    }

    private static Run run(BrokerStore store, int round, int messages, double rate, double perMessage, long lost) {
        Reading asked = store != BrokerStore.KAHADB ? new Reading((long) (perMessage * messages), 2.5, 2, 5, 3) : null;
        return run(store, round, messages, messages / rate, 1, List.of(), lost, asked);
    }

    private static Run run(
            BrokerStore store,
            int round,
            int messages,
            double seconds,
            int batch,
            List<Double> batchSeconds,
            long lost,
            @Nullable Reading asked) {
        return new Run(
                store.toString(),
                "1k",
                K,
                round,
                messages,
                messages,
                messages,
                lost,
                0,
                0,
                seconds,
                batch,
                batchSeconds,
                1,
                List.of(),
                new Arrivals.Latency(1, 2, 3, 4, 5),
                asked,
                asked,
                new Disk("ext4", 1));
    }

    private static Finding finding(String claim, int messages, Run... runs) {
        return finding(claim, messages, 100, List.of(), runs);
    }

    private static Finding finding(String claim, int messages, int inFlight, List<Failure> failures, Run... runs) {
        return finding(claim, Set.of(Chain.SMALL, Chain.LARGE), messages, inFlight, failures, runs);
    }

    private static Finding finding(
            String claim, Set<Integer> payloads, int messages, int inFlight, List<Failure> failures, Run... runs) {
        Plan plan = new Plan(
                new Chain(),
                Map.of(),
                List.of(BrokerStore.values()),
                payloads.stream()
                        .sorted()
                        .map(payload -> Chain.workload(payload, messages))
                        .toList(),
                1,
                inFlight,
                1,
                false,
                List.of());
        return ChainClaims.of(plan).stream()
                .map(each -> each.judged(new Figures(List.of(runs), failures)))
                .filter(finding -> finding.claim().contains(claim))
                .findFirst()
                .orElseThrow();
    }

    private static Verdict c3p0AgainstUnpooled(double rate) {
        return finding(
                        "with c3p0",
                        5_000,
                        run(BrokerStore.POSTGRES_C3P0, 5_000, rate, 4, 0),
                        run(BrokerStore.POSTGRES_UNPOOLED, 5_000, 100, 4, 0))
                .verdict();
    }

    @Test
    void threeQuartersOfTheClaimReproduceIt() {
        assertThat(c3p0AgainstUnpooled(244)).isEqualTo(Verdict.REPRODUCED);
        assertThat(c3p0AgainstUnpooled(243)).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void fewMessagesJudgeNoRate() {
        Finding finding = finding(
                "with c3p0",
                4_999,
                run(BrokerStore.POSTGRES_C3P0, 4_999, 300, 4, 0),
                run(BrokerStore.POSTGRES_UNPOOLED, 4_999, 100, 4, 0));

        assertThat(finding.verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding.ratio()).isEqualTo(3);
        assertThat(finding.published()).isEqualTo("277.25 / 94.98 messages/s = 2.92");
        assertThat(finding.why()).startsWith("4999 messages are too few");
    }

    private static Verdict wrapped(int rounds, double rate, Failure... failures) {
        return wrapped(20_000, rounds, rate, failures);
    }

    private static Verdict wrapped(int messages, int rounds, double rate, Failure... failures) {
        return finding("postgres-c3p0-flexpool moves", messages, 100, List.of(failures), pairs(messages, rounds, rate))
                .verdict();
    }

    private static Run[] pairs(int messages, int rounds, double rate) {
        return IntStream.range(0, rounds)
                .boxed()
                .flatMap(round -> Stream.of(
                        run(BrokerStore.POSTGRES_C3P0, round, messages, 100, 4, 0),
                        run(BrokerStore.POSTGRES_C3P0_FLEXPOOL, round, messages, rate, 4, 0)))
                .toArray(Run[]::new);
    }

    @Test
    void aRunAgainOfThePayloadThatWasMissedJudgesNothing() {
        Finding finding =
                finding("postgres-c3p0-flexpool moves", Set.of(K), 20_000, 100, List.of(), pairs(20_000, 3, 101));

        assertThat(finding.verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding.why()).contains("a run again is of all of them");
    }

    @Test
    void aWrappedPoolMayLoseThreePercent() {
        assertThat(wrapped(3, 97.1)).isEqualTo(Verdict.GOAL_MET);
        assertThat(wrapped(3, 96.9)).isEqualTo(Verdict.GOAL_MISSED);
    }

    @Test
    void twoRoundsOrAFailedJvmJudgeNoWrappedPool() {
        assertThat(wrapped(2, 99)).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(wrapped(19_999, 3, 90)).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(wrapped(3, 99, new Failure("postgres-c3p0-flexpool", "FAILED")))
                .isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(wrapped(3, 99, new Failure("kahadb", "FAILED"))).isEqualTo(Verdict.GOAL_MET);
    }

    @Test
    void aClaimOfStoresThatWereLeftOutIsNotForgotten() {
        Finding finding = finding("KahaDB delivers", 5_000, run(BrokerStore.KAHADB, 5_000, 100, 0, 0));

        assertThat(finding.verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding.why())
                .isEqualTo("this run did not measure both kahadb and postgres-c3p0 with 1k in the same round");
        assertThat(finding("postgres-hikaricp-flexpool moves", 5_000).verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("lost or doubled", 5_000).verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
    }

    @Test
    void connectionsOneAtATimeNeedOneMessageAtATime() {
        Run three = run(BrokerStore.POSTGRES_C3P0, 5_000, 100, 4, 0);

        assertThat(finding("one at a time", 5_000, 2, List.of(), three).verdict())
                .isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("one at a time", 5_000, 1, List.of(), three).verdict())
                .isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void aJvmThatFailedMayHaveLostMessages() {
        Run whole = run(BrokerStore.KAHADB, 10, 100, 0, 0);
        Run less = run(BrokerStore.KAHADB, 10, 100, 0, 1);
        List<Failure> failures = List.of(new Failure("kahadb", "FAILED"));

        assertThat(finding("lost or doubled", 10, 100, failures, whole).verdict())
                .isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("lost or doubled", 10, 100, failures, less).verdict())
                .isEqualTo(Verdict.GOAL_MISSED);
    }

    @Test
    void theMovingAverageIsOfTheLastTenBatches() {
        List<Double> seconds = new ArrayList<>(List.of(11.0));
        seconds.addAll(Collections.nCopies(10, 1.0));
        Run run = run(BrokerStore.KAHADB, 0, 110, 21, 10, seconds, 0, null);

        assertThat(Chain.averagePoints(run))
                .hasSize(11)
                .startsWith(new Graph.Point(10, 10 / 11.0), new Graph.Point(20, 20 / 12.0))
                .endsWith(new Graph.Point(100, 100 / 20.0), new Graph.Point(110, 10));
    }

    @Test
    void oneStoreThatTakesMoreConnectionsRefutesExactlyFour() {
        Run four = run(BrokerStore.POSTGRES_C3P0, 5_000, 100, 4, 0);

        assertThat(finding("exactly 4", 5_000, four).verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(finding("exactly 4", 5_000, four, run(BrokerStore.POSTGRES_HIKARICP, 5_000, 100, 4.02, 0))
                        .verdict())
                .isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void aLostMessageMissesTheGoalHoweverFewThereWere() {
        assertThat(finding("lost or doubled", 10, run(BrokerStore.KAHADB, 10, 100, 0, 0))
                        .verdict())
                .isEqualTo(Verdict.GOAL_MET);
        assertThat(finding("lost or doubled", 10, run(BrokerStore.KAHADB, 10, 100, 0, 1))
                        .verdict())
                .isEqualTo(Verdict.GOAL_MISSED);
    }
}
