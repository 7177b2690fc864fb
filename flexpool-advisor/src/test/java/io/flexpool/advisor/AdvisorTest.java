// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import static io.flexpool.advisor.Traces.MS;
import static io.flexpool.advisor.Traces.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.advice.SizeAdvice.Confidence;
import io.flexpool.advice.SizeAdvice.Verdict;
import io.flexpool.advisor.LeaseTrace.Ending;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AdvisorTest {
    /** 20 a second of 100 ms: two connections work on average, and 7 are the first with a p99 wait below 10 ms (Erlang C). */
    private static final LeaseTrace QUIET = Traces.poisson(11, Duration.ofMinutes(70), 20, 30, Traces.exponential(100));

    @Test
    void aPoolThatIsTooLargeNeedsFewer() {
        Advice advice = Advisor.advise(QUIET, Question.of(30));
        assertThat(advice.verdict()).isEqualTo(Verdict.FEWER);
        assertThat(advice.connections()).isBetween(8, 9);
        assertThat(advice.confidence()).isEqualTo(Confidence.HIGH);
        assertThat(advice.minIdle()).isEqualTo(2);
        assertThat(advice.timeout()).isEqualTo(Duration.ofMillis(250));
        assertThat(advice.text())
                .contains("The pool has 30 connections: " + advice.connections() + " would be enough.")
                .contains("Confidence high: 8")
                .contains("no timeouts")
                .contains("Unknown: whether the database slows");
    }

    @Test
    void theCurveFallsAndHasTodaysSize() {
        Advice advice = Advisor.advise(QUIET, Question.of(30).withAlso(List.of(40)));
        assertThat(advice.curve())
                .extracting(SizePoint::connections)
                .isSorted()
                .contains(1, advice.connections() - 1, advice.connections(), advice.connections() + 1, 30, 40);
        assertThat(advice.curve().stream().map(SizePoint::p99Nanos).toList())
                .isSortedAccordingTo((one, other) -> Long.compare(other, one));
    }

    @Test
    void theTextNamesTargetMarginAndTheSizesThatWereAsked() {
        Advice advice = Advisor.advise(QUIET, Question.of(30).withAlso(List.of(3, 20)));
        assertThat(advice.text())
                .contains("Target: 99 % of the requests wait at most 10 ms. The recorded requests needed ")
                .contains("With a margin of 8 %, " + advice.connections() + " are needed.")
                .contains(" with 3 connections")
                .contains(" with 20 connections");
    }

    @Test
    void aShorterTargetNeedsMore() {
        int relaxed = Advisor.advise(QUIET, Question.of(30).withWaitTarget(Duration.ofMillis(100)))
                .connections();
        int strict = Advisor.advise(QUIET, Question.of(30).withWaitTarget(Duration.ofNanos(1_000)))
                .connections();
        assertThat(relaxed).isLessThan(strict);
    }

    @Test
    void whereConnectsAreSlowAllConnectionsAreKeptOpen() {
        Advice advice = Advisor.advise(QUIET, Question.of(30).withConnectP99(Duration.ofMillis(400)));
        assertThat(advice.minIdle()).isEqualTo(advice.connections());
        assertThat(advice.timeout()).isEqualTo(Duration.ofMillis(1_600));
    }

    @Test
    void aShortRecordIsNotTrusted() {
        LeaseTrace brief = Traces.poisson(1, Duration.ofMinutes(1), 20, 5, Traces.exponential(20));
        Advice advice = Advisor.advise(brief, Question.of(5));
        assertThat(advice.confidence()).isEqualTo(Confidence.LOW);
        assertThat(advice.notes()).anyMatch(note -> note.startsWith("The record has only 1,"));
        assertThat(advice.notes()).anyMatch(note -> note.contains("busier times"));
    }

    @Test
    void anEmptyRecordIsRefused() {
        LeaseTrace empty = LeaseTrace.builder().build();
        assertThatThrownBy(() -> Advisor.advise(empty, Question.of(5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no request");
    }

    /** The night would decide if the whole day counted at once. */
    @Test
    void theBusiestHourDecides() {
        LeaseTrace.Builder day = LeaseTrace.builder();
        SplittableRandom random = new SplittableRandom(4);
        for (int hour = 0; hour < 4; hour++) {
            double perSecond = hour == 2 ? 40 : 0.4;
            long end = (hour + 1L) * 3_600 * SECOND;
            long at = hour * 3_600L * SECOND;
            while (at < end) {
                at += (long) (-Math.log(1 - random.nextDouble()) / perSecond * SECOND);
                day.add(at, 0, 100 * MS, Ending.RELEASED, "", 0);
            }
        }
        LeaseTrace peak = Traces.poisson(9, Duration.ofMinutes(61), 40, 50, Traces.fixed(100));
        int forPeak = Advisor.advise(peak, Question.of(50)).connections();
        assertThat(Advisor.advise(day.build(), Question.of(50)).connections()).isBetween(forPeak - 1, forPeak + 1);
    }

    /** Less than 1 % of all requests come in the hour that decides. */
    @Test
    void anHourWithFewRequestsDecidesToo() {
        LeaseTrace.Builder day = LeaseTrace.builder();
        for (int hour = 0; hour < 4; hour++) {
            for (int second = 0; second < 3_600; second++) {
                long at = (hour * 3_600L + second) * SECOND;
                if (hour != 2) {
                    for (int each = 0; each < 20; each++) {
                        day.add(at + each * 50L * MS, 0, MS, Ending.RELEASED, "", 0);
                    }
                } else if (second % 36 == 0) {
                    for (int each = 0; each < 20; each++) {
                        day.add(at, 0, 100 * MS, Ending.RELEASED, "", 0);
                    }
                }
            }
        }
        assertThat(Advisor.advise(day.build(), Question.of(50)).connections()).isEqualTo(22);
    }

    /** One burst in an hour: some of the traces that the process could have left have it, others not. */
    @Test
    void whereOtherTracesDifferTheConfidenceIsNotHigh() {
        LeaseTrace.Builder hour = LeaseTrace.builder();
        for (int at = 0; at < 42_000; at++) {
            hour.add(at * 100L * MS, 0, MS, Ending.RELEASED, "", 0);
        }
        for (int at = 0; at < 500; at++) {
            hour.add(1_000 * SECOND, 0, 100 * MS, Ending.RELEASED, "", 0);
        }
        assertThat(Advisor.advise(hour.build(), Question.of(600)).confidence()).isEqualTo(Confidence.MEDIUM);
    }

    @Test
    void theTimeoutIsTwiceTheLongestWaits() {
        Advice advice = Advisor.advise(QUIET, Question.of(30).withWaitTarget(Duration.ofMillis(600)));
        long p999 = advice.curve().stream()
                .filter(point -> point.connections() == advice.connections())
                .mapToLong(SizePoint::p999Nanos)
                .findFirst()
                .orElseThrow();
        assertThat(advice.timeout()).isEqualTo(Duration.ofNanos(2 * p999)).isGreaterThan(Duration.ofMillis(250));
    }

    /** Arrivals in a pool with a database whose leases depend on how many are active, for half an hour each. */
    private static LeaseTrace phases(int[] perSecond, int connections, IntToLongFunction leaseOf) {
        SplittableRandom random = new SplittableRandom(21);
        LeaseTrace.Builder trace = LeaseTrace.builder();
        long[] free = new long[connections];
        long at = 0;
        for (int phase = 0; phase < perSecond.length; phase++) {
            long end = (phase + 1L) * 1_800 * SECOND;
            while (at < end) {
                at += (long) (-Math.log(1 - random.nextDouble()) / perSecond[phase] * SECOND);
                int first = 0;
                for (int each = 1; each < connections; each++) {
                    first = free[each] < free[first] ? each : first;
                }
                long start = Math.max(at, free[first]);
                int active = 1;
                for (long other : free) {
                    active += other > start ? 1 : 0;
                }
                boolean late = start - at > 5 * SECOND;
                long lease = leaseOf.applyAsLong(active);
                if (!late) {
                    free[first] = start + lease;
                }
                trace.add(at, late ? 5 * SECOND : start - at, lease, late ? Ending.TIMED_OUT : Ending.RELEASED, "", 0);
            }
        }
        return trace.build();
    }

    @Nested
    class RequestsThatWait {
        private final Question four =
                Question.of(4).withTimeout(Duration.ofSeconds(5)).withWaitTarget(Duration.ofMillis(50));

        @Test
        void aDatabaseWithRoomNeedsMoreConnections() {
            Advice advice = Advisor.advise(phases(new int[] {12, 24, 32}, 4, active -> 100 * MS), four);
            assertThat(advice.verdict()).isEqualTo(Verdict.MORE);
            assertThat(advice.connections()).isEqualTo(5);
            assertThat(advice.text())
                    .contains("it needs 5.")
                    .contains("At most 4 leases were active at once, so the record does not show a pool of 5")
                    .containsPattern("If lease times did not change, ([7-9]|10) connections would be needed");
        }

        /**
         * A pool as large as the database's processors shows leases that do not slow each other, and the next connection is
         * the first that would: nothing far beyond what was seen may be advised.
         */
        @ParameterizedTest
        @ValueSource(ints = {2, 4, 8, 16})
        void noMoreThanAQuarterBeyondWhatWasSeenIsAdvised(int processors) {
            int[] perSecond = {3 * processors, 6 * processors, 9 * processors};
            LeaseTrace trace = phases(perSecond, processors, active -> 100 * MS);
            Advice advice = Advisor.advise(
                    trace,
                    Question.of(processors).withTimeout(Duration.ofSeconds(5)).withWaitTarget(Duration.ofMillis(5)));
            assertThat(advice.connections()).isLessThanOrEqualTo(processors * 5 / 4);
            if (advice.connections() > processors) {
                assertThat(advice.text()).contains("does not show a pool of");
            } else {
                assertThat(advice.text()).contains("do not add connections").contains("in the record, at most");
            }
        }

        /** The lease before is recorded as ended when its connection has gone to the next one already. */
        @Test
        void aLeaseThatEndsAMomentLateIsNoConnectionMore() {
            LeaseTrace exact = phases(new int[] {12, 24, 36}, 4, active -> 100 * MS);
            LeaseTrace.Builder late = LeaseTrace.builder();
            for (int at = 0; at < exact.requests(); at++) {
                late.add(exact.arrival[at], exact.wait[at], exact.lease[at] + MS, exact.ending(at), "", 0);
            }
            LeaseTrace trace = late.build();
            assertThat(new ActiveLeases(trace).most(1_000)).isGreaterThan(4);
            assertThat(new ActiveLeases(trace).most(4)).isEqualTo(4);
            assertThat(Advisor.advise(trace, four).connections()).isLessThanOrEqualTo(5);
        }

        /** The database hangs: five connections are busy all the time and most requests get none. */
        @Test
        void aRecordOfAnIncidentGivesNoAdvice() {
            LeaseTrace trace = phases(new int[] {12, 24, 200}, 5, active -> 100 * MS);
            assertThat(trace.count(Ending.TIMED_OUT)).isGreaterThan(trace.requests() / 2);
            Advice advice = Advisor.advise(trace, Question.of(5).withTimeout(Duration.ofSeconds(5)));
            assertThat(advice.verdict()).isEqualTo(Verdict.UNKNOWN);
            assertThat(advice.text())
                    .contains("the record shows an incident")
                    .doesNotContain("would be needed", "p99 wait");
        }

        /** Each try of a request that is repeated is a request of the record. */
        @Test
        void thatRetriesCountAsDemandIsSaid() {
            LeaseTrace trace = phases(new int[] {12, 24, 36, 47}, 4, active -> 100 * MS);
            int timedOut = trace.count(Ending.TIMED_OUT);
            assertThat(timedOut).isBetween(trace.requests() / 100 + 1, trace.requests() / 10 - 1);
            Advice advice = Advisor.advise(trace, four);
            assertThat(advice.text()).contains("Requests that timed out count as demand. If they were only retries, ");
        }

        /** The most expensive advice: leases take longer by what the others add, so more connections serve nothing more. */
        @Test
        void aSaturatedDatabaseNeedsNoMoreConnections() {
            Advice advice = Advisor.advise(phases(new int[] {12, 24, 42}, 4, active -> active * 25L * MS), four);
            assertThat(advice.verdict()).isEqualTo(Verdict.DATABASE);
            assertThat(advice.connections()).isEqualTo(4);
            assertThat(advice.text()).contains("do not add connections").contains("is unknown");
        }

        @Test
        void theKneeThatWasMeasuredIsNamed() {
            Advice advice = Advisor.advise(phases(new int[] {12, 24, 32}, 4, active -> 100 * MS), four.withKnee(5));
            assertThat(advice.verdict()).isEqualTo(Verdict.DATABASE);
            assertThat(advice.connections()).isEqualTo(5);
            assertThat(advice.text())
                    .contains("measured that with more than 5 connections the database's throughput does not rise")
                    .contains("The pool has 4 connections: with more than 5 connections");
        }

        /** All connections were in use all the time: nothing is known of other sizes. */
        @Test
        void anOverloadFromBeginToEndShowsNoSize() {
            Advice advice = Advisor.advise(phases(new int[] {80, 80, 80}, 4, active -> 100 * MS), four);
            assertThat(advice.verdict()).isEqualTo(Verdict.UNKNOWN);
            assertThat(advice.connections()).isEqualTo(4);
            assertThat(advice.confidence()).isEqualTo(Confidence.LOW);
            assertThat(advice.text()).contains("timed out").contains("is unknown");
        }

        /** The same without a timeout: between two leases of a connection there is a moment in which fewer are active. */
        @Test
        void aPoolThatIsAlwaysFullNeedsNoMoreConnectionsForSure() {
            LeaseTrace full = Traces.full(4, Duration.ofMinutes(3), Traces.fixed(20));
            Advice advice = Advisor.advise(full, four.withWaitTarget(Duration.ofMillis(5)));
            assertThat(advice.verdict()).isEqualTo(Verdict.UNKNOWN);
            assertThat(advice.connections()).isEqualTo(4);
            assertThat(advice.text()).contains("do not add connections").contains("at different loads");
        }

        /** Half of the requests have no lease; without one they would seem to need no connection. */
        @Test
        void requestsThatTimedOutNeedConnectionsToo() {
            LeaseTrace overload = phases(new int[] {4, 80, 80}, 4, active -> 100 * MS);
            assertThat(overload.count(Ending.TIMED_OUT)).isGreaterThan(overload.requests() / 3);
            Advice advice = Advisor.advise(overload, four.withKnee(50));
            assertThat(advice.verdict()).isEqualTo(Verdict.MORE);
            assertThat(advice.connections()).isGreaterThanOrEqualTo(9);
        }
    }

    @Nested
    class WhatIsSetAside {
        private LeaseTrace with(String site, long leaseSeconds, Ending how, int times) {
            LeaseTrace.Builder trace = LeaseTrace.builder();
            for (int at = 0; at < QUIET.requests(); at++) {
                trace.add(QUIET.arrival[at], QUIET.wait[at], QUIET.lease[at], Ending.RELEASED, "shop.Orders.find", 0);
            }
            for (int at = 0; at < times; at++) {
                trace.add(at * 60L * SECOND, 0, leaseSeconds * SECOND, how, site, 0);
            }
            return trace.build();
        }

        @Test
        void leaksDoNotMakeThePoolLarger() {
            int without = Advisor.advise(QUIET, Question.of(30)).connections();
            Advice advice = Advisor.advise(with("shop.Export.run", 3_600, Ending.OPEN, 9), Question.of(30));
            assertThat(advice.connections()).isEqualTo(without);
            assertThat(advice.notes()).anyMatch(note -> note.contains("9 connections of shop.Export.run"));
        }

        /** The record of two minutes cannot have an open lease of ten. */
        @Test
        void leaksInAShortRecordDoNotMakeThePoolLarger() {
            LeaseTrace load = Traces.poisson(11, Duration.ofMinutes(2), 20, 30, Traces.exponential(100));
            LeaseTrace.Builder trace = LeaseTrace.builder();
            for (int at = 0; at < load.requests(); at++) {
                trace.add(load.arrival[at], load.wait[at], load.lease[at], Ending.RELEASED, "shop.Orders.find", 0);
            }
            for (int at = 0; at < 9; at++) {
                trace.add(at * 10L * SECOND, 0, (120 - at * 10L) * SECOND, Ending.OPEN, "shop.Export.run", 0);
            }
            int without = Advisor.advise(load, Question.of(30)).connections();
            Advice advice = Advisor.advise(trace.build(), Question.of(30));
            assertThat(advice.connections()).isEqualTo(without);
            assertThat(advice.notes()).anyMatch(note -> note.contains("9 connections of shop.Export.run"));
        }

        @Test
        void longJobsHaveTheirConnectionsBesideTheRest() {
            int without = Advisor.advise(QUIET, Question.of(30)).connections();
            Advice advice = Advisor.advise(with("shop.Nightly.run", 150, Ending.RELEASED, 20), Question.of(30));
            assertThat(advice.connections()).isEqualTo(without + 3);
            assertThat(advice.notes()).anyMatch(note -> note.contains("shop.Nightly.run hold up to 3 connections"));
        }
    }
}
