// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.diagnostics.OpenLease.OtherWork;
import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.failure.Diagnosis.Situation;
import io.flexpool.internal.failure.FailedAttempt.Attempt;
import io.flexpool.internal.failure.ThreadSample.Place;
import io.flexpool.internal.gate.Limits;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.record.SharedHistogram;
import io.flexpool.internal.record.StatisticsHistory.UsualLeases;
import io.flexpool.internal.sizing.Evidence;
import io.flexpool.internal.sizing.SizingDecision;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of causes: figures in, cause and words out. */
class DiagnosisTest {
    private static final long ASKER = 99;
    private static final long MILLI = 1_000_000;
    private static final long LEAK_NANOS = 30_000 * MILLI;
    /** Leases of ten milliseconds, so that an open one is five old on average. */
    private static final UsualLeases TEN_MILLIS = past(10, 1_000, 10, 200);

    private static UsualLeases past(long usualMillis, int usual, long recentMillis, int recent) {
        SharedHistogram before = new SharedHistogram();
        SharedHistogram lately = new SharedHistogram();
        for (int at = 0; at < usual; at++) {
            before.record(usualMillis * MILLI);
        }
        for (int at = 0; at < recent; at++) {
            lately.record(recentMillis * MILLI);
        }
        return new UsualLeases(before.snapshot(), lately.snapshot(), 58_000 * MILLI);
    }

    /** A situation, built step by step. */
    private static final class Case {
        private final String name;
        private final Cause expected;
        private final List<OpenLease> leases = new ArrayList<>();
        private final Map<Long, ThreadSample> samples = new HashMap<>();
        private AcquisitionFailure why = new AcquisitionFailure(Kind.EXHAUSTED, null, "none came back");
        private UsualLeases past = TEN_MILLIS;
        private int pending = 9;
        private int limit = PoolSnapshot.UNKNOWN;
        private boolean grows;
        private Limits.@Nullable Cap cap;
        private PoolSnapshot pool = new PoolSnapshot(PoolSnapshot.UNKNOWN, 0, 4, 0, 4, 0);
        private PoolMode mode = PoolMode.RECOMMEND;
        private final List<Decision> decisions = new ArrayList<>();

        Case(String name, Cause expected) {
            this.name = name;
            this.expected = expected;
        }

        Case past(UsualLeases lived) {
            past = lived;
            return this;
        }

        Case failed(@Nullable String sqlState, String reason) {
            why = new AcquisitionFailure(Kind.CONNECT_FAILED, sqlState, reason);
            return this;
        }

        /** Leases of one age, of threads of their own. */
        Case open(int count, long ageMillis, Activity activity, long inDatabaseMillis, boolean suspected) {
            for (int at = 0; at < count; at++) {
                long id = 1L + leases.size();
                leases.add(new LeaseTracker.Open(
                        "worker-" + id,
                        id,
                        false,
                        "OrderService.place(OrderService.java:42)",
                        Duration.ofMillis(ageMillis),
                        activity,
                        inDatabaseMillis < 0 ? null : Duration.ofMillis(inDatabaseMillis),
                        null,
                        suspected,
                        null,
                        activity == Activity.IDLE ? Duration.ofMillis(ageMillis - inDatabaseMillis) : null));
            }
            return this;
        }

        Case open(int count, long ageMillis) {
            return open(count, ageMillis, Activity.UNKNOWN, -1, false);
        }

        /** What the threads of the first leases did. */
        Case seen(Place... places) {
            for (int at = 0; at < places.length; at++) {
                samples.put(leases.get(at).threadId(), new ThreadSample(places[at], "seen " + places[at]));
            }
            return this;
        }

        /** The same of threads in the application, and what would end the view that holds the connections of all. */
        Case doing(@Nullable String viewEnds, OtherWork... works) {
            for (int at = 0; at < works.length; at++) {
                samples.put(
                        leases.get(at).threadId(),
                        new ThreadSample(Place.IN_APPLICATION, "at Own.code(Own.java:3)", works[at], viewEnds));
            }
            return this;
        }

        /** The threads of all are in the application, with these methods on their stacks. */
        Case on(String... frames) {
            leases.forEach(lease -> samples.put(
                    lease.threadId(),
                    new ThreadSample(Place.IN_APPLICATION, "at X.y(X.java:1)", null, null, Set.of(frames), null)));
            return this;
        }

