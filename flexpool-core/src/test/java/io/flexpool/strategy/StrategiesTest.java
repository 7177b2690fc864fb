// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertThat(grow.consult(situation(null, 1, 7))).isEqualTo(new Verdict.Grow(7));
        assertThat(grow.consult(situation(Kind.EXHAUSTED, 1, 7))).isEqualTo(new Verdict.Grow(8));
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
                .isEqualTo("grows up to the ceiling for requests that have waited unusually long, at most 250 ms,"
                        + " and goes back to the base step by step after calm");
        assertThat(GrowOnWait.upTo(20)
                        .withAfter(Duration.ofMillis(7))
                        .withKeep(Duration.ofSeconds(2))
                        .toString())
                .isEqualTo("grows up to the ceiling for requests that have waited 7 ms, and goes back to the base"
                        + " at once after 2000 ms without need");
        assertThat(RetryAcquisition.times(3, Duration.ofMillis(10), Duration.ofSeconds(5))
                        .toString())
                .isEqualTo("tries up to 3 times within 5000 ms, with a pause of at most 10 ms that doubles");
        assertThat(RetryAcquisition.times(3, Duration.ofMillis(10), Duration.ofSeconds(5))
                        .withConnectFailures()
                        .toString())
                .endsWith("that doubles, also after connect failures");
        assertThat(FailFast.above(50).toString()).isEqualTo("turns a request away when 50 wait already");
        assertThat(CircuitBreaker.after(5, Duration.ofSeconds(3)).toString())
                .isEqualTo("turns all requests away for 3000 ms after 5 connect failures in a row");
    }

    @Test
    void retriesEndWithTheAttempts() {
        RetryAcquisition retry = RetryAcquisition.times(3, Duration.ofMillis(10), Duration.ofSeconds(5));
        assertThat(retry.consult(situation(Kind.EXHAUSTED, 2, 0))).isInstanceOf(Verdict.Retry.class);
        assertThat(retry.consult(situation(Kind.EXHAUSTED, 3, 0))).isEqualTo(Verdict.PASS);
    }

    @Test
    void connectFailuresAreRetriedOnRequest() {
        RetryAcquisition retry = RetryAcquisition.times(3, Duration.ofMillis(10), Duration.ofSeconds(5));
        assertThat(retry.consult(situation(Kind.CONNECT_FAILED, 2, 0))).isEqualTo(Verdict.PASS);
        assertThat(retry.withConnectFailures().consult(situation(Kind.CONNECT_FAILED, 2, 0)))
                .isInstanceOf(Verdict.Retry.class);
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
                assertThat(verdict).isInstanceOf(Verdict.Retry.class);
                long delay = ((Verdict.Retry) verdict).delay().toNanos();
                least = Math.min(least, delay);
                largest = Math.max(largest, delay);
            }
            assertThat(least).isBetween(most / 2, most * 6 / 10);
            assertThat(largest).isBetween(most * 9 / 10, most);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, 10_001})
    void aCeilingOutOfRangeIsRefusedByName(int ceiling) {
        assertThatThrownBy(() -> GrowOnWait.upTo(ceiling))
                .hasMessage("ceiling = " + ceiling + ": must be from 2 to 10000");
    }

    @Test
    void retriesOutOfRangeAreRefusedByName() {
        Duration fine = Duration.ofSeconds(1);
        assertThatThrownBy(() -> RetryAcquisition.times(1, fine, fine)).hasMessageContaining("retry.attempts = 1");
        assertThatThrownBy(() -> RetryAcquisition.times(2, fine.negated(), fine))
                .hasMessageContaining("retry.backoff = PT-1S");
        assertThatThrownBy(() -> RetryAcquisition.times(2, fine, Duration.ZERO))
                .hasMessageContaining("retry.deadline = PT0S");
    }
}
