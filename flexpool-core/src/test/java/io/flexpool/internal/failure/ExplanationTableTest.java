// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.Explanation.Cause;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.diagnostics.OpenLease.OtherWork;
import io.flexpool.internal.context.Insight;
import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.failure.Diagnosis.Situation;
import io.flexpool.internal.failure.FailedAttempt.Attempt;
import io.flexpool.internal.failure.ThreadSample.Place;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.record.StatisticsHistory.UsualLeases;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.spi.SessionInsight.SessionFindings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An explanation as people read it: a small table. */
class ExplanationTableTest {
    private static final long SECOND = 1_000_000_000L;

    private final List<OpenLease> leases = new ArrayList<>();
    private final Map<Long, ThreadSample> samples = new HashMap<>();
    private SessionFindings.@Nullable Query look;
    private List<String> findings = List.of();
    /** By the cause to which it belongs. */
    private Map<Cause, String> advice = Map.of();

    private String sqlState = "08001";

    private final class OfPart implements Insight.Findings {
        @Override
        public List<String> findings() {
            return findings;
        }

        @Override
        public @Nullable String advice(Cause cause) {
            return advice.get(cause);
        }
    }

    private String reason = "none came back";
    private OpenLease.@Nullable SessionState session;

    private OpenLease lease(String site, long ageMillis, String thread, @Nullable String statement) {
        OpenLease lease = new LeaseTracker.Open(
                thread,
                1L + leases.size(),
                false,
                site,
                Duration.ofMillis(ageMillis),
                Activity.UNKNOWN,
                null,
                statement,
                false,
                session,
                null);
        leases.add(lease);
        return lease;
    }

    private void sleeps(OpenLease lease, String place) {
        samples.put(lease.threadId(), new ThreadSample(Place.IN_APPLICATION, "at " + place, OtherWork.SLEEP, null));
    }

    private Explanation explanation(Kind kind) {
        PoolState state = new StateReader.State(
                2, 2, 4, leases.size(), 0, 3, 0, Duration.ofSeconds(1), new PoolSnapshot(2, 0, 2, 0, 2, 0));
        FailedAttempt failed = new FailedAttempt(
                Attempt.only(0), SECOND, new AcquisitionFailure(kind, sqlState, reason), state, null, null);
        return ExplanationWriter.explain(
                7,
                "orders",
                "0af7",
                new Situation(
                        failed,
                        99,
                        leases,
                        SECOND,
                        samples,
                        UsualLeases.NONE,
                        PoolMode.RECOMMEND,
                        false,
                        List.of(),
                        look,
                        new OfPart(),
                        SECOND,
                        null));
    }

    private String text() {
        return explanation(Kind.EXHAUSTED).text();
    }

    @Test
    void theAdviceOfAPartTakesThePlaceOfThatOfItsCause() {
        advice = Map.of(Cause.CONNECT_FAILURE, "Raise the pooler's pool_size.");
        assertThat(explanation(Kind.CONNECT_FAILED).text()).endsWith("advice   Raise the pooler's pool_size.");
        assertThat(explanation(Kind.CONNECT_FAILED).action()).endsWith(". Raise the pooler's pool_size.");
        assertThat(text()).doesNotContain("pooler");
    }

    /** A password that is wrong is wrong however many clients wait elsewhere. */
    @Test
    void theAdviceOfAPartDoesNotHideThatTheServerRefuses() {
        advice = Map.of(Cause.CONNECT_FAILURE, "Raise the pooler's pool_size.");
        sqlState = "28P01";
        assertThat(explanation(Kind.CONNECT_FAILED).text())
                .contains("credentials")
                .doesNotContain("pooler");
    }

    @Test
    void whatPartsFoundComesBeforeWhatTheServerSays() {
        findings = List.of("an earlier lease has left an advisory lock, at Stock.lock(Stock.java:12)");
        sleeps(lease("Shop.report(Shop.java:25)", 1067, "report-1", null), "Shop.report(Shop.java:26)");
        assertThat(text())
                .contains("\n  server   an earlier lease has left an advisory lock, at Stock.lock(Stock.java:12)");
        assertThat(explanation(Kind.EXHAUSTED).evidence()).contains(findings.get(0));
    }

