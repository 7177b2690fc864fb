// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.internal.config.CircuitBreaker;
import io.flexpool.internal.config.FailFast;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.config.RetryAcquisition;
import io.flexpool.strategy.AcquisitionStrategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StrategiesTest {
    private static AcquisitionSituation situation(@Nullable Kind failure, int attempt, int waiting) {
        return situation(failure, attempt, waiting, 0);
    }

    private static AcquisitionSituation situation(
            @Nullable Kind failure, int attempt, int waiting, int connectFailures) {
        return new Asked(
                Duration.ZERO,
                Duration.ofSeconds(2),
                Duration.ofSeconds(1),
                attempt,
                failure,
                failure == null,
                waiting,
                connectFailures,
                Asked.state(waiting));
    }

    @Test
    void growthIsForAllThatWait() {
        GrowOnWait grow = GrowOnWait.upTo(20);
        assertThat(grow.consult(situation(null, 1, 7))).isEqualTo(Verdict.grow(7));
        assertThat(grow.consult(situation(Kind.EXHAUSTED, 1, 7))).isEqualTo(Verdict.grow(8));
    }

    @Test
    void withoutWaitersNothingGrows() {
        assertThat(GrowOnWait.upTo(20).consult(situation(null, 1, 0))).isEqualTo(Verdict.PASS);
    }

    @Test
    void aConnectFailureNeverGrows() {
        assertThat(GrowOnWait.upTo(20).consult(situation(Kind.CONNECT_FAILED, 1, 7)))
                .isEqualTo(Verdict.PASS);
        assertThat(GrowOnWait.upTo(20).consult(situation(Kind.OTHER, 1, 7))).isEqualTo(Verdict.PASS);
    }

    @Test
    void growthIsConsultedAfterATenthOfTheTimeoutButBeforeUsersNotice() {
        assertThat(GrowOnWait.upTo(20).requirements().consultAfter(Duration.ofSeconds(2)))
                .contains(Duration.ofMillis(200));
        assertThat(GrowOnWait.upTo(20).requirements().consultAfter(Duration.ofSeconds(30)))
                .contains(Duration.ofMillis(250));
        assertThat(GrowOnWait.upTo(20)
                        .withAfter(Duration.ofMillis(7))
                        .requirements()
                        .consultAfter(Duration.ofSeconds(3)))
                .contains(Duration.ofMillis(7));
    }

    @Test
    void eachSaysWhatItDoes() {
        assertThat(GrowOnWait.upTo(20).toString())
                .isEqualTo("grows to the ceiling when a request has waited longer than usual (20 to 250 ms),"
                        + " and shrinks gradually when the load falls");
        assertThat(GrowOnWait.upTo(20)
                        .withAfter(Duration.ofMillis(7))
                        .withKeep(Duration.ofSeconds(2))
                        .toString())
                .isEqualTo("grows to the ceiling when a request has waited 7 ms, and shrinks at once to the"
                        + " highest demand of the last 2000 ms");
        assertThat(RetryAcquisition.times(3, Duration.ofMillis(10), Duration.ofSeconds(5))
                        .toString())
                .isEqualTo(
                        "retries up to 3 times within 5000 ms; pauses after an attempt that ends early, at first up to 10 ms, then doubled");
        assertThat(RetryAcquisition.times(3, Duration.ofMillis(10), Duration.ofSeconds(5))
                        .withConnectFailures()
                        .toString())
                .endsWith("then doubled, also after connect failures");
        assertThat(FailFast.above(50).toString()).isEqualTo("rejects a request when 50 already wait");
        assertThat(CircuitBreaker.after(5, Duration.ofSeconds(3)).toString())
                .isEqualTo("opens for 3000 ms after 5 connect failures in a row; all requests are then rejected");
    }

    @Test
    void retriesEndWithTheAttempts() {
        RetryAcquisition retry = RetryAcquisition.times(3, Duration.ofMillis(10), Duration.ofSeconds(5));
        assertThat(retry.consult(situation(Kind.EXHAUSTED, 2, 0)).action()).isEqualTo(Verdict.Action.RETRY);
        assertThat(retry.consult(situation(Kind.EXHAUSTED, 3, 0))).isEqualTo(Verdict.PASS);
    }

    @Test
    void connectFailuresAreRetriedOnRequest() {
        RetryAcquisition retry = RetryAcquisition.times(3, Duration.ofMillis(10), Duration.ofSeconds(5));
        assertThat(retry.consult(situation(Kind.CONNECT_FAILED, 2, 0))).isEqualTo(Verdict.PASS);
        assertThat(retry.withConnectFailures()
                        .consult(situation(Kind.CONNECT_FAILED, 2, 0))
                        .action())
                .isEqualTo(Verdict.Action.RETRY);
    }

    @Test
    void otherSituationsAreNotRetried() {
        RetryAcquisition retry = RetryAcquisition.times(3, Duration.ofMillis(10), Duration.ofSeconds(5));
        assertThat(retry.consult(situation(Kind.OTHER, 1, 0))).isEqualTo(Verdict.PASS);
        assertThat(retry.consult(situation(null, 1, 5))).isEqualTo(Verdict.PASS);
    }

    @Test
    void aDelayBeyondTheDeadlineIsNoRetry() {
        RetryAcquisition late = RetryAcquisition.times(9, Duration.ofSeconds(30), Duration.ofSeconds(60));
        assertThat(late.consult(situation(Kind.EXHAUSTED, 1, 0))).isEqualTo(Verdict.PASS);
    }

    @Test
    void theBackoffDoublesAndHasJitter() {
        RetryAcquisition retry = RetryAcquisition.times(50, Duration.ofMillis(100), Duration.ofSeconds(5));
        for (int attempt = 1; attempt <= 4; attempt++) {
            long most = Duration.ofMillis(100).toNanos() << (attempt - 1);
            long least = Long.MAX_VALUE;
            long largest = 0;
            for (int round = 0; round < 300; round++) {
                Verdict verdict = retry.consult(situation(Kind.EXHAUSTED, attempt, 0));
                assertThat(verdict.action()).isEqualTo(Verdict.Action.RETRY);
                long delay = verdict.duration().toNanos();
                least = Math.min(least, delay);
                largest = Math.max(largest, delay);
            }
            assertThat(least).isBetween(most / 2, most * 6 / 10);
            assertThat(largest).isBetween(most * 9 / 10, most);
        }
    }
}
