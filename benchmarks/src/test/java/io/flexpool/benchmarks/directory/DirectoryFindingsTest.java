// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.directory.DirectoryRow.Phase;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DirectoryFindingsTest {
    private static final DirectoryLoad LOAD = new DirectoryLoad(4, 100, 3000, 100, 1000, 3);
    private static final Sizes SIZES = new Sizes(32, 64, 250, 750, 50);

    private final List<DirectoryRow> rows = new ArrayList<>();

    @Test
    void onlyC3p0FailsWhereItMayGrow() {
        all(Variant.BARE, 40, 40, 40);
        all(Variant.BARE_GROWING, 70, 0, 0);
        all(Variant.BARE_SAME_DEADLINE, 0, 0, 0);

        Finding finding = finding("c3p0 fails in bursts");

        assertThat(finding.verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(finding.why())
                .contains("It takes from the base to the ceiling by itself, with the timeout: there c3p0 loses")
                .contains("32 to 64 connections and 250 ms: c3p0 70 (most 70), hikaricp 0 (most 0)");
        assertThat(finding.published()).contains("about 70");
    }

    @Test
    void wherePoolsFailAlikeTheClaimIsNotReproduced() {
        all(Variant.BARE, 40, 40, 40);
        all(Variant.BARE_GROWING, 70, 1, 0);

        assertThat(finding("c3p0 fails in bursts").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void aClaimAboutThreePoolsIsNotJudgedByTwo() {
        rows.add(row(DirectoryPool.C3P0, Variant.BARE, 70, 400, 1));
        rows.add(row(DirectoryPool.TOMCAT, Variant.BARE, 0, 400, 1));

        Finding finding = finding("c3p0 fails in bursts");

        assertThat(finding.verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding.why()).contains("all three pools bare");
        assertThat(finding("Tomcat JDBC needs fewer").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
    }

    @Test
    void aBusyMachineJudgesNoDifference() {
        rows.add(row(DirectoryPool.TOMCAT, Variant.BARE, 0, 400, 1));
        rows.add(row(DirectoryPool.TOMCAT, Variant.WRAPPED, 0, 300, 26));

        Finding finding = finding("Wrapped, tomcat serves");

        assertThat(finding.verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding.why()).contains("26 ms late");
        assertThat(finding("No request fails").verdict()).isEqualTo(Verdict.GOAL_MET);
    }

    @Test
    void wrappedMustServeAlmostWhatBareServes() {
        rows.add(row(DirectoryPool.C3P0, Variant.BARE, 0, 400, 1));
        rows.add(row(DirectoryPool.C3P0, Variant.WRAPPED, 0, 388, 1));
        rows.add(row(DirectoryPool.TOMCAT, Variant.BARE, 0, 400, 1));
        rows.add(row(DirectoryPool.TOMCAT, Variant.WRAPPED, 1, 387, 1));

        assertThat(finding("Wrapped, c3p0 serves").verdict()).isEqualTo(Verdict.GOAL_MET);
        assertThat(finding("Wrapped, c3p0 serves").ratio()).isEqualTo(0.97);
        assertThat(finding("Wrapped, tomcat serves").verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("No request fails in any burst: c3p0").verdict()).isEqualTo(Verdict.GOAL_MET);
        assertThat(finding("No request fails in any burst: tomcat").verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("No request fails in any burst: tomcat").measured())
                .isEqualTo("3 failures of 2,800 requests");
    }

    @Test
    void whatFlexpoolChangesIsComparedWithPatienceAndWithConnections() {
        rows.add(row(DirectoryPool.HIKARICP, Variant.WRAPPED, 0, 400, 1));
        assertThat(new DirectoryFindings(LOAD, SIZES, rows).all())
                .noneMatch(finding -> finding.claim().contains("drains bursts"));

        rows.add(row(DirectoryPool.HIKARICP, Variant.BARE_SAME_DEADLINE, 0, 400, 1));
        rows.add(row(DirectoryPool.HIKARICP, Variant.BARE_CEILING, 0, 400, 1));

        // Each variant's worst latency and mean connections are told by its place among the variants.
        Finding finding = finding("Wrapped, hikaricp drains bursts");
        assertThat(finding.verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding.ratio()).isEqualTo(4.0 / 2);
        assertThat(finding.why())
                .contains("same deadline: worst 200 ms, 20.0 connections")
                .contains("ceiling: worst 300 ms, 30.0 connections");
    }

    private void all(Variant variant, int c3p0, int hikaricp, int tomcat) {
        rows.add(row(DirectoryPool.C3P0, variant, c3p0, 400, 1));
        rows.add(row(DirectoryPool.HIKARICP, variant, hikaricp, 400, 1));
        rows.add(row(DirectoryPool.TOMCAT, variant, tomcat, 400, 1));
    }

    private Finding finding(String claim) {
        return new DirectoryFindings(LOAD, SIZES, rows)
                .all().stream()
                        .filter(finding -> finding.claim().startsWith(claim))
                        .findFirst()
                        .orElseThrow();
    }

    private static DirectoryRow row(
            DirectoryPool pool, Variant variant, int failuresPerBurst, double perSecond, double lateMs) {
        Phase steady = new Phase(1200, 0, perSecond, 55, 54, 70, 90, 1, 2, 50, 0.5, 2);
        Phase inBursts = new Phase(1600, 3 * failuresPerBurst, 500, 90, 80, 200, 300, 30, 2, 50, 0.5, 8);
        double place = List.of(Variant.values()).indexOf(variant);
        return new DirectoryRow(
                pool,
                variant,
                steady,
                inBursts,
                List.of(failuresPerBurst, failuresPerBurst, failuresPerBurst),
                List.of(place * 100, place * 100, place * 100),
                place * 10,
                64,
                0,
                lateMs,
                null,
                null);
    }
}
