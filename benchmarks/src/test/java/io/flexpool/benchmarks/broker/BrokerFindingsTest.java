// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.messaging.Disk;
import io.flexpool.benchmarks.messaging.MeteredDataSource.Reading;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.EnumSet;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class BrokerFindingsTest {
    private static final int K = BrokerStore.SMALL_PAYLOAD;

    private static ChainRun run(BrokerStore store, int messages, double rate, double perMessage, long lost) {
        Reading asked = store.usesDatabase() ? new Reading((long) (perMessage * messages), 2.5, 2, 5, 10, 3) : null;
        return new ChainRun(
                store.toString(), K, 0, messages, messages / rate, 1, List.of(), lost, 0, 0, asked, asked, disk());
    }

    private static Disk disk() {
        return new Disk("ext4", 1);
    }

    private static Finding finding(String claim, int messages, ChainRun... runs) {
        BrokerPlan plan =
                new BrokerPlan(EnumSet.allOf(BrokerStore.class), new TreeSet<>(List.of(K)), messages, 1, 100, 1, false);
        return new BrokerFindings(plan, List.of(runs))
                .all().stream()
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
    void aPoolThatIsWorthThreeQuartersOfWhatWasPublishedReproducesTheClaim() {
        assertThat(c3p0AgainstUnpooled(220)).isEqualTo(Verdict.REPRODUCED);
        assertThat(c3p0AgainstUnpooled(218)).isEqualTo(Verdict.NOT_REPRODUCED);
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

    @Test
    void aWrappedPoolMayLoseThreePercent() {
        ChainRun bare = run(BrokerStore.POSTGRES_C3P0, 5_000, 100, 4, 0);

        assertThat(finding("flexpool moves", 5_000, bare, run(BrokerStore.POSTGRES_C3P0_FLEXPOOL, 5_000, 97.1, 4, 0))
                        .verdict())
                .isEqualTo(Verdict.GOAL_MET);
        assertThat(finding("flexpool moves", 5_000, bare, run(BrokerStore.POSTGRES_C3P0_FLEXPOOL, 5_000, 96.9, 4, 0))
                        .verdict())
                .isEqualTo(Verdict.GOAL_MISSED);
    }

    @Test
    void oneStoreThatTakesMoreConnectionsRefutesExactlyFour() {
        ChainRun four = run(BrokerStore.POSTGRES_C3P0, 5_000, 100, 4, 0);

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
