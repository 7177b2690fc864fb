// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Decision.RefusedGrowth;
import io.flexpool.diagnostics.Decision.RefusedGrowth.Reason;
import io.flexpool.event.PoolEvent.CircuitPhase;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.config.PoolConfig.Consulted;
import io.flexpool.internal.context.RequestScope;
import io.flexpool.internal.failure.FailedAttempt;
import io.flexpool.internal.failure.FailedAttempt.Attempt;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.PoolMode;
import io.flexpool.strategy.AcquisitionStrategy;
import io.flexpool.strategy.AcquisitionStrategy.AcquisitionSituation;
import io.flexpool.strategy.AcquisitionStrategy.Verdict;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Which verdict counts, and what is carried out. */
class ConsultationTest {
    private final List<AcquisitionSituation> consulted = new ArrayList<>();

    private Verdict say(AcquisitionSituation situation, Verdict verdict) {
        consulted.add(situation);
        return verdict;
    }

    private static SlowParts parts(AcquisitionStrategy... strategies) {
        return new SlowParts(settings -> {
            settings.set(CoreKey.BASE, 1);
            settings.strategies.addAll(List.of(strategies));
        });
    }

    private static FailedAttempt failed(SlowParts of, Kind kind) {
        of.part.fake.kind = kind;
        return of.failures.inPool(new SQLException("mine"), Attempt.only(of.now()));
    }

    private static Verdict afterFailure(SlowParts of, Kind kind) {
        FailedAttempt failed = failed(of, kind);
        return of.consultation().consult(failed, null, null, failed.failedNanos());
    }

    @Test
    void theFirstThatCanBeCarriedOutCounts() {
        Verdict retry = Verdict.retry(Duration.ZERO);
        SlowParts of = parts(
                situation -> {
                    throw new IllegalStateException("strategy");
                },
                each -> say(each, Verdict.openCircuit(Duration.ofSeconds(1))),
                each -> say(each, Verdict.retry(Duration.ofDays(200_000))),
                each -> say(each, retry),
                each -> say(each, Verdict.reject("never reached")));
        assertThat(afterFailure(of, Kind.EXHAUSTED)).isSameAs(retry);
        assertThat(consulted).hasSize(3);
        assertThat(of.circuit.phase()).as("exhaustion opens no circuit").isEqualTo(CircuitPhase.CLOSED);
    }

    /** The caller got a NullPointerException instead of the pool's SQLException. */
    @Test
    @SuppressWarnings("NullAway") // the defect
    void nullCountsAsPass() {
        Verdict retry = Verdict.retry(Duration.ZERO);
        assertThat(afterFailure(parts(each -> null, each -> say(each, retry)), Kind.EXHAUSTED))
                .isSameAs(retry);
    }

    @Test
    void allSeeTheStateOfTheFailure() {
        SlowParts of = parts(each -> say(each, Verdict.PASS), each -> say(each, Verdict.PASS));
        FailedAttempt failed = failed(of, Kind.EXHAUSTED);
        of.consultation().consult(failed, null, null, failed.failedNanos());
        assertThat(consulted).hasSize(2).allSatisfy(each -> {
            assertThat(each.state()).isSameAs(failed.state());
            assertThat(each.failure()).isEqualTo(Kind.EXHAUSTED);
        });
    }

    @Test
    void aConnectFailureMayOpenTheCircuit() {
        SlowParts of = parts(
                each -> say(each, Verdict.openCircuit(Duration.ofDays(9))),
                each -> say(each, Verdict.retry(Duration.ZERO)));
        assertThat(afterFailure(of, Kind.CONNECT_FAILED)).isEqualTo(Verdict.PASS);
        assertThat(of.circuit.openForNanos(of.now()))
                .isEqualTo(Duration.ofDays(1).toNanos());
    }