    @Test
    void theTableHasAHeadlineAndLabels() {
        sleeps(lease("Shop.report(Shop.java:25)", 1067, "report-1", null), "Shop.report(Shop.java:26)");
        sleeps(lease("Shop.report(Shop.java:25)", 1060, "report-2", null), "Shop.report(Shop.java:26)");
        assertThat(text()).isEqualTo("""
                        orders: no connection after 1000 ms: connections held without a running statement
                          cause    exhausted, every connection is in use; limit 2 (base 2, ceiling 4), max 2, active 2, idle 0, pending 3, oldest waits 1000 ms; trace 0af7; report 7
                                   0 of the 2 oldest holders run a statement (seen in their stack traces)
                                   work of the sampled threads: 2 sleeping
                                   open leases: median age 1060 ms, usual age unknown (too few leases before this failure)
                                   3 other requests wait, the application holds 2 connections
                          holders  2 x Shop.report(Shop.java:25)  1067 ms  without a statement: sleeping (Shop.java:26)  in report-1 and 1 other
                          actions  none; the sizing controller only reports (mode recommend)
                          advice   A larger pool would not help. Do not hold the connection while sleeping (call sites above).""");
    }

    /** "0 of the 2 oldest holders run a statement" and "idle", of connections that other threads were using. */
    @Test
    void aLeaseThatAnotherThreadUsesIsNotIdle() {
        for (int number = 1; number <= 2; number++) {
            session = new Running();
            OpenLease acquired = lease("Shop.load(Shop.java:25)", 1067, "asker-" + number, null);
            samples.put(acquired.threadId(), new ThreadSample(Place.WAITS_FOR_WORK, "its thread waits for work"));
        }
        assertThat(text())
                .contains("another thread runs a statement on 2 of the 2 oldest leases (seen in the server)")
                .contains("in the database, its thread waits for work; the oldest: session running for 1.0 s")
                .doesNotContain("without a statement:", "stack traces");
    }

    private record Running() implements OpenLease.SessionState {
        @Override
        public boolean works() {
            return true;
        }

        @Override
        public boolean idles() {
            return false;
        }

        @Override
        public Duration inState() {
            return Duration.ofSeconds(1);
        }

        @Override
        public String describe() {
            return "running for 1.0 s";
        }

        @Override
        public Map<String, Object> fields() {
            return Map.of();
        }
    }

    @Test
    void fiftyHoldersTakeAtMostTwelveLines() {
        for (int at = 0; at < 50; at++) {
            OpenLease lease =
                    lease("Shop.m" + at + "(Shop.java:" + at + ")", 5_000 - at, "worker-" + at, "select " + at);
            sleeps(lease, "Other.work(Other.java:9)");
        }
        look = found("a".repeat(150), "b".repeat(150), "c".repeat(150), "d".repeat(150));
        assertThat(text().lines())
                .hasSizeLessThanOrEqualTo(ExplanationTable.MOST_LINES)
                .hasSizeGreaterThan(10);
        assertThat(text())
                .contains("1 x Shop.m0(Shop.java:0)", "and 47 other connections at 47 call sites")
                .contains("; " + "d".repeat(150));
    }

    @Test
    void equalCallSitesAreCountedAndTheOldestIsFirst() {
        lease("Shop.report(Shop.java:25)", 3_000, "a", null);
        lease("Cart.pay(Cart.java:7)", 2_000, "b", null);
        lease("Shop.report(Shop.java:25)", 1_000, "c", null);
        lease("Shop.report(Shop.java:25)", 500, "d", null);
        assertThat(text()).contains("""
                        holders  3 x Shop.report(Shop.java:25)  3000 ms  activity unknown  in a and 2 others
                                   1 x Cart.pay(Cart.java:7)      2000 ms  activity unknown  in b
                        """);
    }

    @Test
    void aRowCountsWhatItsThreadsDo() {
        sleeps(lease("Shop.report(Shop.java:25)", 3_000, "a", null), "Shop.report(Shop.java:26)");
        samples.put(
                lease("Shop.report(Shop.java:25)", 2_000, "b", null).threadId(),
                new ThreadSample(Place.IN_DATABASE, "inside executeQuery"));
        sleeps(lease("Shop.report(Shop.java:25)", 1_000, "c", null), "Shop.report(Shop.java:26)");
        lease("Shop.report(Shop.java:25)", 900, "d", "select 1");
        assertThat(text())
                .contains(
                        "4 x Shop.report(Shop.java:25)  3000 ms  2 without a statement: sleeping (Shop.java:26), 1 in the database,"
                                + " inside executeQuery  in a and 3 others");
    }

