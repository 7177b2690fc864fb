// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.Decision.Cause;
import io.flexpool.diagnostics.Decision.Verdict;
import io.flexpool.pool.PoolMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizingControllerTest {
    private final FluidPool pool = FluidPool.acting();

    @Test
    void moreLoadIsAnsweredAtOnceWithTheSizeThatErlangGives() {
        pool.live(30, 50).live(2, 400);
        SizingDecision first = pool.decisions.get(0);
        assertThat(first.cause()).isEqualTo(Cause.DEMAND);
        assertThat(first.verdict()).isEqualTo(Verdict.PENDING);
        assertThat(first.from()).isEqualTo(5);
        double load = first.evidence().arrivalsPerSecond() * 0.020;
        assertThat(first.to()).isEqualTo(ErlangC.size(load, 0.020, 0.010, 40));
        assertThat(pool.limit).isBetween(9, ErlangC.size(400 * 0.020, 0.020, 0.010, 40));
        assertThat(pool.of(Verdict.REVERTED)).isEmpty();
    }

    @Test
    void feedForwardDoublesAtMostAndWaitsForItsVerdict() {
        // Leases so long that no verdict is in before long.
        pool.ceiling = 200;
        pool.work = 0.4;
        pool.live(60, 10).live(20, 800);
        List<SizingDecision> steps = pool.of(Verdict.PENDING);
        assertThat(steps).extracting(SizingDecision::to).startsWith(10, 20);
        assertThat(steps).allSatisfy(step -> assertThat(step.to()).isLessThanOrEqualTo(2 * step.from()));
        assertThat(pool.decisions.get(1).number()).isEqualTo(steps.get(0).number());
        assertThat(pool.decisions.get(1).verdict()).isEqualTo(Verdict.PROVEN);
    }

    /** Regression: the prototype kept what Erlang's formula said, although the database got slower with it. */
    @Test
    void aFeedForwardWithoutAGainIsTakenBack() {
        pool.knee = 5;
        pool.live(30, 50).live(8, 400);
        SizingDecision outcome = pool.of(Verdict.REVERTED).get(0);
        assertThat(outcome.number()).isEqualTo(pool.decisions.get(0).number());
        assertThat(outcome.cause()).isEqualTo(Cause.DEMAND);
        assertThat(outcome.to()).isEqualTo(5);
        assertThat(outcome.evidence().trial().after())
                .isLessThan(outcome.evidence().trial().before());
    }

    /** Regression: first leases of 490 ms made 20 ms look fast for minutes. */
    @Test
    void aColdStartDoesNotPoisonTheCalmLease() {
        pool.work = 0.490;
        pool.live(1, 5);
        pool.work = 0.020;
        pool.live(30, 50).live(2, 400);
        SizingDecision first = pool.decisions.get(0);
        assertThat(first.cause()).isEqualTo(Cause.DEMAND);
        assertThat(first.evidence().calmLeaseSeconds()).isBetween(0.020, 0.022);
        assertThat(pool.limit).isBetween(9, 13);
    }

    @Test
    void theCalmLeaseIsEstimatedBeforeItIsKnown() {
        pool.live(3, 50).live(1, 400);
        SizingDecision first = pool.decisions.get(0);
        assertThat(first.cause()).isEqualTo(Cause.DEMAND);
        assertThat(first.evidence().calmLeaseSeconds()).as("not known yet").isZero();
        FluidPool learnt = FluidPool.acting().live(9, 50).live(1, 400);
        assertThat(learnt.decisions.get(0).evidence().calmLeaseSeconds()).isPositive();
    }

    /** Regression: a window of a fixed time passed verdicts on 17 completions. */
    @Test
    void noVerdictIsPassedOnSeventeenCompletions() {
        pool.live(30, 50);
        pool.work = 1;
        pool.live(30, 50);
        SizingDecision tried = pool.of(Verdict.PENDING).get(0);
        SizingDecision outcome = outcomeOf(tried);
        double seconds = seconds(outcome) - seconds(tried);
        assertThat(tried.to()).isEqualTo(10);
        // 10 connections complete 10 leases a second; the first second and a bit is left out.
        assertThat(seconds).isBetween(3.5, 7.0);
        assertThat(outcome.verdict()).isEqualTo(Verdict.PROVEN);
    }

    @Test
    void aStepThatTooFewCompletionsSpeakForIsTakenBack() {
        pool.live(30, 50);
        pool.work = 5;
        pool.live(60, 50);
        SizingDecision outcome = outcomeOf(pool.of(Verdict.PENDING).get(0));
        assertThat(outcome.verdict()).isEqualTo(Verdict.REVERTED);
        assertThat(outcome.to()).isEqualTo(5);
    }

    @Test
    void aSlowDatabaseGetsOneStepAndNoOtherBeforeItsVerdict() {
        pool.knee = 5;
        pool.live(30, 100);
        pool.work = 0.100;
        pool.live(20, 100);
        assertThat(pool.decisions.get(0).cause()).isEqualTo(Cause.DATABASE_SLOW);
        long open = 0;
        for (SizingDecision made : pool.decisions) {
            open = made.verdict() == Verdict.PENDING ? open + 1 : 0;
            assertThat(open).isLessThanOrEqualTo(1);
        }
        assertThat(pool.of(Verdict.REVERTED)).isNotEmpty();
    }

    @Test
    void whyRequestsWaitIsKnownWhileTheyDo() {
        pool.live(30, 100);
        assertThat(pool.controller.blockingCause()).as("none waits").isNull();
        pool.live(0.5, 600);
        assertThat(pool.controller.blockingCause()).isEqualTo(Cause.DEMAND);
        pool.live(30, 100);
        assertThat(pool.controller.blockingCause()).as("none waits").isNull();
        FluidPool slow = FluidPool.acting();
        slow.knee = 5;
        slow.live(30, 100);
        slow.work = 0.100;
        slow.live(5, 100);
        assertThat(slow.controller.blockingCause()).isEqualTo(Cause.DATABASE_SLOW);
    }

    /** An observer tries nothing, and says the same. */
    @Test
    void whyRequestsWaitIsKnownToAnObserver() {
        FluidPool observed = new FluidPool(PoolMode.RECOMMEND);
        observed.knee = 5;
        observed.live(30, 100);
        observed.work = 0.100;
        observed.live(90, 100);
        assertThat(observed.controller.blockingCause()).isEqualTo(Cause.DATABASE_SLOW);
    }

    @Test
    void latencyWithoutContentionIsClimbedInProvenSteps() {
        pool.live(30, 80);
        pool.work = 0.200;
        pool.live(8, 80);
        assertThat(pool.limit).isBetween(16, 40);
        assertThat(pool.of(Verdict.PROVEN)).hasSizeGreaterThanOrEqualTo(1);
        assertThat(pool.of(Verdict.REVERTED)).isEmpty();
    }

    @Test
    void connectionsThatDoNotComeBackAreMadeUpFor() {
        pool.base = 6;
        pool.limit = 6;
        pool.live(30, 180);
        pool.leaked = 3;
        // Older than two seconds and sixty leases.
        pool.live(3.25, 140).live(10, 180);
        SizingDecision first = pool.decisions.get(0);
        assertThat(first.cause()).isEqualTo(Cause.OCCUPIED);
        assertThat(first.evidence().occupied()).isEqualTo(3);
        assertThat(first.explanation()).contains("3 long leases occupy connections");
        assertThat(pool.limit).isEqualTo(first.to()).isGreaterThanOrEqualTo(3 + 6);
    }

    /** Regression: a step waited for its verdict, which cannot come while ever more leases do not end. */
    @Test
    void leasesThatStopWhileAStepIsTriedAreMadeUpForAtOnce() {
        pool.live(30, 50);
        pool.leaked = 5;
        while (pool.decisions.isEmpty()) {
            pool.live(0.25, 50);
        }
        pool.leaked = pool.limit;
        pool.live(0.25, 50);
        assertThat(pool.decisions)
                .extracting(SizingDecision::verdict)
                .containsExactly(Verdict.PENDING, Verdict.ABANDONED, Verdict.PENDING);
        SizingDecision next = pool.decisions.get(2);
        assertThat(next.cause()).isEqualTo(Cause.OCCUPIED);
        assertThat(next.from()).isEqualTo(pool.decisions.get(0).to());
        assertThat(pool.limit).isGreaterThan(next.from());
    }

    /** Regression: eight jobs of 20 s on five connections, and nothing happened for more than three seconds. */
    @Test
    void aTotalStallTakesAStepAtOnce() {
        pool.live(30, 50);
        pool.leaked = 5;
        double stalls = pool.seconds();
        pool.live(1, 50);
        SizingDecision first = pool.decisions.get(0);
        assertThat(first.cause()).isEqualTo(Cause.OCCUPIED);
        assertThat(first.to()).isGreaterThanOrEqualTo(7);
        assertThat(seconds(first) - stalls).isLessThanOrEqualTo(0.75);
    }

    /** Regression: a waiter had to be older than two leases, and requests give up before. */
    @Test
    void requestsThatTimeOutPressHoweverLongLeasesLast() {
        pool.timeout = 0.1;
        pool.work = 0.22;
        pool.live(15, 40);
        assertThat(pool.decisions).isNotEmpty();
        assertThat(pool.limit).isGreaterThanOrEqualTo(8);
        pool.work = 0.66;
        pool.live(30, 40);
        assertThat(pool.limit).isGreaterThanOrEqualTo(24);
    }

    @Test
    void nothingGrowsWhileTheDatabaseRefusesConnections() {
        pool.live(30, 50);
        pool.connectFailures = 1;
        pool.live(10, 400);
        assertThat(pool.limits).containsOnly(5);
        assertThat(pool.decisions).hasSize(1);
        assertThat(pool.decisions.get(0).cause()).isEqualTo(Cause.CONNECT_FAILURE);
        assertThat(pool.decisions.get(0).explanation()).contains("refuses connections");
        pool.connectFailures = 0;
        pool.live(4.75, 400);
        assertThat(pool.limit).isEqualTo(5);
        pool.live(2, 400);
        assertThat(pool.limit).isGreaterThan(5);
    }

    @Test
    void aStepIsAbandonedWhenConnectsFail() {
        pool.live(30, 50).live(0.5, 400);
        int tried = pool.limit;
        assertThat(tried).isGreaterThan(5);
        pool.connectFailures = 1;
        pool.live(0.25, 400);
        assertThat(pool.limit).isEqualTo(5);
        assertThat(pool.of(Verdict.ABANDONED)).singleElement().satisfies(made -> {
            assertThat(made.cause()).isEqualTo(Cause.CONNECT_FAILURE);
            assertThat(made.tried()).isEqualTo(tried);
        });
    }

    @Test
    void nothingGrowsWhileConnectionsAreMissing() {
        pool.live(30, 50);
        pool.missing = 2;
        pool.live(10, 400);
        assertThat(pool.limits).containsOnly(5);
        pool.missing = 0;
        pool.uncounted = 2;
        pool.live(10, 400);
        assertThat(pool.limits).containsOnly(5);
    }

    @Test
    void aStepWhoseConnectionsDoNotComeIsTakenBack() {
        pool.live(30, 50).live(0.5, 400);
        pool.missing = 4;
        pool.live(11, 400);
        assertThat(pool.of(Verdict.ABANDONED).get(0).cause()).isEqualTo(Cause.OPENING);
        assertThat(pool.limit).isEqualTo(5);
    }

    @Test
    void calmTakesGrowthBackStepByStep() {
        pool.live(30, 50).live(10, 800);
        int grown = pool.limit;
        assertThat(grown).isGreaterThan(15);
        pool.live(25 + Math.log(grown) / 0.16, 50);
        assertThat(pool.limit).isBetween(5, 6);
        assertThat(pool.decisions.get(pool.decisions.size() - 1).cause()).isEqualTo(Cause.CALM);
    }

    /** Regression: a line a second while growth was given back. */
    @Test
    void aReturnToTheBaseIsReportedOnce() {
        pool.live(30, 50).live(10, 800);
        int grown = pool.limit;
        pool.decisions.clear();
        pool.live(60, 50);
        assertThat(pool.limit).isEqualTo(5);
        assertThat(pool.decisions).singleElement().satisfies(made -> {
            assertThat(made.cause()).isEqualTo(Cause.CALM);
            assertThat(made.from()).isEqualTo(grown);
            assertThat(made.tried()).isLessThan(made.to());
        });
    }

    /** Regression: requests failed for minutes, and not a word. */
    @Test
    void requestsThatFailWhileNothingIsTriedAreExplained() {
        pool.ceiling = 8;
        pool.timeout = 0.1;
        pool.live(30, 50).live(30, 900);
        assertThat(pool.limit).isEqualTo(8);
        assertThat(pool.decisions).anySatisfy(made -> {
            assertThat(made.cause()).isEqualTo(Cause.CEILING);
            assertThat(made.verdict()).isEqualTo(Verdict.NONE);
        });
        FluidPool refused = FluidPool.acting();
        refused.live(30, 50);
        refused.missing = 5;
        refused.connectFailures = 1;
        refused.live(30, 50);
        assertThat(refused.decisions)
                .singleElement()
                .satisfies(made -> assertThat(made.cause()).isEqualTo(Cause.CONNECT_FAILURE));
    }

    /** Regression: the same reason again every ten seconds, for as long as requests failed. */
    @ParameterizedTest
    @CsvSource({"QUEUE, 0.100, 4, 13.5", "KNEE, 0.005, 80, 530"})
    void aReasonIsGivenOnceInAnEpisodeAndSoIsItsEnd(Cause cause, double work, double calm, double load) {
        pool.knee = 3;
        pool.work = work;
        pool.timeout = 0.1;
        pool.live(30, calm).live(180, load);
        assertThat(reasons()).as("for three minutes").doesNotHaveDuplicates().contains(cause);
        pool.decisions.clear();
        pool.live(60, calm);
        assertThat(pool.of(Verdict.NONE))
                .filteredOn(made -> made.explanation().contains(" stays: "))
                .singleElement()
                .satisfies(end -> assertThat(end.explanation()).endsWith(" stays: no request has timed out for 5 s"));
        pool.decisions.clear();
        pool.live(180, load);
        assertThat(reasons()).as("in another episode").doesNotHaveDuplicates().contains(cause);
    }

    private List<Cause> reasons() {
        return pool.of(Verdict.NONE).stream().map(SizingDecision::cause).toList();
    }

    /** What a cap leaves that pools share is this pool's part already; its steps are judged as those of one of several. */
    @Test
    void aSharedCapIsNotDividedAgain() {
        FluidPool member = FluidPool.acting();
        member.controller.sharers(4);
        member.live(30, 50).live(60, 1200);
        assertThat(member.limit).isGreaterThan(10);
    }

    /** One of several instances goes to its part of the ceiling only. */
    @Test
    void instancesShareTheCeiling() {
        FluidPool shared = new FluidPool(SizingSettings.DEFAULT.withInstances(4), PoolMode.ADAPT);
        shared.live(30, 50).live(60, 1200);
        assertThat(shared.limit).isEqualTo(10);
        shared.base = 12;
        shared.limit = 12;
        shared.live(30, 1200);
        assertThat(shared.limit).as("never less than the base").isEqualTo(12);
    }

    /** What a step takes from the other instances is no gain: half as much more for a step of an equal part is not. */
    @Test
    void aStepOfOneOfTwoInstancesMustGainMoreThanItsShare() {
        assertThat(verdictOfElasticity(1, 0.3)).isEqualTo(Verdict.PROVEN);
        assertThat(verdictOfElasticity(2, 0.3)).isEqualTo(Verdict.REVERTED);
        assertThat(verdictOfElasticity(2, 0.8)).isEqualTo(Verdict.PROVEN);
        assertThat(verdictOfElasticity(4, 0.5)).isEqualTo(Verdict.REVERTED);
    }

    /** Of a step from 10 to 20 in which completions rise by a power of the limit. */
    private static Verdict verdictOfElasticity(int instances, double elasticity) {
        FluidPool one = FluidPool.acting();
        one.live(5, 2000);
        one.limit = 10;
        one.tick();
        Signals signals = one.signals();
        Rate before = new Rate(4000, 8);
        Experiment step = new Experiment(1, Cause.QUEUE, 20, before, signals, new Noise(), false, instances);
        one.limit = 20;
        Verdict verdict = Verdict.PENDING;
        while (verdict == Verdict.PENDING) {
            one.work = 20 / (500 * Math.pow(2, elasticity));
            one.tick();
            one.limit = 20;
            verdict = step.tick(one.signals());
        }
        return verdict;
    }

    @Test
    void aBusySecondWithinTwentyKeepsTheLimit() {
        pool.live(30, 50).live(10, 800);
        int grown = pool.limit;
        for (int burst = 0; burst < 8; burst++) {
            pool.live(4, 50).live(2, 700);
        }
        assertThat(pool.limit).isGreaterThan(grown / 2);
    }

    @Test
    void aPoolThatStartsAboveItsKneeIsTriedDownward() {
        pool.base = 20;
        pool.limit = 20;
        pool.knee = 6;
        // At 6 the database completes 150 a second, at 20 it completes 83.
        pool.live(40, 140);
        assertThat(pool.decisions.stream().map(SizingDecision::cause)).contains(Cause.CONTENTION);
        assertThat(pool.limit).isBetween(4, 12);
    }

    /** Regression: the way down was tried next, while requests failed by the hundred. */
    @Test
    void anUnclearStepUpIsTriedAgainTwiceAsWide() {
        // Near the peak, with few completions: the step loses itself in the noise.
        pool.knee = 6;
        pool.work = 0.200;
        pool.live(20, 40);
        List<SizingDecision> tried = pool.of(Verdict.PENDING);
        SizingDecision outcome = outcomeOf(tried.get(0));
        assertThat(tried.get(0).to()).isEqualTo(7);
        assertThat(outcome.verdict()).isEqualTo(Verdict.REVERTED);
        assertThat(outcome.evidence().trial().error()).isGreaterThan(0.1);
        assertThat(tried.get(1).from()).isEqualTo(5);
        assertThat(tried.get(1).to()).isEqualTo(10);
    }

    @Test
    void aLimitBelowTheBaseReturnsToItOnceItDoesNotBind() {
        aPoolThatStartsAboveItsKneeIsTriedDownward();
        pool.live(30, 20);
        assertThat(pool.limit).isEqualTo(20);
    }

    /** Regression: a pool that the search had brought below its base doubled at each lull that looked slow. */
    @Test
    void aLimitBelowTheBaseIsNotDoubledForASlowDatabase() {
        pool.base = 20;
        pool.limit = 20;
        pool.knee = 6;
        pool.live(24, 140).live(6, 100);
        int found = pool.limit;
        pool.work *= 4;
        pool.live(6, 100);
        List<SizingDecision> slow = pool.of(Verdict.PENDING).stream()
                .filter(step -> step.cause() == Cause.DATABASE_SLOW)
                .toList();
        assertThat(slow).isNotEmpty();
        assertThat(slow.get(0).from()).isLessThanOrEqualTo(found).isLessThan(20);
        assertThat(slow.get(0).to())
                .isLessThanOrEqualTo((int) Math.ceil(1.3 * slow.get(0).from()));
    }

    @Test
    void aStepThatIsOverruledIsNotJudged() {
        pool.live(30, 50).live(0.5, 400);
        pool.limit = 30;
        pool.live(0.25, 400);
        assertThat(pool.of(Verdict.ABANDONED)).singleElement().satisfies(made -> {
            assertThat(made.cause()).isEqualTo(Cause.OVERRULED);
            assertThat(made.to()).isEqualTo(30);
        });
    }

    @Test
    void aCeilingThatFallsIsKept() {
        pool.live(30, 50).live(5, 800);
        assertThat(pool.limit).isGreaterThan(15);
        pool.ceiling = 8;
        pool.live(0.25, 800);
        assertThat(pool.limit).isLessThanOrEqualTo(8);
    }

    @Test
    void everyStepHasOneOutcome() {
        pool.knee = 9;
        pool.live(30, 50).live(60, 600).live(60, 50);
        List<Long> tried = pool.of(Verdict.PENDING).stream()
                .map(SizingDecision::number)
                .distinct()
                .toList();
        List<Long> ended = pool.decisions.stream()
                .filter(made -> made.verdict() != Verdict.PENDING && made.verdict() != Verdict.NONE)
                .map(SizingDecision::number)
                .collect(Collectors.toList());
        assertThat(tried).isNotEmpty().containsExactlyElementsOf(ended);
    }

    @Test
    void theSameWindowsGiveTheSameDecisions() {
        FluidPool other = FluidPool.acting();
        pool.knee = 9;
        other.knee = 9;
        pool.live(30, 50).live(60, 600).live(60, 50);
        other.live(30, 50).live(60, 600).live(60, 50);
        assertThat(other.decisions).isEqualTo(pool.decisions);
        assertThat(other.limits).isEqualTo(pool.limits);
    }

    @Test
    void recommendReportsOncePerEpisodeAndMovesNothing() {
        FluidPool observed = new FluidPool(PoolMode.RECOMMEND);
        observed.live(30, 50).live(20, 300).live(10, 50).live(5, 300);
        assertThat(observed.limits).containsOnly(5);
        assertThat(observed.decisions).hasSize(2).allSatisfy(made -> {
            assertThat(made.verdict()).isEqualTo(Verdict.UNVERIFIED);
            assertThat(made.cause()).isEqualTo(Cause.DEMAND);
            assertThat(made.to()).isBetween(9, 10);
            assertThat(made.evidence().trial().after()).isNaN();
            assertThat(made.evidence().expectedP99WaitSeconds()).isLessThan(0.015);
            assertThat(made.evidence().ceilingAssumed()).isFalse();
            assertThat(made.explanation()).contains("unverified", "p99 wait expected");
        });
    }

    @Test
    void recommendWithoutACeilingAssumesFourTimesTheBase() {
        FluidPool observed = new FluidPool(PoolMode.RECOMMEND);
        observed.ceiling = 5;
        observed.live(30, 50).live(5, 300);
        assertThat(observed.decisions).singleElement().satisfies(made -> {
            assertThat(made.to()).isBetween(9, 10);
            assertThat(made.explanation()).contains("four times the base");
        });
    }

    @Test
    void recommendNamesNoSizeThatOnlyATrialCanShow() {
        FluidPool observed = new FluidPool(PoolMode.RECOMMEND);
        observed.live(30, 80);
        observed.work = 0.200;
        observed.live(10, 80);
        assertThat(observed.decisions).singleElement().satisfies(made -> {
            assertThat(made.cause()).isEqualTo(Cause.DATABASE_SLOW);
            assertThat(made.to()).isEqualTo(5);
            assertThat(made.explanation())
                    .contains("does not serve all requests", "only a trial can find the right size");
        });
    }

    @Test
    void monitoringSaysNothing() {
        FluidPool monitored = new FluidPool(PoolMode.MONITOR);
        monitored.live(30, 50).live(20, 300);
        assertThat(monitored.decisions).isEmpty();
        assertThat(monitored.limits).containsOnly(5);
    }

    @Test
    void whatRecommendLearntServesAdapt() {
        FluidPool observed = new FluidPool(PoolMode.RECOMMEND);
        observed.live(30, 50);
        observed.controller.mode(PoolMode.ADAPT);
        observed.live(2, 400);
        assertThat(observed.decisions.get(0).cause()).isEqualTo(Cause.DEMAND);
        assertThat(observed.limit).isGreaterThanOrEqualTo(9);
    }

    @Test
    void anotherModeForgetsTheStepBeingTried() {
        pool.live(30, 50).live(0.5, 400);
        int tried = pool.limit;
        assertThat(tried).isGreaterThan(5);
        pool.controller.mode(PoolMode.RECOMMEND);
        pool.live(10, 50);
        assertThat(pool.decisions).hasSize(1);
        assertThat(pool.limit).isEqualTo(tried);
    }

    /** An observer has no knee: what was found by trying is not claimed when nothing is tried. */
    @Test
    void aKneeIsForgottenWithTheMode() {
        pool.knee = 5;
        pool.live(30, 50).live(20, 400).live(30, 50);
        assertThat(pool.of(Verdict.REVERTED)).isNotEmpty();
        pool.controller.mode(PoolMode.RECOMMEND);
        pool.limit = 5;
        pool.decisions.clear();
        pool.live(10, 50).live(1.5, 400);
        assertThat(pool.decisions).singleElement().satisfies(made -> {
            assertThat(made.cause()).isEqualTo(Cause.DEMAND);
            assertThat(made.to()).isGreaterThan(5);
        });
    }

    private SizingDecision outcomeOf(SizingDecision tried) {
        return pool.decisions.stream()
                .filter(made -> made.number() == tried.number() && made.verdict() != Verdict.PENDING)
                .findFirst()
                .orElseThrow();
    }

    /** When it was decided, on the pool's ticker. */
    private static double seconds(SizingDecision made) {
        return Duration.between(Instant.EPOCH, made.time()).toNanos() / 1e9;
    }
}