    @Test
    void growthAfterAFailureIsARetry() {
        SlowParts of = parts(GrowOnWait.upTo(3));
        of.part.lease(1);
        assertThat(afterFailure(of, Kind.EXHAUSTED)).isEqualTo(Verdict.retry(Duration.ZERO));
        assertThat(of.part.gate().limit()).isEqualTo(2);
    }

    @Test
    void aRefusedGrowthIsCountedOncePerRequest() {
        SlowParts of = parts(GrowOnWait.upTo(3));
        of.part.lease(1);
        of.part.context.limits().set(1, 1);
        Consultation one = of.consultation();
        for (int at = 0; at < 3; at++) {
            FailedAttempt failed = failed(of, Kind.EXHAUSTED);
            assertThat(one.consult(failed, null, null, failed.failedNanos())).isEqualTo(Verdict.PASS);
        }
        assertThat(of.history.statistics(of.now()).total().counter(PoolMetric.REFUSED_GROWTHS))
                .isOne();
    }

    private static List<Reason> refused(SlowParts of) {
        return of.part.context.refusedGrowths().all().stream()
                .map(RefusedGrowth::reason)
                .toList();
    }

    @Test
    void aRefusedGrowthHasItsReason() {
        SlowParts of = parts(GrowOnWait.upTo(2));
        afterFailure(of, Kind.EXHAUSTED);
        assertThat(refused(of)).as("none is leased").isEmpty();
        of.part.lease(1);
        assertThat(afterFailure(of, Kind.EXHAUSTED).action()).isEqualTo(Verdict.Action.RETRY);
        afterFailure(of, Kind.EXHAUSTED);
        assertThat(refused(of)).containsExactly(Reason.CEILING);
    }

    /** Every cold start under load counted 25 refused growths, on which an alert looks. */
    @Test
    void aPoolThatOpensWhatItMayHaveRefusesNoGrowth() {
        SlowParts of = parts(GrowOnWait.upTo(5));
        of.part.context.limits().set(3, 5);
        of.part.gate().limit(3, of.now());
        of.part.lease(1);
        of.part.fake.max = 3;
        of.part.fake.total = 1;
        assertThat(afterFailure(of, Kind.EXHAUSTED)).isEqualTo(Verdict.PASS);
        assertThat(of.part.gate().limit()).isEqualTo(3);
        assertThat(refused(of)).isEmpty();
        assertThat(of.history.statistics(of.now()).total().counter(PoolMetric.REFUSED_GROWTHS))
                .isZero();
    }

    @Test
    void growthOfAStrategyWithoutACeilingIsRefusedForThat() {
        SlowParts of = new SlowParts(settings -> settings.strategies.add(situation -> Verdict.grow(1)));
        afterFailure(of, Kind.EXHAUSTED);
        assertThat(refused(of)).containsExactly(Reason.NO_CEILING);
    }

    @Test
    void whileOnlyWatchedGrowthIsRefusedForThat() {
        SlowParts of = parts(GrowOnWait.upTo(3));
        of.part.context.mode().switched(PoolMode.MONITOR);
        afterFailure(of, Kind.CONNECT_FAILED);
        assertThat(refused(of)).isEmpty();
        afterFailure(of, Kind.EXHAUSTED);
        assertThat(refused(of)).containsExactly(Reason.MONITOR);
    }

    @Test
    void onlyARequestThatWaitsIsTurnedAway() {
        Verdict reject = Verdict.reject("full");
        SlowParts of = parts(each -> say(each, reject));
        assertThat(afterFailure(of, Kind.OTHER)).isEqualTo(Verdict.PASS);
        assertThat(of.consultation().consult(null, null, null, of.now())).isSameAs(reject);
    }

    @Test
    void whileOnlyWatchedNoneIsConsulted() {
        SlowParts of = parts(each -> say(each, Verdict.retry(Duration.ZERO)));
        of.part.context.mode().switched(PoolMode.MONITOR);
        assertThat(of.consultation().possible()).isFalse();
        assertThat(afterFailure(of, Kind.EXHAUSTED)).isEqualTo(Verdict.PASS);
        assertThat(consulted).isEmpty();
    }