        /** The threads of all wait for a lock. */
        Case lockedBy(ThreadSample.LockOwner owner) {
            leases.forEach(lease -> samples.put(
                    lease.threadId(),
                    new ThreadSample(Place.IN_APPLICATION, "at X.y(X.java:1)", OtherWork.LOCK, null, Set.of(), owner)));
            return this;
        }

        /** What the pool reports of its connections. */
        Case has(int max, int total, int idle) {
            pool = new PoolSnapshot(max, 0, total - idle, idle, total, 0);
            return this;
        }

        Case heldByTheAsker(long ageMillis) {
            leases.add(new LeaseTracker.Open(
                    "asker",
                    ASKER,
                    false,
                    null,
                    Duration.ofMillis(ageMillis),
                    Activity.UNKNOWN,
                    null,
                    null,
                    false,
                    null,
                    null));
            return this;
        }

        Case allowedBy(String named) {
            cap = new Limits.Cap("roster", named, "grows when others give connections back", "flexpool.roster.max");
            return this;
        }

        Case nobodyElseWaits() {
            pending = 0;
            return this;
        }

        Case bound(int now, boolean growing) {
            limit = now;
            pool = new PoolSnapshot(now, 0, now, 0, now, 0);
            grows = growing;
            return this;
        }

        /** What was decided, in words, one after the other. */
        Case decided(PoolMode in, String... words) {
            return decided(in, 6, Decision.Cause.DEMAND, words);
        }

        /** The same, from four connections to some for a cause. */
        Case decided(PoolMode in, int to, Decision.Cause why, String... words) {
            mode = in;
            for (String each : words) {
                decisions.add(new SizingDecision(
                        decisions.size() + 1,
                        Instant.parse("2026-11-22T01:02:03Z"),
                        in,
                        4,
                        to,
                        to,
                        why,
                        null,
                        in == PoolMode.ADAPT ? Decision.Verdict.PENDING : Decision.Verdict.UNVERIFIED,
                        in == PoolMode.ADAPT ? Decision.Outcome.DONE : Decision.Outcome.REPORTED,
                        Evidence.NONE,
                        each));
            }
            return this;
        }

        Situation situation() {
            PoolState state = new StateReader.State(
                    limit,
                    limit < 0 ? limit : 4,
                    limit < 0 ? limit : 8,
                    leases.size(),
                    0,
                    pending,
                    0,
                    Duration.ofSeconds(1),
                    pool);
            return new Situation(
                    new FailedAttempt(Attempt.only(0), 1_000 * MILLI, why, state, null, null),
                    ASKER,
                    leases,
                    1_000 * MILLI,
                    samples,
                    past,
                    mode,
                    grows,
                    decisions,
                    null,
                    null,
                    LEAK_NANOS,
                    cap);
        }

        Explanation explanation() {
            return ExplanationWriter.explain(7, "orders", null, situation());
        }

        @Override
        public String toString() {
            return name + ": " + expected;
        }
    }

