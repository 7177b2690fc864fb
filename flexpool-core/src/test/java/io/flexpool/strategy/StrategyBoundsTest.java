// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.internal.config.CircuitBreaker;
import io.flexpool.internal.config.FailFast;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.config.RetryAcquisition;
import io.flexpool.strategy.AcquisitionStrategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy.Requirements;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The strategies at the very ends of their ranges. */
class StrategyBoundsTest {
    private static final Duration FINE = Duration.ofSeconds(1);
    private static final Duration MICRO = Duration.ofNanos(1_000);
    private static final Duration NANO = Duration.ofNanos(1);

    private static AcquisitionSituation exhausted(long remainingNanos, int attempt) {
        return asked(Duration.ofNanos(remainingNanos), attempt, Kind.EXHAUSTED, false, 0, 0);
    }

    private static AcquisitionSituation waiting(boolean queued, int ahead) {
        return asked(MICRO, 1, null, queued, ahead, 0);
    }

    private static AcquisitionSituation failed(Kind failure, int connectFailures) {
        return asked(MICRO, 1, failure, false, 0, connectFailures);
    }

    private static AcquisitionSituation asked(
            Duration remaining, int attempt, @Nullable Kind failure, boolean queued, int ahead, int connectFailures) {
        return new Asked(
                Duration.ZERO, remaining, MICRO, attempt, failure, queued, ahead, connectFailures, Asked.state(0));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 10_000})
    void ceilingBoundsAreAccepted(int ceiling) {
        assertThat(GrowOnWait.upTo(ceiling).requirements().ceiling()).hasValue(ceiling);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT10M"})
    void waitBeforeGrowthBoundsAreAccepted(Duration wait) {
        assertThat(GrowOnWait.upTo(9).withAfter(wait).requirements().consultAfter(FINE))
                .contains(wait);
    }

    @Test
    void settingsOfGrowthAreIndependent() {
        GrowOnWait grow = GrowOnWait.upTo(9);
        assertThat(List.of(
                        grow.withAfter(NANO).withKeep(FINE), grow.withKeep(FINE).withAfter(NANO)))
                .extracting(AcquisitionStrategy::requirements)
                .allSatisfy(required -> {
                    assertThat(required.ceiling()).hasValue(9);
                    assertThat(required.consultAfter(FINE)).contains(NANO);
                });
    }

    @Test
    void withoutAWaitOrATimeToKeepGrowthTheDefaultsHold() {
        Requirements required =
                GrowOnWait.upTo(9).withAfter(null).withKeep(null).requirements();
        assertThat(required.consultAfter(FINE)).contains(FINE.dividedBy(10));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 100})
    void attemptBoundsAreAccepted(int attempts) {
        RetryAcquisition retry = RetryAcquisition.times(attempts, Duration.ZERO, FINE);
        assertThat(retry.consult(exhausted(1, attempts - 1)).action()).isEqualTo(Verdict.Action.RETRY);
        assertThat(retry.consult(exhausted(1, attempts))).isEqualTo(Verdict.PASS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT1M"})
    void backoffBoundsAreAccepted(Duration backoff) {
        assertThat(RetryAcquisition.times(2, backoff, FINE))
                .hasToString(
                        "retries up to 2 times within 1000 ms; pauses after an attempt that ends early, at first up to "
                                + backoff.toMillis() + " ms, then doubled");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.000000001S", "PT1H"})
    void deadlineBoundsAreAccepted(Duration deadline) {
        assertThat(RetryAcquisition.times(2, FINE, deadline).requirements().deadline())
                .contains(deadline);
    }

    /** A backoff of 2 ns means a delay of 1 or 2 ns: with 1 ns left neither is shorter than the time that is left. */
    @Test
    void aDelayThatReachesTheDeadlineIsNoRetry() {
        RetryAcquisition retry = RetryAcquisition.times(9, Duration.ofNanos(2), FINE);
        for (int round = 0; round < 200; round++) {
            assertThat(retry.consult(exhausted(1, 1))).isEqualTo(Verdict.PASS);
        }
        assertThat(retry.consult(exhausted(0, 1))).isEqualTo(Verdict.PASS);
    }

    @Test
    void someDelaysAreHalfTheBackoff() {
        assertThat(delaysOfTwoNanos()).contains(Verdict.retry(NANO));
    }

    @Test
    void someDelaysAreTheWholeBackoff() {
        assertThat(delaysOfTwoNanos()).contains(Verdict.retry(Duration.ofNanos(2)));
    }

    private static Set<Verdict> delaysOfTwoNanos() {
        RetryAcquisition retry = RetryAcquisition.times(9, Duration.ofNanos(2), FINE);
        Set<Verdict> verdicts = new HashSet<>();
        for (int round = 0; round < 200; round++) {
            verdicts.add(retry.consult(exhausted(1_000, 1)));
        }
        return verdicts;
    }

    @Test
    void theBackoffDoublesTenTimesAtMost() {
        RetryAcquisition retry = RetryAcquisition.times(100, NANO, FINE);
        for (int attempt : new int[] {11, 12, 99}) {
            Verdict verdict = retry.consult(exhausted(FINE.toNanos(), attempt));
            assertThat(verdict.action()).isEqualTo(Verdict.Action.RETRY);
            assertThat(verdict.duration().toNanos()).isBetween(512L, 1_024L);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100_000})
    void queueBoundsAreKept(int pending) {
        FailFast failFast = FailFast.above(pending);
        assertThat(failFast.consult(waiting(true, pending - 1))).isEqualTo(Verdict.PASS);
        assertThat(failFast.consult(waiting(true, pending)).action()).isEqualTo(Verdict.Action.REJECT);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100_000})
    void onlyQueuedRequestsAreRejected(int pending) {
        FailFast failFast = FailFast.above(pending);
        assertThat(failFast.consult(waiting(false, pending))).isEqualTo(Verdict.PASS);
        assertThat(failFast.consult(failed(Kind.EXHAUSTED, 0))).isEqualTo(Verdict.PASS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100_000})
    void aQueuedRequestIsConsideredAtOnce(int pending) {
        FailFast failFast = FailFast.above(pending);
        assertThat(failFast.requirements().consultAfter(FINE)).contains(Duration.ZERO);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_000})
    void failureBoundsAreAccepted(int failures) {
        CircuitBreaker breaker = CircuitBreaker.after(failures, FINE);
        assertThat(breaker.consult(failed(Kind.CONNECT_FAILED, failures - 1))).isEqualTo(Verdict.PASS);
        assertThat(breaker.consult(failed(Kind.CONNECT_FAILED, failures))).isEqualTo(Verdict.openCircuit(FINE));
        assertThat(breaker.consult(failed(Kind.EXHAUSTED, failures))).isEqualTo(Verdict.PASS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.001S", "PT1H"})
    void openForBoundsAreAccepted(Duration openFor) {
        assertThat(CircuitBreaker.after(1, openFor).consult(failed(Kind.CONNECT_FAILED, 1)))
                .isEqualTo(Verdict.openCircuit(openFor));
    }

    @Test
    void aVerdictThatMakesNoSenseIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Verdict.grow(0)).withMessageContaining("connections = 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Verdict.retry(NANO.negated()))
                .withMessageContaining("must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Verdict.openCircuit(Duration.ZERO))
                .withMessageContaining("must be more than PT0S");
        assertThatIllegalArgumentException().isThrownBy(() -> Verdict.openCircuit(NANO.negated()));
        assertThat(Verdict.openCircuit(NANO).duration()).isEqualTo(NANO);
        assertThat(Verdict.reject("why").reason()).isEqualTo("why");
        assertThat(Verdict.grow(1).connections()).isOne();
        assertThat(Verdict.retry(Duration.ZERO).duration()).isZero();
    }

    @Test
    void aStrategyOfOneMethodRequiresNothing() {
        AcquisitionStrategy strategy = situation -> Verdict.PASS;
        assertThat(strategy.requirements().consultAfter(FINE)).isEmpty();
        assertThat(strategy.requirements().ceiling()).isEmpty();
        assertThat(strategy.requirements().deadline()).isEmpty();
    }
}