    @Nested
    class Schedule {
        private static final long MILLI = Duration.ofMillis(1).toNanos();
        /** Times wrap on the way. */
        private final long asked = nearTheEnd();

        private static Consulted after(long nanos) {
            return new Consulted(situation -> Verdict.PASS, nanos, nanos);
        }

        private final Consultation.Schedule schedule = new Consultation.Schedule(
                List.of(after(20 * MILLI), after(SlowRequest.NEVER), after(50 * MILLI)), asked, SlowRequest.NEVER);

        @Test
        void eachIsDueAtItsOwnTime() {
            assertThat(schedule.take(0, asked + 19 * MILLI)).isFalse();
            assertThat(schedule.take(0, asked + 20 * MILLI)).isTrue();
            assertThat(schedule.take(1, asked + 1_000 * MILLI)).isFalse();
            assertThat(schedule.take(2, asked + 49 * MILLI)).isFalse();
        }

        /** A pool of two answered in 11 ms, and 60 clients waited for 338 ms until nothing grew: 3 s had to pass. */
        @Test
        void whereRequestsUsuallyWaitLessItIsDueEarlier() {
            Consulted grow = new Consulted(situation -> Verdict.PASS, 250 * MILLI, 20 * MILLI);
            assertThat(grow.dueNanos(SlowRequest.NEVER)).as("nothing is known").isEqualTo(250 * MILLI);
            assertThat(grow.dueNanos(0)).isEqualTo(20 * MILLI);
            assertThat(grow.dueNanos(5 * MILLI)).isEqualTo(20 * MILLI);
            assertThat(grow.dueNanos(30 * MILLI)).isEqualTo(120 * MILLI);
            assertThat(grow.dueNanos(62_500_000)).isEqualTo(250 * MILLI);
            assertThat(grow.dueNanos(62_500_001)).isEqualTo(250 * MILLI);
            Consultation.Schedule soon = new Consultation.Schedule(List.of(grow), asked, 6 * MILLI);
            assertThat(soon.nextDue(SlowRequest.NEVER)).isEqualTo(asked + 24 * MILLI);
            assertThat(after(SlowRequest.NEVER).dueNanos(6 * MILLI)).isEqualTo(SlowRequest.NEVER);
        }

        @Test
        void aLongWaitConsultsEverLessOften() {
            long now = asked + 20 * MILLI;
            for (long pause = 20; pause <= 160; pause *= 2) {
                assertThat(schedule.take(0, now)).isTrue();
                assertThat(schedule.take(0, now + pause * MILLI - 1)).isFalse();
                now += pause * MILLI;
            }
        }

        @Test
        void anOpenVerdictIsConsultedAgainSoon() {
            long now = asked + 20 * MILLI;
            schedule.take(0, now);
            schedule.take(0, now + 20 * MILLI);
            schedule.again(0, now + 20 * MILLI);
            assertThat(schedule.take(0, now + 39 * MILLI)).isFalse();
            assertThat(schedule.take(0, now + 40 * MILLI)).isTrue();
        }

        @Test
        void theNextIsTheEarliest() {
            assertThat(schedule.nextDue(SlowRequest.NEVER)).isEqualTo(asked + 20 * MILLI);
            assertThat(schedule.nextDue(asked + 5 * MILLI)).isEqualTo(asked + 5 * MILLI);
        }

        @Test
        void neverIsNoTime() {
            Consultation.Schedule none = new Consultation.Schedule(List.of(), asked, SlowRequest.NEVER);
            assertThat(none.nextDue(SlowRequest.NEVER)).isEqualTo(SlowRequest.NEVER);
            assertThat(RequestScope.earlier(SlowRequest.NEVER, Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        }

        /** Of the clock's numbers, which begin anew then. */
        private static long nearTheEnd() {
            return Long.MAX_VALUE - 30 * MILLI;
        }
    }
}