    static Stream<Case> cases() {
        return Stream.of(
                new Case("nothing is known but that all are leased", Cause.DEMAND)
                        .past(UsualLeases.NONE)
                        .nobodyElseWaits(),
                new Case("short leases as ever", Cause.DEMAND).open(4, 5),
                new Case("three times as old is chance", Cause.DEMAND).open(4, 15),
                new Case("in the database, as long as ever", Cause.DEMAND)
                        .past(past(800, 1_000, 800, 50))
                        .open(4, 400, Activity.IN_DATABASE, 390, false),
                new Case("one old lease among young ones", Cause.DEMAND)
                        .open(1, 60_000)
                        .open(4, 5),
                new Case("short leases that are hardly ever in the database", Cause.DEMAND)
                        .open(4, 5, Activity.IDLE, 0, false),
                new Case("old, measured in the database", Cause.SLOW_DATABASE)
                        .open(4, 900, Activity.IN_DATABASE, 870, false),
                new Case("old, measured in the database, between two calls now", Cause.SLOW_DATABASE)
                        .open(4, 900, Activity.IDLE, 870, false),
                new Case("old, seen in the database", Cause.SLOW_DATABASE)
                        .open(4, 900)
                        .seen(Place.IN_DATABASE, Place.IN_APPLICATION, Place.IN_DATABASE),
                new Case("old, no past, seen in the database", Cause.SLOW_DATABASE)
                        .past(past(10, 19, 10, 19))
                        .open(4, 1_000)
                        .seen(Place.IN_DATABASE),
                new Case("no past, but younger than the wait", Cause.DEMAND)
                        .past(UsualLeases.NONE)
                        .open(4, 999)
                        .seen(Place.IN_DATABASE),
                new Case("old, measured idle", Cause.HELD_IDLE).open(4, 900, Activity.IDLE, 20, false),
                new Case("old, measured idle, a call runs just now", Cause.HELD_IDLE)
                        .open(4, 900, Activity.IN_DATABASE, 20, false),
                new Case("old, seen in the application", Cause.HELD_IDLE)
                        .open(4, 900)
                        .seen(Place.IN_APPLICATION, Place.IN_APPLICATION),
                new Case("idle for long as always", Cause.HELD_IDLE)
                        .past(past(900, 1_000, 900, 50))
                        .open(4, 400, Activity.IDLE, 20, false),
                new Case("old, at an unknown place", Cause.HELD).open(4, 900),
                new Case("half are suspected", Cause.LEAK)
                        .open(2, 40_000, Activity.IDLE, 5, true)
                        .open(2, 5, Activity.IN_DATABASE, 5, false),
                new Case("all are suspected, and inside a statement", Cause.SLOW_DATABASE)
                        .open(2, 40_000, Activity.IN_DATABASE, 39_000, true),
                new Case("all are suspected, and inside a call by their stacks", Cause.SLOW_DATABASE)
                        .open(2, 40_000, Activity.UNKNOWN, -1, true)
                        .seen(Place.IN_DATABASE, Place.IN_DATABASE),
                new Case("all are suspected, and in the method that acquired them", Cause.HELD_IDLE)
                        .open(2, 40_000, Activity.UNKNOWN, -1, true)
                        .on("OrderService.place", "Thread.run"),
                new Case("all are suspected, and their threads serve other requests", Cause.LEAK)
                        .open(2, 40_000, Activity.UNKNOWN, -1, true)
                        .on("Other.work", "Thread.run"),
                new Case("all are suspected, between two statements", Cause.SLOW_DATABASE)
                        .open(2, 40_000, Activity.IDLE, 39_000, true),
                new Case("all are suspected, and nothing else is known", Cause.HELD)
                        .open(2, 40_000, Activity.UNKNOWN, -1, true),
                new Case("twenty are suspected, of the three that were looked at all have leaked", Cause.LEAK)
                        .open(20, 40_000, Activity.UNKNOWN, -1, true)
                        .seen(Place.ENDED, Place.WAITS_FOR_WORK, Place.ENDED),
                new Case("one of two suspected ones waits for a lock", Cause.NESTED)
                        .open(2, 40_000, Activity.UNKNOWN, -1, true)
                        .seen(Place.WAITS_FOR_CONNECTION, Place.IN_DATABASE),
                new Case("the holders wait for a lock that the asker has", Cause.LOCK_INVERSION)
                        .open(3, 900)
                        .lockedBy(new ThreadSample.LockOwner("unit-owner", true)),
                new Case("the holders wait for a lock of a thread that does something else", Cause.HELD_IDLE)
                        .open(3, 900)
                        .lockedBy(new ThreadSample.LockOwner("report", false)),
                new Case("two of twenty are leased, the third is opening", Cause.OPENING)
                        .open(2, 900)
                        .has(20, 2, 0),
                new Case("the first connection came too late, and is idle", Cause.OPENING).has(3, 1, 1),
                new Case("a pool that reports no refusal is opening the eighth", Cause.OPENING)
                        .open(7, 5)
                        .has(8, 7, 0)
                        .failed(null, "SQLTransientConnectionException: timed out"),
                new Case("no connection is open, and none comes", Cause.CONNECT_FAILURE)
                        .has(8, 0, 0)
                        .failed(null, "SQLTransientConnectionException: timed out"),
                new Case("seven of eight are leased, and connects are refused", Cause.CONNECT_FAILURE)
                        .open(7, 5)
                        .has(8, 7, 0)
                        .failed("08001", "refused"),
                new Case("an idle connection came too late", Cause.DEMAND)
                        .open(3, 5)
                        .has(4, 4, 1),
                new Case("fewer than half are suspected", Cause.DEMAND)
                        .open(1, 40_000, Activity.IDLE, 5, true)
                        .open(3, 5),
                new Case("the threads have gone home from young leases", Cause.DEMAND)
                        .open(4, 5)
                        .seen(Place.ENDED, Place.WAITS_FOR_WORK),
                new Case("the threads have ended", Cause.LEAK)
                        .open(7, 900)
                        .seen(Place.ENDED, Place.WAITS_FOR_WORK, Place.IN_DATABASE),
                new Case("the asker holds one and the others wait", Cause.NESTED)
                        .open(3, 900)
                        .seen(Place.WAITS_FOR_CONNECTION, Place.WAITS_FOR_CONNECTION, Place.IN_DATABASE)
                        .heldByTheAsker(900),
                new Case("another asks, those who hold wait", Cause.NESTED)
                        .open(4, 900)
                        .seen(Place.WAITS_FOR_CONNECTION, Place.IN_DATABASE),
                new Case("one of three waits for another", Cause.SLOW_DATABASE)
                        .open(4, 900)
                        .seen(Place.WAITS_FOR_CONNECTION, Place.IN_DATABASE, Place.IN_DATABASE),
                new Case("virtual threads that hold and ask", Cause.NESTED)
                        .open(3, 900)
                        .heldByTheAsker(900),
                new Case("virtual threads that hold and ask, for a moment", Cause.DEMAND)
                        .open(3, 5)
                        .heldByTheAsker(5),
                new Case("the asker holds one, and the database is known to be slow", Cause.SLOW_DATABASE)
                        .open(3, 900, Activity.IN_DATABASE, 890, false)
                        .heldByTheAsker(900),
                new Case("the asker holds one, but the database is slow", Cause.SLOW_DATABASE)
                        .open(3, 900)
                        .seen(Place.IN_DATABASE, Place.IN_DATABASE, Place.IN_DATABASE)
                        .heldByTheAsker(900),
                new Case("connects fail, with leases or without", Cause.CONNECT_FAILURE)
                        .open(4, 900, Activity.IN_DATABASE, 870, true)
                        .failed("08006", "PSQLException: reset"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void theFiguresDecide(Case figures) {
        assertThat(figures.explanation().cause()).isEqualTo(figures.expected);
    }

    @Test
    void whatIsNotKnownIsSaid() {
        assertThat(new Case("", Cause.HELD).open(4, 900).explanation().text())
                .contains(": connections held for long, unknown whether the database is slow\n")
                .contains("Set flexpool.time-in-database = true to see whether");
        assertThat(new Case("", Cause.HELD)
                        .past(UsualLeases.NONE)
                        .open(4, 2_000)
                        .explanation()
                        .text())
                .contains("usual age unknown (too few leases before this failure)");
    }

    @Test
    void whatIdleHoldersDoInsteadIsSaid() {
        Explanation explanation = new Case("", Cause.HELD_IDLE)
                .open(3, 520, Activity.IDLE, 40, false)
                .doing(null, OtherWork.SLEEP, OtherWork.HTTP_CALL, OtherWork.HTTP_CALL)
                .explanation();
        assertThat(explanation.cause()).isEqualTo(Cause.HELD_IDLE);
        assertThat(explanation.text())
                .contains("work of the sampled threads: 2 in an HTTP call, 1 sleeping")
                .contains(
                        "3 x OrderService.place(OrderService.java:42)  520 ms  2 without a statement: in an HTTP call at"
                                + " Own.code(Own.java:3), 1 without a statement: sleeping at Own.code(Own.java:3); the oldest: 480 ms outside"
                                + " the database  in worker-1 and 2 others")
                .endsWith("Do not hold the connection during an HTTP call (call sites above).")
                .doesNotContain("open-in-view");
        assertThat(explanation.holders())
                .extracting(Explanation.Holder::otherWork)
                .containsExactly(OtherWork.SLEEP, OtherWork.HTTP_CALL, OtherWork.HTTP_CALL);
        assertThat(new Case("", Cause.HELD_IDLE)
                        .open(3, 520)
                        .doing(null, OtherWork.HTTP_CALL)
                        .explanation()
                        .text())
                .as("without time-in-database")
                .contains("520 ms  1 without a statement: in an HTTP call at Own.code(Own.java:3)  in ");
    }

    @Test
    void anOpenViewIsNamedWithWhatEndsIt() {
        Explanation explanation = new Case("", Cause.HELD_IDLE)
                .open(3, 520)
                .doing("spring.jpa.open-in-view=false", OtherWork.HTTP_CALL, OtherWork.CPU)
                .explanation();
        assertThat(explanation.holders())
                .extracting(Explanation.Holder::openInView)
                .containsExactly(true, true, false);
        assertThat(explanation.text())
                .contains("2 of the 2 sampled holders handle a web request and are in no transaction: held by"
                        + " open-in-view")
                .contains("1 without a statement: in an HTTP call at Own.code(Own.java:3), held by open-in-view")
                .contains(" spring.jpa.open-in-view=false returns it at the end of the transaction");
    }

    @Test
    void theLastMinuteIsComparedWithTheTimeBefore() {
        assertThat(new Case("", Cause.DEMAND).open(4, 5).explanation().text())
                .containsPattern(
                        "lease times are unchanged: p50 .* earlier, and p50 .* in the last 58 s \\(200 leases\\)");
        assertThat(new Case("", Cause.HELD)
                        .past(past(10, 200, 10, 200))
                        .open(4, 900)
                        .explanation()
                        .text())
                .containsPattern("ended leases: p50 .*");
    }

    @Test
    void everyCauseHasFiguresAndSaysWhatFlexpoolDoes() {
        assertThat(cases()).allSatisfy(figures -> {
            Explanation explanation = figures.explanation();
            assertThat(explanation.evidence()).isNotEmpty();
            assertThat(explanation.action()).isNotBlank();
            assertThat(explanation.text())
                    .startsWith("orders: no connection after 1000 ms: "
                            + explanation.cause().words() + "\n  cause    ")
                    .contains("; report 7", "\n  actions  ", "\n  advice   ")
                    .endsWith(".");
        });
    }

    @Test
    void aDatabaseThatRefusesIsNotAFullOne() {
        assertThat(new Case("", Cause.CONNECT_FAILURE)
                        .failed("53300", "PSQLException: too many")
                        .explanation()
                        .text())
                .contains("the server allows no more connections (SQLState 53300)")
                .contains("PSQLException: too many")
                .contains("make the pools of all clients smaller");
        assertThat(new Case("", Cause.CONNECT_FAILURE)
                        .failed("08001", "refused")
                        .explanation()
                        .text())
                .contains("the server cannot be reached (SQLState 08001)")
                .doesNotContain("out of connections");
        assertThat(new Case("", Cause.CONNECT_FAILURE)
                        .failed("57P03", "starting")
                        .explanation()
                        .text())
                .contains("shutting down or starting");
        assertThat(new Case("", Cause.CONNECT_FAILURE)
                        .failed("28P01", "password")
                        .explanation()
                        .text())
                .contains("refuses the login");
        assertThat(new Case("", Cause.CONNECT_FAILURE)
                        .failed(null, "hangs")
                        .explanation()
                        .text())
                .contains("the pool reports no connect failure, and no connection opened in time")
                .doesNotContain("hangs", "while connects fail");
    }

    @Test
    void onDemandItSaysWhatRoomThereIs() {
        assertThat(new Case("", Cause.DEMAND).open(4, 5).explanation().action())
                .contains("A larger pool would help if the database has capacity");
        assertThat(new Case("", Cause.DEMAND)
                        .open(4, 5)
                        .bound(4, false)
                        .explanation()
                        .action())
                .contains("above its limit of 4");
        assertThat(new Case("", Cause.DEMAND)
                        .open(4, 5)
                        .bound(4, true)
                        .allowedBy("the number of 'orders-db'")
                        .explanation()
                        .action())
                .startsWith(
                        "keeps at most 4 connections, as the number of 'orders-db' requires; the sizing controller only reports (mode recommend). flexpool"
                                + " grows when others give connections back.");
        assertThat(new Case("", Cause.DEMAND)
                        .open(1, 5)
                        .bound(1, true)
                        .allowedBy("the fleet")
                        .explanation()
                        .action())
                .startsWith("keeps at most 1 connection, as the fleet requires; ");
        assertThat(new Case("", Cause.DEMAND)
                        .open(4, 5)
                        .bound(6, true)
                        .explanation()
                        .action())
                .startsWith("a strategy raised the limit from 4 to 6; ")
                .contains("grows up to 8");
        assertThat(new Case("", Cause.DEMAND)
                        .open(4, 5)
                        .bound(8, true)
                        .explanation()
                        .action())
                .contains("Raise the ceiling of 8");
    }

    /** "A larger pool would not help", and "last recommendation" to try one. */
    @Test
    void adviceAgainstMoreConnectionsIsNotFollowedByADecisionForThem() {
        String against = new Case("", Cause.SLOW_DATABASE)
                .open(4, 900)
                .seen(Place.IN_DATABASE)
                .decided(PoolMode.RECOMMEND, "one", "two")
                .explanation()
                .action();
        assertThat(against)
                .contains("A larger pool would not help")
                .startsWith("none; the sizing controller only reports (mode recommend). ");
    }

    /** "A larger pool would help", and "last recommendation" to keep fewer. */
    @Test
    void adviceForMoreConnectionsIsNotFollowedByADecisionAgainstThem() {
        for (Decision.Cause against : List.of(Decision.Cause.CALM, Decision.Cause.KNEE, Decision.Cause.CONTENTION)) {
            assertThat(new Case("", Cause.DEMAND)
                            .open(4, 5)
                            .decided(PoolMode.RECOMMEND, 2, against, "two are enough")
                            .explanation()
                            .action())
                    .as(against.name())
                    .contains("A larger pool would help")
                    .startsWith("none; the sizing controller only reports (mode recommend). ");
        }
        assertThat(new Case("", Cause.NESTED)
                        .open(2, 900)
                        .seen(Place.WAITS_FOR_CONNECTION)
                        .decided(PoolMode.RECOMMEND, 2, Decision.Cause.CALM, "two are enough")
                        .explanation()
                        .action())
                .contains("need at least 3 connections")
                .startsWith("none; the sizing controller only reports (mode recommend). ");
        assertThat(new Case("", Cause.DEMAND)
                        .open(4, 5)
                        .decided(PoolMode.RECOMMEND, 6, Decision.Cause.QUEUE, "six")
                        .explanation()
                        .action())
                .as("the control")
                .contains("last recommendation: six");
    }

    @Test
    void theModeIsNamedWithWhatWasOrWouldHaveBeenDecided() {
        assertThat(new Case("", Cause.DEMAND).open(4, 5).explanation().action())
                .startsWith("none; the sizing controller only reports (mode recommend). ");
        assertThat(new Case("", Cause.DEMAND)
                        .open(4, 5)
                        .decided(PoolMode.RECOMMEND, "one", "two")
                        .explanation()
                        .action())
                .startsWith("none; the sizing controller only reports (mode recommend; last recommendation: two). ");
        String acting = new Case("", Cause.DEMAND)
                .open(4, 5)
                .bound(6, false)
                .decided(PoolMode.ADAPT, "one", "two")
                .explanation()
                .action();
        assertThat(acting).contains("raises the limit, at most to 8").contains(" (mode adapt; last decision: two). ");
        assertThat(new Case("", Cause.DEMAND)
                        .open(4, 5)
                        .decided(PoolMode.MONITOR)
                        .explanation()
                        .action())
                .startsWith("none (mode monitor). ");
    }

    @Test
    void theOldestFiveAreNamedWithPlaceAgeAndActivity() {
        Explanation explanation = new Case("", Cause.SLOW_DATABASE)
                .open(7, 900, Activity.IN_DATABASE, 870, false)
                .explanation();
        assertThat(explanation.holders()).hasSize(5);
        assertThat(explanation.text())
                .contains(
                        "  holders  7 x OrderService.place(OrderService.java:42)  900 ms  in the database  in worker-1 and 6"
                                + " others\n")
                .doesNotContain("worker-6");
    }

    @Test
    void theUsualAgeIsThatOfALeaseMetAtRandom() {
        assertThat(past(10, 100, 10, 0).usualAgeNanos()).isBetween(4.9 * MILLI, 5.3 * MILLI);
        SharedHistogram mixed = new SharedHistogram();
        for (int at = 0; at < 99; at++) {
            mixed.record(MILLI);
        }
        mixed.record(1_000 * MILLI);
        // Nine tenths of the time one meets the long one, in its middle.
        assertThat(new UsualLeases(mixed.snapshot(), mixed.snapshot(), 0).usualAgeNanos())
                .isBetween(400.0 * MILLI, 490.0 * MILLI);
    }
}