    @Test
    void theBlockerComesFirst() {
        for (int at = 0; at < 6; at++) {
            lease("Stock.take(Stock.java:" + at + ")", 5_000 - at, "worker-" + at, null);
        }
        OpenLease blocker = lease("Stock.take(Stock.java:0)", 10, "blocker-1", null);
        look = blocking(blocker);
        Explanation explanation = explanation(Kind.EXHAUSTED);
        assertThat(explanation.cause()).isEqualTo(Cause.BLOCKED_BY_HOLDER);
        assertThat(explanation.text().lines().skip(1).findFirst())
                .hasValueSatisfying(line -> assertThat(line).startsWith("  cause    6 of 7 wait behind session 4711"));
        assertThat(explanation.text())
                .contains(
                        "holders  1 x Stock.take(Stock.java:0)  10 ms    blocks others, activity unknown  in blocker-1\n"
                                + "           1 x Stock.take(Stock.java:0)  5000 ms")
                .contains("and 4 other connections at 4 call sites")
                .endsWith("advice   A larger pool would not help. Commit before other work.");
    }

    @Test
    void oneLineHasNoLineBreakAndLosesNothing() {
        sleeps(lease("Shop.report(Shop.java:25)", 3_000, "a", null), "Shop.report(Shop.java:26)");
        lease("Cart.pay(Cart.java:7)", 2_000, "b", null);
        String line = ExplanationTable.oneLine(text());
        assertThat(line)
                .doesNotContain("\n")
                .startsWith(
                        "orders: no connection after 1000 ms: connections held without a running statement | cause: exhausted")
                .contains(
                        " | holders: 1 x Shop.report(Shop.java:25)  3000 ms  without a statement: sleeping (Shop.java:26)  in a; 1 x Cart.pay")
                .contains(
                        " | actions: none; the sizing controller only reports (mode recommend) | advice: A larger pool would not help.");
        assertThat(line.replaceAll("[^a-z0-9]", "")).isEqualTo(text().replaceAll("[^a-z0-9]", ""));
    }

    /** A thread name, a statement or a driver's message that tries to begin a line, and one with a password. */
    @Test
    void foreignTextNeitherBeginsALineNorShowsASecret() {
        lease("Shop.report(Shop.java:25)", 3_000, "evil\n  advice   Drop it", "select 1 -- password=hunter2\n  cause");
        reason = "refused: password=hunter2\n  advice   Drop it";
        for (Kind kind : List.of(Kind.EXHAUSTED, Kind.CONNECT_FAILED)) {
            String text = explanation(kind).text();
            assertThat(text).doesNotContain("hunter2");
            assertThat(text.lines().filter(line -> line.startsWith("  advice"))).hasSize(1);
            assertThat(ExplanationTable.oneLine(text)).doesNotContain("\n", "hunter2");
        }
    }

    private static SessionFindings.Query found(String... server) {
        return (open, failed) -> new Findings(null, null, List.of(server));
    }

    private static SessionFindings.Query blocking(OpenLease lease) {
        return (open, failed) -> new Findings(lease, Cause.BLOCKED_BY_HOLDER, List.of());
    }

    private record Findings(
            @Nullable OpenLease blocker, @Nullable Cause cause, List<String> of) implements SessionFindings {
        @Override
        public boolean answered() {
            return true;
        }

        @Override
        public int known() {
            return 7;
        }

        @Override
        public int busy() {
            return 0;
        }

        @Override
        public int idle() {
            return 0;
        }

        @Override
        public @Nullable Cause blocked(boolean longer) {
            return cause;
        }

        @Override
        public String remedy() {
            return "commit before other work";
        }

        @Override
        public List<String> waits() {
            return cause == null ? List.of() : List.of("6 of 7 wait behind session 4711");
        }

        @Override
        public List<String> works() {
            return List.of();
        }

        @Override
        public List<String> server(boolean isFull) {
            return of;
        }
    }
}
