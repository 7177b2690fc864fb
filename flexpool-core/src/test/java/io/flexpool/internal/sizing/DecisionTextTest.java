// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.Decision.Cause;
import io.flexpool.diagnostics.Decision.Verdict;
import io.flexpool.internal.sizing.Evidence.Trial;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DecisionTextTest {
    private static final double UNKNOWN = Double.NaN;
    private static final Trial TRIAL = new Trial(200, 232, 0.06, UNKNOWN, UNKNOWN, 1);
    private static final Evidence EVIDENCE = evidence(TRIAL, UNKNOWN, false);

    private static Evidence evidence(Trial trial, double expectedWait, boolean ceilingAssumed) {
        return new Evidence(
                250.4,
                0.043,
                UNKNOWN,
                0.020,
                0.12,
                UNKNOWN,
                UNKNOWN,
                3,
                0,
                ceilingAssumed,
                expectedWait,
                UNKNOWN,
                trial);
    }

    private static String explain(int from, int to, int tried, Cause cause, Verdict verdict) {
        return new DecisionText(from, to, tried, cause, verdict, EVIDENCE).toString();
    }

    @Test
    void aStepSaysWhyItIsTried() {
        assertThat(explain(5, 10, 10, Cause.DEMAND, Verdict.PENDING))
                .isEqualTo(
                        "limit 5 → 10, tried: 250 requests/s with leases of 20 ms (at low load) need more connections for the target"
                                + " wait");
        assertThat(explain(5, 10, 10, Cause.DATABASE_SLOW, Verdict.PENDING))
                .contains("leases last 43 ms instead of 20 ms");
        assertThat(explain(5, 10, 10, Cause.OCCUPIED, Verdict.PENDING)).contains("3 long leases occupy");
        assertThat(explain(5, 7, 7, Cause.QUEUE, Verdict.PENDING)).contains("the oldest for 120 ms");
        assertThat(explain(7, 5, 5, Cause.CONTENTION, Verdict.PENDING)).contains("fewer connections complete more");
    }

    @Test
    void anOutcomeSaysWhatWasMeasured() {
        assertThat(explain(10, 10, 10, Cause.DEMAND, Verdict.PROVEN))
                .isEqualTo("limit 10 kept: completions 200/s before, 232/s with limit 10 (+16 % ± 7 %)");
        assertThat(explain(10, 10, 10, Cause.DEMAND, Verdict.SERVED)).contains("no request waits now");
        assertThat(explain(10, 5, 10, Cause.DEMAND, Verdict.REVERTED))
                .startsWith("limit 10 → 5, reverted: ")
                .endsWith("no significant gain");
        assertThat(explain(10, 5, 10, Cause.CONNECT_FAILURE, Verdict.ABANDONED))
                .isEqualTo("limit 10 → 5, reverted, effect unknown: the database refuses connections, nothing grows");
        assertThat(explain(10, 5, 10, Cause.OVERRULED, Verdict.ABANDONED)).contains("changed externally");
    }

    @Test
    void whatIsNotTriedSaysSo() {
        assertThat(explain(8, 7, 7, Cause.CALM, Verdict.NONE))
                .isEqualTo("limit 8 → 7: low load, fewer connections are enough");
        assertThat(explain(4, 5, 5, Cause.CALM, Verdict.NONE)).isEqualTo("limit 4 → 5: low load, back to the base");
        assertThat(explain(5, 5, 5, Cause.CALM, Verdict.NONE))
                .isEqualTo("limit 5 stays: no request has timed out for 5 s");
        assertThat(explain(5, 5, 5, Cause.KNEE, Verdict.NONE))
                .startsWith("limit 5 stays: ")
                .contains("within the last minute");
    }

    /** What was decided on: the age of open leases was reported as the mean of those that ended. */
    @Test
    void theFigureThatWasLookedAtIsNamed() {
        assertThat(text(5, 10, 10, Cause.DATABASE_SLOW, Verdict.PENDING, evidence(-1, 0, 0))
                        .toString())
                .contains("open leases have lasted 74 ms (ended leases: 43 ms) instead of 20 ms at low load")
                .endsWith("; the trial shows whether more connections help");
        assertThat(text(7, 5, 7, Cause.DATABASE_SLOW, Verdict.ABANDONED, evidence(-1, 0, 0))
                        .toString())
                .contains("the step alone does not explain this")
                .doesNotContain("trying");
        assertThat(text(5, 7, 7, Cause.QUEUE, Verdict.PENDING, evidence(-1, 12, 0))
                        .toString())
                .contains("12 requests/s fail");
    }

    @Test
    void anOutcomeSaysWhatWasRequired() {
        assertThat(text(10, 10, 10, Cause.DEMAND, Verdict.PROVEN, evidence(Math.log(1.09), 0, 0))
                        .toString())
                .isEqualTo("limit 10 kept: completions 200/s before, 232/s with limit 10 (+16 % ± 7 %; required"
                        + " +9 %)");
        Evidence few = evidence(new Trial(3, 2, 0.6, 0.05, 12, 1), UNKNOWN, false);
        assertThat(text(10, 5, 10, Cause.QUEUE, Verdict.REVERTED, few).toString())
                .isEqualTo("limit 10 → 5, reverted: only 12 leases ended, 30 are required to judge");
    }

    @Test
    void afterAStallAllThatEndsIsGain() {
        Evidence stalled = evidence(new Trial(0, 38, 0.7, 0.05, 40, 1), UNKNOWN, false);
        assertThat(text(9, 9, 9, Cause.OCCUPIED, Verdict.PROVEN, stalled).toString())
                .isEqualTo("limit 9 kept: completions 0/s before, 38/s with limit 9");
    }

    /** A rate that falls because no request waits any longer was reported as if it spoke for the step. */
    @Test
    void aKeptStepMentionsNoFallingRate() {
        Evidence fallen = evidence(new Trial(253, 218, 0.1, 0.08, 200, 1), UNKNOWN, false);
        assertThat(text(12, 12, 12, Cause.DEMAND, Verdict.SERVED, fallen).toString())
                .isEqualTo("limit 12 kept: no request waits now");
    }

    @Test
    void reachingTheCeilingIsSaid() {
        assertThat(text(30, 40, 40, Cause.QUEUE, Verdict.PENDING, evidence(-1, 0, 0))
                        .toString())
                .startsWith("limit 30 → 40 (the ceiling), tried: ");
        assertThat(text(40, 40, 40, Cause.CEILING, Verdict.NONE, evidence(-1, 0, 0))
                        .toString())
                .startsWith("limit 40 stays: ")
                .endsWith("and 40 is the ceiling");
    }

    @Test
    void silenceIsExplained() {
        assertThat(text(8, 8, 8, Cause.KNEE, Verdict.NONE, evidence(-1, 3, 11.5))
                        .toString())
                .endsWith("a recent trial did not help: completions 200/s before, 232/s with limit 8 (+16 % ± 7 %); the"
                        + " next trial is in 12 s");
        assertThat(text(8, 8, 11, Cause.KNEE, Verdict.NONE, evidence(-1, 3, 0)).toString())
                .endsWith(
                        "and the trial of 11 within the last minute did not help: completions 200/s before, 232/s with"
                                + " limit 11 (+16 % ± 7 %)");
        assertThat(text(8, 8, 8, Cause.QUEUE, Verdict.NONE, evidence(-1, 3, 0)).toString())
                .isEqualTo(
                        "limit 8 stays: 3 requests/s fail, the oldest waits 120 ms; the limit was reached for 20 % of the"
                                + " last second; a trial begins when waits increase");
        assertThat(text(8, 8, 8, Cause.OPENING, Verdict.NONE, evidence(-1, 3, 0))
                        .toString())
                .contains("connections up to the limit are still opening");
    }

    @Test
    void aReturnIsOneLine() {
        assertThat(text(13, 12, 5, Cause.CALM, Verdict.NONE, EVIDENCE).toString())
                .isEqualTo("limit 13 → 12: low load, fewer connections are enough, shrinking to 5");
    }

    @Test
    void aLoadThatIsTooMuchWaitsWithoutEnd() {
        Evidence endless = evidence(TRIAL, Double.POSITIVE_INFINITY, false);
        assertThat(text(5, 10, 10, Cause.DEMAND, Verdict.UNVERIFIED, endless).toString())
                .endsWith("if lease times do not change: unlimited, because the load is too high");
    }

    private static DecisionText text(int from, int to, int tried, Cause cause, Verdict verdict, Evidence evidence) {
        return new DecisionText(from, to, tried, cause, verdict, evidence);
    }

    private static Evidence evidence(double required, double failed, double hold) {
        double asked = required < 0 ? Double.NaN : required;
        Trial trial = new Trial(200, 232, 0.06, asked, 400, 1);
        return new Evidence(250.4, 0.043, 0.074, 0.020, 0.12, failed, 0.2, 3, 40, false, UNKNOWN, hold, trial);
    }

    @Test
    void aGainThatWasNotMeasuredIsNotNamed() {
        Evidence nothing = evidence(Trial.NONE, UNKNOWN, false);
        DecisionText served = new DecisionText(10, 10, 10, Cause.DEMAND, Verdict.SERVED, nothing);
        assertThat(served.toString()).contains("not enough completions");
        DecisionText reported =
                new DecisionText(5, 10, 10, Cause.DEMAND, Verdict.UNVERIFIED, evidence(Trial.NONE, 0.0042, true));
        assertThat(reported.toString())
                .contains("(unverified)", "4.2 ms", "four times the base")
                .doesNotContain("%");
    }

    @Test
    void openLeasesShowTheirAges() {
        LeaseAges open = LeaseAges.ofAges(10, 20, 4000);
        assertThat(open.count()).isEqualTo(3);
        assertThat(open.olderThan(20)).isEqualTo(1);
        assertThat(open.medianAgeNanos(4000)).isEqualTo(20);
        assertThat(open.medianAgeNanos(15)).isEqualTo(10);
        assertThat(LeaseAges.ofAges()).isSameAs(LeaseAges.NONE);
        assertThat(LeaseAges.NONE.medianAgeNanos(1)).isZero();
    }

    @Test
    void theMedianOfManyAgesIsTheMiddleOne() {
        long[] ages = new Random(1).longs(1001, 0, 500).toArray();
        long[] sorted = ages.clone();
        Arrays.sort(sorted);
        assertThat(LeaseAges.ofAges(ages).medianAgeNanos(500)).isEqualTo(sorted[500]);
    }
}
