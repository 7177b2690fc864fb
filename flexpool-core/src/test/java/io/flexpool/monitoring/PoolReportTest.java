// SPDX-License-Identifier: Apache-2.0
package io.flexpool.monitoring;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.CallSiteStatistics;
import io.flexpool.diagnostics.Decision;
import io.flexpool.diagnostics.Decision.RefusedGrowth;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.diagnostics.OpenLease.OtherWork;
import io.flexpool.event.PoolEvent;
import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.event.EventLog;
import io.flexpool.internal.event.Events;
import io.flexpool.internal.failure.ExplanationWriter;
import io.flexpool.internal.lease.CallSites;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.internal.record.StatisticsHistory;
import io.flexpool.internal.sizing.Evidence;
import io.flexpool.internal.sizing.SizingDecision;
import io.flexpool.monitoring.PoolDiagnosis.Housekeeping;
import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.monitoring.PoolStatistics.Rates;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PoolReportTest {
    private static final PoolState STATE =
            new StateReader.State(4, 4, 8, 4, 0, 2, 0, Duration.ofMillis(5), new PoolSnapshot(4, 0, 4, 0, 4, 0));
    private static final OpenLease LEASE = new LeaseTracker.Open(
            "evil\nworker",
            17,
            false,
            "OrderService.place(OrderService.java:42)",
            Duration.ofMillis(480),
            Activity.IDLE,
            Duration.ofMillis(38),
            "select 1 /* password=hunter2 */",
            false,
            null,
            null);
    private static final Explanation EXPLANATION = new ExplanationWriter.Written(
            3,
            Instant.EPOCH,
            "orders",
            "orders: no connection after 1000 ms",
            Explanation.Cause.HELD_IDLE,
            List.of("8 % of the time in the database"),
            List.of(new ExplanationWriter.HolderSeen(
                    LEASE, Activity.IDLE, "at Client.call(Client.java:3)", OtherWork.REMOTE_CALL, true)),
            4,
            "none",
            "orders: no connection after 1000 ms: connections held\n  cause    report 3\n  advice   None.");
    private static final CallSiteStatistics SITE = new CallSites.Statistics(
            "OrderService.place(OrderService.java:42)",
            12,
            Duration.ofMillis(480),
            Duration.ofMillis(2),
            Duration.ofMillis(3),
            Duration.ofMillis(40),
            Duration.ofMillis(80),
            0.92);

    private static final Decision DECISION = new SizingDecision(
            7,
            Instant.parse("2026-11-22T01:02:03.004005Z"),
            PoolMode.ADAPT,
            4,
            6,
            6,
            Decision.Cause.DEMAND,
            null,
            Decision.Verdict.PENDING,
            Decision.Outcome.DONE,
            Evidence.NONE,
            "limit 4 → 6, tried: 300 requests/s");

    private record Statistics(Figures total, Figures recent, Duration window, Rates acquisitionRates, Rates leaseRates)
            implements PoolStatistics {}

    private static String report(List<OpenLease> holders, @Nullable Explanation explanation) {
        return report(holders, explanation, List.of(DECISION));
    }

    private static String report(List<OpenLease> holders, @Nullable Explanation explanation, List<Decision> decisions) {
        return new PoolView() {
            @Override
            public String name() {
                return "orders";
            }

            @Override
            public String type() {
                return "HikariCP";
            }

            @Override
            public PoolMode mode() {
                return PoolMode.ADAPT;
            }

            @Override
            public PoolState state() {
                return STATE;
            }

            @Override
            public PoolStatistics statistics() {
                PoolStatistics none = StatisticsHistory.NONE;
                Rates rates = none.leaseRates();
                return new Statistics(none.total(), none.recent(), Duration.ofSeconds(58), rates, rates);
            }

            @Override
            public List<OpenLease> openLeases() {
                return holders;
            }

            @Override
            public PoolDiagnosis diagnosis() {
                return new Diagnosis(explanation, decisions);
            }
        }.report();
    }

    private record Diagnosis(@Nullable Explanation lastExplanation, List<Decision> decisions) implements PoolDiagnosis {
        @Override
        public Housekeeping housekeeping() {
            return new Housekeeping(Duration.ofMillis(120), 3, List.of("the listener Slow has not returned"));
        }

        @Override
        public List<CallSiteStatistics> callSites() {
            return List.of(SITE);
        }

        @Override
        public List<String> controllers() {
            return List.of("the sizing controller is off", "the strategy Mine password=hunter2");
        }

        @Override
        public List<RefusedGrowth> refusedGrowths() {
            return List.of(new Refused(RefusedGrowth.Reason.CEILING, 57, Instant.ofEpochMilli(1_700_000_000_123L)));
        }

        @Override
        public List<PoolEvent.Recent> recentEvents() {
            EventLog log = new EventLog(InstantSource.fixed(Instant.ofEpochMilli(1_700_000_000_000L)));
            log.add(new Events.LeaseLong("orders", Duration.ofMillis(7)));
            log.add(new Events.LeaseLong("orders", Duration.ofMillis(6)));
            return log.events();
        }
    }

    private record Refused(Reason reason, long count, Instant last) implements RefusedGrowth {}

    @Test
    void theTextHasAllPartsInOrderEachOnItsLine() {
        String text = report(List.of(LEASE), EXPLANATION);
        assertThat(text)
                .startsWith("orders (HikariCP): limit 4 (base 4, ceiling 8)")
                .contains("\nMode: adapt\nAutomatic actions (2):\n  the sizing controller is off\n  the strategy Mine")
                .contains("\n"
                        + "Growth refused, by reason (1):\n"
                        + "  57 times because the ceiling is reached (flexpool.ceiling), last at"
                        + " 2023-11-14T22:13:20Z\n")
                .contains(
                        "\nHousekeeping: last tick 120 ms ago, 3 events dropped; the listener Slow has not returned\n")
                .containsSubsequence(
                        "\nLast 58 s: acquisitions 0",
                        "\nSince the start: ",
                        "\nOpen leases, oldest first (1):\n  evil worker at OrderService.place",
                        "\nCall sites, by total lease time (1):\n  OrderService.place",
                        "92 % outside the database",
                        "lease p50 40 ms, p99 80 ms",
                        "\nLast explained failure:\n  orders: no connection after 1000 ms: connections held\n"
                                + "    cause    report 3\n    advice   None.",
                        "\nSizing decisions, oldest first (1):\n  2026-11-22T01:02:03.004Z limit 4 → 6, tried:"
                                + " 300 requests/s\n",
                        "Events, oldest first (1):\n  2023-11-14T22:13:20Z long-lease (2 times): ")
                .endsWith("\n");
        assertThat(text.lines()).hasSize(23);
    }

    @Test
    void whatThereIsNotIsSaid() {
        assertThat(report(List.of(), null))
                .contains("Open leases, oldest first: none")
                .contains("No failure has been explained.");
    }

    @Test
    void aThousandHoldersDoNotDrownTheRest() {
        List<OpenLease> many = new ArrayList<>();
        for (int at = 0; at < 1_000; at++) {
            many.add(LEASE);
        }
        String report = report(many, null);
        assertThat(report.lines().count()).isLessThan(80);
        assertThat(report).contains("and 950 more");
    }

    @Test
    void onlyTheLastDecisionsAreShown() {
        assertThat(report(List.of(), null, Collections.nCopies(120, DECISION)))
                .contains("Sizing decisions, oldest first, after 100 not shown (20):");
    }

    @Test
    void withoutDecisionsItSaysNone() {
        assertThat(report(List.of(), null, List.of())).contains("\nSizing decisions, oldest first: none\n");
    }

    @Test
    void aHostileThreadNameBeginsNoLine() {
        for (String shown : List.of(report(List.of(LEASE), EXPLANATION))) {
            assertThat(shown).doesNotContain("evil\nworker").contains("evil worker");
        }
    }

    @Test
    void aPasswordIsMasked() {
        for (String shown : List.of(report(List.of(LEASE), EXPLANATION))) {
            assertThat(shown).doesNotContain("hunter2").contains("password=***");
        }
    }
}
