// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.kit.Spread;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import io.flexpool.benchmarks.report.Graph;
import io.flexpool.benchmarks.report.ScenarioResult;
import io.flexpool.benchmarks.report.Table;
import io.flexpool.benchmarks.shootout.Assignment.Round;
import io.flexpool.benchmarks.shootout.Result.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShootOutFindingsTest {
    private static final Round ALONE = new Round(1, 1000, 0);
    private static final Round MANY = new Round(100, 1000, 0);
    private static final Round PRESSING = new Round(Setup.PRESSING_THREADS, 1000, Setup.PRESSING_HOLD_MS);

    private final Set<ShootOutPool> pools = EnumSet.noneOf(ShootOutPool.class);
    private final List<Result> results = new ArrayList<>();

    private ShootOutDatabase database = ShootOutDatabase.STUB;
    private List<Integer> threads = List.of(1, 100);
    private boolean quick;
    private int repeats = 1;
    private int processors = 32;

    private ShootOutFindingsTest measured(
            ShootOutPool pool, Variant variant, Round round, double ms, long errors, int peak) {
        return measured(0, pool, variant, round, ms, errors, peak);
    }

    private ShootOutFindingsTest measured(
            int repeat, ShootOutPool pool, Variant variant, Round round, double ms, long errors, int peak) {
        pools.add(pool);
        String error = errors == 0 ? null : "java.sql.SQLException: full";
        Heat heat = new Heat(round, ms, ms, round.cycles() - errors, errors, error, 10, peak, peak);
        results.add(new Result(pool, variant, repeat, round, Outcome.MEASURED, heat, ""));
        return this;
    }

    private ShootOutFindingsTest lost(ShootOutPool pool, Round round, Outcome outcome) {
        pools.add(pool);
        results.add(new Result(pool, Variant.BARE, 0, round, outcome, null, "for a reason"));
        return this;
    }

    private Standings standings() {
        Setup setup = new Setup(
                pools,
                EnumSet.of(Variant.BARE, Variant.FLEXPOOL),
                database,
                threads,
                1000,
                repeats,
                Duration.ofSeconds(9),
                1,
                quick);
        return new Standings(setup, results);
    }

    private Finding finding(String claim) {
        return findings(claim).findFirst().orElseThrow();
    }

    private Stream<Finding> findings(String claim) {
        return new ShootOutFindings(standings(), processors)
                .all().stream().filter(any -> any.claim().contains(claim));
    }

    private Table table(String title) {
        return new ShootOutTables(standings())
                .tables().stream()
                        .filter(any -> any.title().startsWith(title))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void errorsOfProxoolReproduceTheClaim() {
        measured(ShootOutPool.PROXOOL, Variant.BARE, ALONE, 9, 0, 1);
        measured(ShootOutPool.PROXOOL, Variant.BARE, MANY, 9, 0, 50);
        measured(ShootOutPool.PROXOOL, Variant.BARE, PRESSING, 9, 300, 50);
        measured(ShootOutPool.PROXOOL, Variant.FLEXPOOL, PRESSING, 9, 0, 50);
        measured(ShootOutPool.TOMCAT_JDBC, Variant.BARE, PRESSING, 9, 0, 50);

        Finding finding = finding("Proxool");

        assertThat(finding.verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(finding.measured())
                .isEqualTo("0 errors in the published loop, 300 where connections are held for 10 ms");
        assertThat(finding.why())
                .contains("100 threads: 0 of 1000 cycles (0.00 %)")
                .contains("100 threads that hold for 10 ms: 300 of 1000 cycles (30.00 %)")
                .contains("the first: java.sql.SQLException: full")
                .contains("within flexpool, which lets them wait: 0")
                .contains("other bare pools: none");
    }

    @Test
    void errorsOfProxoolMustComeInEveryRepeat() {
        repeats = 2;
        threads = List.of(2, 100);
        Round few = new Round(2, 1000, 0);
        measured(0, ShootOutPool.PROXOOL, Variant.BARE, PRESSING, 9, 0, 50);
        measured(0, ShootOutPool.PROXOOL, Variant.BARE, few, 9, 500, 50);
        assertThat(finding("Proxool").verdict()).as("with 2 threads").isEqualTo(Verdict.CANNOT_BE_JUDGED);

        measured(0, ShootOutPool.PROXOOL, Variant.BARE, MANY, 9, 500, 50);
        assertThat(finding("Proxool").verdict()).as("every repeat").isEqualTo(Verdict.REPRODUCED);
        assertThat(finding("Proxool").measured()).startsWith("1000 errors in the published loop, 0 where");
        measured(1, ShootOutPool.PROXOOL, Variant.BARE, MANY, 9, 0, 50);
        assertThat(finding("Proxool").verdict()).as("one repeat of two").isEqualTo(Verdict.CANNOT_BE_JUDGED);
    }

    @Test
    void aSingleErrorIsAMishap() {
        measured(ShootOutPool.PROXOOL, Variant.BARE, new Round(100, 10_000, 0), 9, 1, 50);
        measured(ShootOutPool.PROXOOL, Variant.BARE, PRESSING, 9, 0, 50);

        assertThat(finding("Proxool").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("Proxool").why()).startsWith("so few errors");
    }

    @Test
    void theGoalIsMetOnlyByAWholeRun() {
        measured(ShootOutPool.VIBUR, Variant.FLEXPOOL, ALONE, 9, 0, 10);
        measured(ShootOutPool.VIBUR, Variant.FLEXPOOL, MANY, 9, 0, 50);
        assertThat(finding("No cycle fails").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("No cycle fails").why())
                .startsWith("as far as it came, nothing failed; the run was interrupted: 1 of 3 heats are missing");

        measured(ShootOutPool.VIBUR, Variant.FLEXPOOL, PRESSING, 9, 0, 50);
        assertThat(finding("No cycle fails").verdict()).isEqualTo(Verdict.GOAL_MET);
        assertThat(finding("No cycle fails").measured()).isEqualTo("0 of 3000 cycles failed, 0 heats without an end");
    }

    @Test
    void errorsOfProxoolAreJudgedUnderPressureOnly() {
        measured(ShootOutPool.PROXOOL, Variant.BARE, MANY, 9, 0, 2);
        assertThat(finding("Proxool").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("Proxool").why()).startsWith("the pool may never have been full; 100 threads: 0 of");

        measured(ShootOutPool.PROXOOL, Variant.BARE, PRESSING, 9, 0, 50);
        assertThat(finding("Proxool").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void anErrorWithinFlexpoolMissesTheGoal() {
        measured(ShootOutPool.VIBUR, Variant.FLEXPOOL, PRESSING, 9, 1, 50);

        assertThat(finding("No cycle fails").verdict()).isEqualTo(Verdict.GOAL_MISSED);
        assertThat(finding("No cycle fails").why()).contains("vibur; the first: java.sql.SQLException: full");
    }

    @Test
    void aPoolThatGoesToItsMaxForOneThreadIgnoresItsMin() {
        measured(ShootOutPool.C3P0, Variant.BARE, ALONE, 9, 0, 50);
        measured(ShootOutPool.BONECP, Variant.BARE, ALONE, 9, 0, 12);

        assertThat(finding("c3p0 ignores").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(finding("c3p0 ignores").measured()).isEqualTo("50 connections with one thread");
        assertThat(finding("c3p0 ignores").ratio()).isEqualTo(1);
        assertThat(finding("bonecp ignores").ratio()).isEqualTo(0.24);
        assertThat(finding("bonecp ignores").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(finding("bonecp ignores").why()).contains("above the min, but not to the max");
        assertThat(table("Physical").rows())
                .extracting(row -> row.get(5))
                .containsExactly("no, opens more", "", "no, opens more", "");
    }

    @Test
    void onlyAPoolThatWasFullCanShowThatItKeepsToItsMax() {
        measured(ShootOutPool.BONECP, Variant.BARE, PRESSING, 9, 0, 51);
        measured(ShootOutPool.C3P0, Variant.BARE, ALONE, 9, 0, 49);
        assertThat(finding("bonecp opens one").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(finding("c3p0 opens one").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("c3p0 opens one").why()).contains("it was never full");
        assertThat(finding("bonecp opens one").ratio()).isEqualTo(1);

        measured(ShootOutPool.C3P0, Variant.BARE, PRESSING, 9, 0, 50);
        assertThat(finding("c3p0 opens one").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    private void asPublished() {
        for (Published row : Published.values()) {
            measured(
                    row.pool(),
                    Variant.BARE,
                    ALONE,
                    row.ms(Published.Jdk.JDK7, 1).getAsInt() / 5.0,
                    0,
                    10);
            measured(
                    row.pool(),
                    Variant.BARE,
                    MANY,
                    1e9 / row.ms(Published.Jdk.JDK7, 100).getAsInt(),
                    0,
                    10);
        }
    }

    @Test
    void theOrderIsJudgedByItsCorrelation() {
        asPublished();
        measured(ShootOutPool.HIKARICP, Variant.BARE, ALONE, 1, 0, 10);

        assertThat(finding("order with 1 thread").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(finding("order with 1 thread").measured())
                .isEqualTo("druid < tomcat-jdbc < dbcp < jboss-datasource < boneCP < c3p0 < proxool");
        assertThat(finding("order with 1 thread").why())
                .contains("rank correlation 1.00 over 7 pools", "Measured ms: druid 62, dbcp14 185,");
        assertThat(finding("order with 100 threads").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(finding("order with 100 threads").why()).contains("rank correlation -1.00");
    }

    @Test
    void anOrderThatMayBeChanceIsNotJudged() {
        // 1 2 3 4 5 6 7 against 7 1 2 3 4 5 6: 1 - 6 * 42 / 336 = 0.25.
        List<Published> byTime = Stream.of(Published.values())
                .sorted(Comparator.comparingInt(
                        row -> row.ms(Published.Jdk.JDK7, 1).getAsInt()))
                .toList();
        for (int at = 0; at < byTime.size(); at++) {
            measured(byTime.get(at).pool(), Variant.BARE, ALONE, at == 0 ? 99 : at, 0, 10);
        }

        assertThat(finding("order with 1 thread").why())
                .startsWith("so much of the published order may be chance; rank correlation 0.25");
        assertThat(finding("order with 1 thread").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
    }

    @Test
    void noOrderIsJudgedOnFewProcessorsNorInTheQuickForm() {
        asPublished();
        processors = 2;
        assertThat(finding("order with 1 thread").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(finding("order with 100 threads").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("order with 100 threads").why()).startsWith("2 processors are too few for 100 threads");

        quick = true;
        assertThat(finding("order with 1 thread").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
        assertThat(finding("order with 1 thread").why()).startsWith("the quick form is too short");
    }

    @Test
    void publishedTimesAreComparedOnTheStubOnly() {
        asPublished();
        ScenarioResult stub = report();
        database = ShootOutDatabase.POSTGRES;
        ScenarioResult postgres = report();

        assertThat(findings("order")).isEmpty();
        assertThat(findings("ignores minPoolSize")).hasSize(2);
        assertThat(stub.tables()).extracting(Table::title).anyMatch(title -> title.contains("published"));
        assertThat(postgres.tables()).extracting(Table::title).noneMatch(title -> title.contains("published"));
        assertThat(stub.graphs()).extracting(Graph::title).anyMatch(title -> title.startsWith("Published"));
        assertThat(postgres.graphs())
                .isNotEmpty()
                .extracting(Graph::title)
                .noneMatch(title -> title.startsWith("Published"));
        assertThat(stub.title()).endsWith("on a stub driver");
        assertThat(postgres.title()).endsWith("on PostgreSQL");
    }

    private ScenarioResult report() {
        return new ShootOutReport(standings()).result(Instant.EPOCH, true);
    }

    @Test
    void theQuickFormSaysSo() {
        measured(ShootOutPool.DRUID, Variant.BARE, ALONE, 9, 0, 10);
        assertThat(report().notes()).noneMatch(note -> note.contains("quick form"));
        assertThat(report().command()).doesNotContain("--quick");

        quick = true;
        assertThat(report().notes().get(0)).contains("quick form");
        assertThat(report().options()).containsEntry("quick", "true");
        assertThat(report().command()).contains("--quick").doesNotContain("true");
    }

    @Test
    void fewPoolsHaveNoOrder() {
        measured(ShootOutPool.DRUID, Variant.BARE, ALONE, 9, 0, 10);

        assertThat(finding("order with 1 thread").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
    }

    @Test
    void hangsAndFailuresReplaceFigures() {
        measured(ShootOutPool.BONECP, Variant.BARE, ALONE, 9, 0, 10);
        lost(ShootOutPool.BONECP, MANY, Outcome.HUNG);
        lost(ShootOutPool.BONECP, PRESSING, Outcome.FAILED);

        assertThat(table("Total ms of 1,000 cycles").rows().get(0)).containsExactly("bonecp", "bare", "9", "hung");
        assertThat(table("Under pressure").rows().get(0))
                .containsExactly("bonecp", "bare", "failed", "failed", "failed", "failed");
        assertThat(table("Without figures").rows())
                .containsExactly(
                        List.of("bonecp", "bare", "100 threads", "1", "for a reason"),
                        List.of("bonecp", "bare", "100 threads that hold for 10 ms", "1", "for a reason"));
        assertThat(finding("bonecp opens one").why())
                .contains("did not come to its end with 100 threads, 100 threads that hold for 10 ms");
    }

    @Test
    void measuredStandsBesidePublishedAndWrappedOverBare() {
        measured(ShootOutPool.TOMCAT_JDBC, Variant.BARE, ALONE, 10, 0, 10);
        measured(ShootOutPool.TOMCAT_JDBC, Variant.FLEXPOOL, ALONE, 20, 0, 10);
        measured(ShootOutPool.TOMCAT_JDBC, Variant.BARE, MANY, 10, 500, 10);
        measured(ShootOutPool.TOMCAT_JDBC, Variant.FLEXPOOL, MANY, 10, 0, 10);

        assertThat(table("Total ms of a million").rows())
                .containsExactly(
                        List.of("tomcat-jdbc", "published, JDK 7", "400", "11,905"),
                        List.of("tomcat-jdbc", "published, JDK 6", "372", "12,545"),
                        List.of("tomcat-jdbc", "here, bare", "10,000", "10,000, errors"),
                        List.of("tomcat-jdbc", "here by published, JDK 7", "25.00", "0.84"));
        // Answered cycles: half of the bare pool's failed with 100 threads.
        assertThat(table("Answered cycles").rows()).containsExactly(List.of("tomcat-jdbc", "flexpool", "0.50", "2.00"));
        assertThat(table("Total ms of 1,000").rows().get(0))
                .containsExactly("tomcat-jdbc", "bare", "10", "10, errors: 500");
    }

    @Test
    void repeatsShowMedianAndRangeAndRatiosPerRepeat() {
        repeats = 3;
        double[] bare = {10, 30, 20};
        double[] wrapped = {20, 30, 25};
        for (int repeat = 0; repeat < repeats; repeat++) {
            measured(repeat, ShootOutPool.VIBUR, Variant.BARE, ALONE, bare[repeat], 0, 10);
            measured(repeat, ShootOutPool.VIBUR, Variant.FLEXPOOL, ALONE, wrapped[repeat], 0, 10);
        }

        assertThat(table("Total ms of 1,000").rows())
                .extracting(row -> row.get(2))
                .containsExactly("20 (10–30)", "25 (20–30)");
        // 10/20, 30/30 and 20/25, and not 20/25 of the medians.
        assertThat(table("Answered cycles").rows())
                .containsExactly(List.of("vibur", "flexpool", "0.80 (0.50–1.00)", ""));
        assertThat(Spread.of(DoubleStream.of(4, 1)).textAndRange(1)).isEqualTo("2.5 (1.0–4.0)");
    }
}
