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
                .contains("32 to 64 connections and 250 ms: c3p0 70 (70–70), hikaricp 0 (0–0)");
        assertThat(finding.published()).contains("about 70");
        assertThat(finding.ratio()).isEqualTo(1.0);
    }

    @Test
    void wherePoolsFailAlikeTheClaimIsNotReproduced() {
        all(Variant.BARE, 40, 40, 40);
        all(Variant.BARE_GROWING, 70, 1, 0);

        assertThat(finding("c3p0 fails in bursts").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void whatAnotherLosesOnceWhileItGrowsIsNextToNone() {
        all(Variant.BARE_GROWING, 70, 0, 0);
        DirectoryRow hikari = rows.get(1);
        rows.set(1, with(hikari, List.of(4, 0, 0), hikari.worstPerBurstMs(), 50, 64, 0));

        assertThat(finding("c3p0 fails in bursts").verdict()).isEqualTo(Verdict.REPRODUCED);

        rows.set(1, with(hikari, List.of(30, 0, 0), hikari.worstPerBurstMs(), 50, 64, 0));

        assertThat(finding("c3p0 fails in bursts").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void twoBurstsJudgeNothing() {
        all(Variant.BARE_GROWING, 70, 0, 0);
        rows.replaceAll(row -> with(row, row.failuresPerBurst().subList(0, 2), row.worstPerBurstMs(), 50, 64, 0));

        assertThat(finding("c3p0 fails in bursts").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("c3p0 fails in bursts").why()).startsWith("2 bursts are too few");
    }

    @Test
    void oneUnluckyBurstOfC3p0DoesNotReproduceTheClaim() {
        all(Variant.BARE_GROWING, 0, 0, 0);
        rows.set(0, with(rows.get(0), List.of(0, 1, 0), rows.get(0).worstPerBurstMs(), 50, 64, 0));

        assertThat(finding("c3p0 fails in bursts").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void aFailingDatabaseJudgesNoPool() {
        all(Variant.BARE_GROWING, 70, 0, 0);
        rows.set(0, with(rows.get(0), List.of(70, 70, 70), rows.get(0).worstPerBurstMs(), 50, 64, 1));

        assertThat(finding("c3p0 fails in bursts").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("c3p0 fails in bursts").why()).startsWith("1 requests failed for another reason");
    }

    @Test
    void fewerConnectionsAreFewerByAMarginAndBelowTheCap() {
        assertThat(connectionsNeeded(60, 64, 50, 60)).isEqualTo(Verdict.REPRODUCED);
        assertThat(connectionsNeeded(63, 64, 59, 60)).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(connectionsNeeded(64, 64, 50, 60)).isEqualTo(Verdict.CANNOT_BE_JUDGED);
    }

    private Verdict connectionsNeeded(int tomcatPeak, int c3p0Peak, double tomcatMean, double c3p0Mean) {
        rows.clear();
        all(Variant.BARE_GROWING, 0, 0, 0);
        DirectoryRow c3p0 = rows.get(0);
        rows.set(0, with(c3p0, List.of(0, 0, 0), c3p0.worstPerBurstMs(), c3p0Mean, c3p0Peak, 0));
        rows.set(2, with(rows.get(2), List.of(0, 0, 0), c3p0.worstPerBurstMs(), tomcatMean, tomcatPeak, 0));
        return finding("Tomcat JDBC needs fewer").verdict();
    }

    @Test
    void averagesAreAlikeOnlyIfTheyAreSoWithoutTheLog() {
        all(Variant.BARE, 0, 0, 0);
        assertThat(finding("In the average").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(finding("In the average").why()).contains("put there by this scenario");

        // 5 and 8 ms beside the log of 50: 5 % apart with it, 60 % without.
        rows.set(0, steady(rows.get(0), 58, 1));
        assertThat(finding("In the average").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);

        rows.set(0, steady(rows.get(0), 66, 1));
        assertThat(finding("In the average").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void aPoolThatRequestsWaitForIsTheBottleneck() {
        all(Variant.BARE, 0, 0, 0);
        // Among bursts they wait 30 of 90 ms.
        assertThat(finding("The pool is not the bottleneck").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("The pool is not the bottleneck").measured())
                .contains("steady: c3p0 1.8 %")
                .contains("among bursts: c3p0 33.3 %");

        rows.set(0, steady(rows.get(0), 60, 7));
        assertThat(finding("The pool is not the bottleneck").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void aClaimAboutThreePoolsIsNotJudgedByTwo() {
        rows.add(row(DirectoryPool.C3P0, Variant.BARE_GROWING, 70, 400, 1));
        rows.add(row(DirectoryPool.HIKARICP, Variant.BARE_GROWING, 0, 400, 1));

        Finding finding = finding("c3p0 fails in bursts");

        assertThat(finding.verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding.why()).contains("all three pools bare-growing");
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
    void patienceIsBeatenByServingWhatItLosesOrByEveryBurst() {
        assertThat(patience(0, 60, List.of(500.0, 520.0), List.of(400.0, 600.0)))
                .isEqualTo(Verdict.GOAL_MET);
        assertThat(patience(0, 1, List.of(300.0, 390.0), List.of(400.0, 600.0))).isEqualTo(Verdict.GOAL_MET);
        assertThat(patience(0, 1, List.of(300.0, 410.0), List.of(400.0, 600.0))).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(patience(0, 1, List.of(610.0, 700.0), List.of(400.0, 600.0))).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(patience(1, 60, List.of(300.0, 390.0), List.of(400.0, 600.0)))
                .isEqualTo(Verdict.GOAL_MISSED);
    }

    /** Of 1,600 requests, three times as many lost as given. */
    private Verdict patience(int lost, int lostByPatience, List<Double> worst, List<Double> worstOfPatience) {
        rows.clear();
        DirectoryRow wrapped = row(DirectoryPool.HIKARICP, Variant.WRAPPED, lost, 400, 1);
        DirectoryRow patient = row(DirectoryPool.HIKARICP, Variant.BARE_SAME_DEADLINE, lostByPatience, 400, 1);
        rows.add(with(wrapped, wrapped.failuresPerBurst(), worst, 40, 64, 0));
        rows.add(with(patient, patient.failuresPerBurst(), worstOfPatience, 32, 32, 0));
        return finding("Wrapped, hikaricp serves bursts that patience alone").verdict();
    }

    @Test
    void growthIsHeldForLessThanHalfOfTheTime() {
        // The pool at the ceiling holds 64, the base is 32.
        assertThat(held(48)).isEqualTo(Verdict.GOAL_MET);
        assertThat(held(48.1)).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(held(63.9)).isEqualTo(Verdict.GOAL_MISSED);
    }

    private Verdict held(double mean) {
        rows.clear();
        DirectoryRow wrapped = row(DirectoryPool.HIKARICP, Variant.WRAPPED, 0, 400, 1);
        DirectoryRow large = row(DirectoryPool.HIKARICP, Variant.BARE_CEILING, 0, 400, 1);
        rows.add(with(wrapped, wrapped.failuresPerBurst(), wrapped.worstPerBurstMs(), mean, 64, 0));
        rows.add(with(large, large.failuresPerBurst(), large.worstPerBurstMs(), 64, 64, 0));
        return finding("Wrapped, hikaricp holds at most half").verdict();
    }

    @Test
    void theLowerThroughputOfBothPhasesCounts() {
        rows.add(row(DirectoryPool.TOMCAT, Variant.BARE, 0, 400, 1));
        DirectoryRow wrapped = row(DirectoryPool.TOMCAT, Variant.WRAPPED, 0, 400, 1);
        Phase slow = new Phase(1600, 0, 480, 90, 80, 200, 300, 30, 2, 50, 0.5, 8);
        rows.add(new DirectoryRow(
                wrapped.pool(),
                wrapped.variant(),
                wrapped.steady(),
                slow,
                wrapped.failuresPerBurst(),
                wrapped.worstPerBurstMs(),
                40,
                64,
                0,
                1,
                null,
                null));

        assertThat(finding("Wrapped, tomcat serves at least").ratio()).isEqualTo(0.96);
        assertThat(finding("Wrapped, tomcat serves at least").verdict()).isEqualTo(Verdict.GOAL_MISSED);
    }

    private static DirectoryRow with(
            DirectoryRow row, List<Integer> failures, List<Double> worstMs, double mean, int peak, int broken) {
        return new DirectoryRow(
                row.pool(),
                row.variant(),
                row.steady(),
                row.inBursts(),
                failures,
                worstMs,
                mean,
                peak,
                broken,
                row.lateStartMs(),
                null,
                null);
    }

    private static DirectoryRow steady(DirectoryRow row, double meanMs, double waitMs) {
        return new DirectoryRow(
                row.pool(),
                row.variant(),
                new Phase(1200, 0, 400, meanMs, 54, 70, 90, waitMs, 2, 50, 0.5, 2),
                row.inBursts(),
                row.failuresPerBurst(),
                row.worstPerBurstMs(),
                row.meanConnections(),
                row.peakConnections(),
                0,
                row.lateStartMs(),
                null,
                null);
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
