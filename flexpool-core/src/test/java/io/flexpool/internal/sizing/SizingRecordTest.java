// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SizingRecordTest {
    private static final Evidence EVIDENCE =
            new Evidence(250.4, 0.043, 0.020, 200, 232, 0.06, 0.12, 3, Double.NaN, false);

    private static String explain(int from, int to, int tried, Cause cause, Verdict verdict) {
        return new SizingRecord(1, 0, from, to, tried, cause, verdict, EVIDENCE).explain();
    }

    @Test
    void aStepSaysWhyItIsTried() {
        assertThat(explain(5, 10, 10, Cause.DEMAND, Verdict.PENDING))
                .isEqualTo(
                        "limit 5 → 10, tried: 250 requests/s of 20 ms in calm need more connections for the wait aimed at");
        assertThat(explain(5, 10, 10, Cause.DATABASE_SLOW, Verdict.PENDING))
                .contains("leases last 43 ms instead of 20 ms");
        assertThat(explain(5, 10, 10, Cause.OCCUPIED, Verdict.PENDING)).contains("3 leases are out so long");
        assertThat(explain(5, 7, 7, Cause.QUEUE, Verdict.PENDING)).contains("the oldest for 120 ms");
        assertThat(explain(7, 5, 5, Cause.CONTENTION, Verdict.PENDING)).contains("fewer at once");
    }

    @Test
    void anOutcomeSaysWhatWasMeasured() {
        assertThat(explain(10, 10, 10, Cause.DEMAND, Verdict.PROVEN))
                .isEqualTo("limit 10 kept: completions 200/s before, 232/s with 10 (+16 % ± 7 %)");
        assertThat(explain(10, 10, 10, Cause.DEMAND, Verdict.SERVED)).contains("nobody waits any more");
        assertThat(explain(10, 5, 10, Cause.DEMAND, Verdict.REVERTED))
                .startsWith("limit back to 5 from 10")
                .endsWith("which does not bear it out");
        assertThat(explain(10, 5, 10, Cause.CONNECT_FAILURE, Verdict.ABANDONED))
                .isEqualTo("limit back to 5 from 10 unjudged: the database refuses connections, nothing grows");
        assertThat(explain(10, 5, 10, Cause.OVERRULED, Verdict.ABANDONED)).contains("somebody else");
    }

    @Test
    void whatIsNotTriedSaysSo() {
        assertThat(explain(8, 7, 7, Cause.CALM, Verdict.NONE)).isEqualTo("limit 8 → 7: calm, fewer are enough");
        assertThat(explain(4, 5, 5, Cause.CALM, Verdict.NONE)).isEqualTo("limit 4 → 5: calm, the base again");
        assertThat(explain(5, 5, 5, Cause.KNEE, Verdict.NONE))
                .startsWith("limit 5 stays: ")
                .contains("lately");
    }

    /** What was decided on: the age of open leases was told as the mean of those that ended. */
    @Test
    void theFigureThatWasLookedAtIsNamed() {
        assertThat(record(5, 10, 10, Cause.DATABASE_SLOW, Verdict.PENDING, evidence(-1, 0, 0))
                        .explain())
                .contains("leases last 74 ms by the age of those out (those that ended: 43 ms) instead of 20 ms")
                .endsWith("; whether it can do more at once is found out by trying");
        assertThat(record(7, 5, 7, Cause.DATABASE_SLOW, Verdict.ABANDONED, evidence(-1, 0, 0))
                        .explain())
                .contains("slower meanwhile")
                .doesNotContain("trying");
        assertThat(record(5, 7, 7, Cause.QUEUE, Verdict.PENDING, evidence(-1, 12, 0))
                        .explain())
                .contains("12 requests/s fail");
    }

    @Test
    void anOutcomeSaysWhatWasRequired() {
        assertThat(record(10, 10, 10, Cause.DEMAND, Verdict.PROVEN, evidence(Math.log(1.09), 0, 0))
                        .explain())
                .isEqualTo("limit 10 kept: completions 200/s before, 232/s with 10 (+16 % ± 7 %; required +9 %)");
        Evidence few = EVIDENCE.judged(3, 2, 0.6, 0.05, 12);
        assertThat(record(10, 5, 10, Cause.QUEUE, Verdict.REVERTED, few).explain())
                .isEqualTo("limit back to 5 from 10: only 12 leases ended, 30 are required to judge");
    }

    @Test
    void afterAStallAllThatEndsIsGain() {
        Evidence stalled = EVIDENCE.judged(0, 38, 0.7, 0.05, 40);
        assertThat(record(9, 9, 9, Cause.OCCUPIED, Verdict.PROVEN, stalled).explain())
                .isEqualTo("limit 9 kept: completions 0/s before, 38/s with 9");
    }

    /** A rate that falls because nobody waits any more was told as if it spoke for the step. */
    @Test
    void noFallingRateIsToldOfWhatIsKept() {
        Evidence fallen = EVIDENCE.judged(253, 218, 0.1, 0.08, 200);
        assertThat(record(12, 12, 12, Cause.DEMAND, Verdict.SERVED, fallen).explain())
                .isEqualTo("limit 12 kept: nobody waits any more");
    }

    @Test
    void reachingTheCeilingIsSaid() {
        assertThat(record(30, 40, 40, Cause.QUEUE, Verdict.PENDING, evidence(-1, 0, 0))
                        .explain())
                .startsWith("limit 30 → 40 (the ceiling), tried: ");
        assertThat(record(40, 40, 40, Cause.CEILING, Verdict.NONE, evidence(-1, 0, 0))
                        .explain())
                .startsWith("limit 40 stays: ")
                .endsWith("and 40 is the ceiling");
    }

    @Test
    void silenceIsExplained() {
        assertThat(record(8, 8, 8, Cause.KNEE, Verdict.NONE, evidence(-1, 3, 11.5))
                        .explain())
                .endsWith("did not help when tried lately; the next try is in 12 s");
        assertThat(record(8, 8, 8, Cause.QUEUE, Verdict.NONE, evidence(-1, 3, 0))
                        .explain())
                .isEqualTo(
                        "limit 8 stays: 3 requests/s fail, the oldest waits 120 ms, but the limit binds for only 20 %"
                                + " of the time: more would not help all of them");
        assertThat(record(8, 8, 8, Cause.OPENING, Verdict.NONE, evidence(-1, 3, 0))
                        .explain())
                .contains("not open yet");
    }

    @Test
    void aReturnIsOneLine() {
        assertThat(record(13, 12, 5, Cause.CALM, Verdict.NONE, EVIDENCE).explain())
                .isEqualTo("limit 13 → 12: calm, fewer are enough, on the way to 5");
    }

    @Test
    void aLoadThatIsTooMuchWaitsWithoutEnd() {
        Evidence endless = EVIDENCE.expecting(Double.POSITIVE_INFINITY, false);
        assertThat(record(5, 10, 10, Cause.DEMAND, Verdict.UNVERIFIED, endless).explain())
                .endsWith("if leases stay as they are: without end, the load is too much");
    }

    private static SizingRecord record(int from, int to, int tried, Cause cause, Verdict verdict, Evidence evidence) {
        return new SizingRecord(1, 0, from, to, tried, cause, verdict, evidence);
    }

    private static Evidence evidence(double required, double failed, double hold) {
        double asked = required < 0 ? Double.NaN : required;
        return new Evidence(
                250.4,
                0.043,
                0.020,
                200,
                232,
                0.06,
                0.12,
                3,
                Double.NaN,
                false,
                0.074,
                asked,
                400,
                failed,
                hold,
                0.2,
                40);
    }

    @Test
    void aGainThatWasNotMeasuredIsNotNamed() {
        Evidence nothing = EVIDENCE.rates(Double.NaN, Double.NaN, Double.NaN);
        SizingRecord served = new SizingRecord(1, 0, 10, 10, 10, Cause.DEMAND, Verdict.SERVED, nothing);
        assertThat(served.explain()).contains("not enough completions");
        SizingRecord reported =
                new SizingRecord(1, 0, 5, 10, 10, Cause.DEMAND, Verdict.UNVERIFIED, nothing.expecting(0.0042, true));
        assertThat(reported.explain())
                .contains("(unverified)", "4.2 ms", "four times the base")
                .doesNotContain("%");
    }

    @Test
    void settingsThatMakeNoSenseAreRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SizingSettings(0, Duration.ofMillis(10), 2))
                .withMessageContaining("min = 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SizingSettings(2, Duration.ZERO, 2))
                .withMessageContaining("wait-target");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SizingSettings(2, Duration.ofMillis(10), 1))
                .withMessageContaining("slow-ratio");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SizingSettings.DEFAULT.withInstances(0))
                .withMessageContaining("instances = 0");
        assertThat(SizingSettings.DEFAULT.instances()).isEqualTo(1);
        assertThat(SizingSettings.DEFAULT.withInstances(4).instances()).isEqualTo(4);
    }

    @Test
    void openLeasesTellTheirAges() {
        OpenLeases open = OpenLeases.ofAges(10, 20, 4000);
        assertThat(open.count()).isEqualTo(3);
        assertThat(open.olderThan(20)).isEqualTo(1);
        assertThat(open.medianAgeNanos(4000)).isEqualTo(20);
        assertThat(open.medianAgeNanos(15)).isEqualTo(10);
        assertThat(OpenLeases.ofAges()).isSameAs(OpenLeases.NONE);
        assertThat(OpenLeases.NONE.medianAgeNanos(1)).isZero();
    }

    @Test
    void theMedianOfManyAgesIsTheMiddleOne() {
        long[] ages = new Random(1).longs(1001, 0, 500).toArray();
        long[] sorted = ages.clone();
        Arrays.sort(sorted);
        assertThat(OpenLeases.ofAges(ages).medianAgeNanos(500)).isEqualTo(sorted[500]);
    }
}
