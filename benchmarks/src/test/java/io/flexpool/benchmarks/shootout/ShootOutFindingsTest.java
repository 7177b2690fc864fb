// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import io.flexpool.benchmarks.report.Table;
import io.flexpool.benchmarks.shootout.Assignment.Round;
import io.flexpool.benchmarks.shootout.Result.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ShootOutFindingsTest {
    private static final Round ALONE = new Round(1, 1000, 0);
    private static final Round MANY = new Round(100, 1000, 0);
    private static final Round PRESSING = new Round(Setup.PRESSING_THREADS, 1000, Setup.PRESSING_HOLD_MS);

    private final Set<ShootOutPool> pools = EnumSet.noneOf(ShootOutPool.class);
    private final List<Result> results = new ArrayList<>();

    private ShootOutFindingsTest measured(
            ShootOutPool pool, Variant variant, Round round, double ms, long errors, int peak) {
        pools.add(pool);
        String error = errors == 0 ? null : "java.sql.SQLException: full";
        Heat heat = new Heat(round, ms, ms, round.cycles() - errors, errors, error, 10, peak, peak);
        results.add(new Result(pool, variant, 0, round, Outcome.MEASURED, heat, ""));
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
                ShootOutDatabase.STUB,
                List.of(1, 100),
                1000,
                1,
                Duration.ofSeconds(9),
                1);
        return new Standings(setup, results);
    }

    private Finding finding(String claim) {
        return ShootOutFindings.of(standings()).stream()
                .filter(any -> any.claim().contains(claim))
                .findFirst()
                .orElseThrow();
    }

    private Table table(String title) {
        return new ShootOutTables(standings())
                .tables().stream()
                        .filter(any -> any.title().startsWith(title))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void errorsOfProxoolReproduceTheClaimAndAreComparedWithThoseOfOthersAndOfTheWrappedPool() {
        measured(ShootOutPool.PROXOOL, Variant.BARE, ALONE, 9, 0, 1);
        measured(ShootOutPool.PROXOOL, Variant.BARE, MANY, 9, 0, 50);
        measured(ShootOutPool.PROXOOL, Variant.BARE, PRESSING, 9, 300, 50);
        measured(ShootOutPool.PROXOOL, Variant.FLEXPOOL, PRESSING, 9, 0, 50);
        measured(ShootOutPool.DRUID, Variant.BARE, PRESSING, 9, 0, 50);

        Finding finding = finding("Proxool");

        assertThat(finding.verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(finding.measured()).isEqualTo("300 errors");
        assertThat(finding.why())
                .contains("100 threads: 0 of 1000 cycles (0.00 %)")
                .contains("100 threads that hold for 10 ms: 300 of 1000 cycles (30.00 %)")
                .contains("the first: java.sql.SQLException: full")
                .contains("within flexpool, which lets them wait: 0")
                .contains("other bare pools: none");
        assertThat(finding("No cycle fails").verdict()).isEqualTo(Verdict.GOAL_MET);
    }

    @Test
    void withoutErrorsUnderPressureTheClaimIsNotReproducedAndWithoutPressureNotJudged() {
        measured(ShootOutPool.PROXOOL, Variant.BARE, MANY, 9, 0, 2);
        assertThat(finding("Proxool").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);

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

        measured(ShootOutPool.C3P0, Variant.BARE, PRESSING, 9, 0, 50);
        assertThat(finding("c3p0 opens one").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
    }

    @Test
    void theOrderIsJudgedByItsCorrelation() {
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
        measured(ShootOutPool.HIKARICP, Variant.BARE, ALONE, 1, 0, 10);

        assertThat(finding("order with 1 thread").verdict()).isEqualTo(Verdict.REPRODUCED);
        assertThat(finding("order with 1 thread").measured())
                .isEqualTo("druid < tomcat-jdbc < dbcp < jboss-datasource < boneCP < c3p0 < proxool");
        assertThat(finding("order with 1 thread").why()).contains("rank correlation 1.00 over 7 pools");
        assertThat(finding("order with 100 threads").verdict()).isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(finding("order with 100 threads").why()).contains("rank correlation -1.00");
    }

    @Test
    void fewPoolsHaveNoOrder() {
        measured(ShootOutPool.DRUID, Variant.BARE, ALONE, 9, 0, 10);

        assertThat(finding("order with 1 thread").verdict()).isEqualTo(Verdict.CANNOT_BE_JUDGED);
    }

    @Test
    void whatHungOrFailedIsToldInPlaceOfFigures() {
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
                        List.of("tomcat-jdbc", "here, bare", "10,000", "10,000, errors"));
        // Answered cycles: half of the bare pool's failed with 100 threads.
        assertThat(table("Answered cycles").rows()).containsExactly(List.of("tomcat-jdbc", "flexpool", "0.50", "2.00"));
        assertThat(table("Total ms of 1,000").rows().get(0))
                .containsExactly("tomcat-jdbc", "bare", "10", "10, errors: 500");
    }
}
