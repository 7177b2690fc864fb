// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.pool.OpenLease.Activity;
import io.flexpool.pool.PoolStatistics.Figures;
import io.flexpool.pool.PoolStatistics.Rates;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PoolReportTest {
    private static final long MILLI = 1_000_000;
    private static final PoolState STATE =
            new PoolState(4, 4, 8, 4, 0, 2, 0, 5 * MILLI, new PoolSnapshot(4, 0, 4, 0, 4, 0));
    private static final OpenLease LEASE = new OpenLease(
            "evil\nworker",
            17,
            false,
            "OrderService.place(OrderService.java:42)",
            480 * MILLI,
            Activity.IDLE,
            38 * MILLI,
            "select 1 /* password=hunter2 */",
            false);
    private static final Explanation EXPLANATION = new Explanation(
            3,
            "orders",
            "flexpool 'orders': no connection after 1000 ms",
            Explanation.Cause.HELD_IDLE,
            List.of("8 % of the time in the database"),
            List.of(new Explanation.Holder(LEASE, Activity.IDLE, "at Client.call(Client.java:3)")),
            4,
            "nothing");
    private static final CallSiteStatistics SITE = new CallSiteStatistics(
            "OrderService.place(OrderService.java:42)",
            12,
            480 * MILLI,
            2 * MILLI,
            3 * MILLI,
            40 * MILLI,
            80 * MILLI,
            0.92);

    private static final Decision DECISION = new Decision(
            7,
            Instant.parse("2026-11-22T01:02:03.004005Z"),
            PoolMode.ACT,
            4,
            6,
            6,
            "demand",
            "pending",
            Decision.Outcome.DONE,
            Map.of("calm-lease-seconds", 0.02, "expected-p99-wait-seconds", Double.POSITIVE_INFINITY),
            "limit 4 → 6, tried: 300 requests/s");

    private static PoolReport report(List<OpenLease> holders, @Nullable Explanation explanation) {
        return report(holders, explanation, List.of(DECISION));
    }

    private static PoolReport report(
            List<OpenLease> holders, @Nullable Explanation explanation, List<Decision> decisions) {
        PoolStatistics statistics =
                new PoolStatistics(Figures.NONE, Figures.NONE, 58_000 * MILLI, Rates.ZERO, Rates.ZERO);
        RecentEvent event = new RecentEvent(
                5,
                RecentEvent.Kind.LONG_LEASE,
                1_700_000_000_000L,
                1_700_000_000_500L,
                2,
                7 * MILLI,
                new PoolEvent.LeaseLong("orders", 7 * MILLI));
        return new PoolReport(
                "orders",
                "HikariCP",
                PoolMode.ACT,
                STATE,
                statistics,
                new WatchState(120 * MILLI, 3, List.of("the listener Slow has not returned")),
                holders,
                List.of(SITE),
                explanation,
                decisions,
                List.of(event));
    }

    @Test
    void theTextHasAllPartsInOrderEachOnItsLine() {
        String text = report(List.of(LEASE), EXPLANATION).text();
        assertThat(text)
                .startsWith("flexpool 'orders' (HikariCP): limit 4 (base 4, ceiling 8)")
                .contains("\nMode: act\n")
                .contains("\nWatch: last tick 120 ms ago, 3 events dropped; the listener Slow has not returned\n")
                .containsSubsequence(
                        "\nLast 58 s: acquisitions 0",
                        "\nSince the start: ",
                        "\nConnections out, oldest first (1):\n  evil worker at OrderService.place",
                        "\nCall sites, those that held connections longest first (1):\n  OrderService.place",
                        "92 % of it not in the database",
                        "lease p50 40 ms, p99 80 ms",
                        "\nLast explained failure: flexpool 'orders': no connection after 1000 ms. Report 3: held idle",
                        "\nDecisions on the size, oldest first (1):\n  2026-11-22T01:02:03.004Z limit 4 → 6, tried:"
                                + " 300 requests/s (pending, done)\n",
                        "Events, oldest first (1):\n  2023-11-14T22:13:20Z long-lease (2 times): ")
                .endsWith("\n");
        assertThat(text.lines()).hasSize(15);
    }

    @Test
    void whatThereIsNotIsSaid() {
        assertThat(report(List.of(), null).text())
                .contains("Connections out, oldest first: none")
                .contains("No failure has been explained.");
        assertThat(report(List.of(), null).asMap()).doesNotContainKey("lastExplanation");
    }

    @Test
    void aThousandHoldersDoNotDrownTheRest() {
        List<OpenLease> many = new ArrayList<>();
        for (int at = 0; at < 1_000; at++) {
            many.add(LEASE);
        }
        PoolReport report = report(many, null);
        assertThat(report.text().lines().count()).isLessThan(80);
        assertThat(report.text()).contains("and 950 more");
        assertThat(report.asMap()).containsEntry("openLeases", 1_000);
        assertThat((List<?>) report.asMap().get("holders")).hasSize(100);
    }

    @Test
    void theLastDecisionsAreShownAndOfTheOthersHowManyThereAre() {
        PoolReport report = report(List.of(), null, Collections.nCopies(120, DECISION));
        assertThat(report.text()).contains("Decisions on the size, oldest first, without 100 before (20):");
        assertThat((List<?>) report.asMap().get("decisions")).hasSize(100);
        assertThat(report.asMap().get("decisions").toString())
                .contains("cause=demand", "verdict=pending", "outcome=done", "calm-lease-seconds=0.02")
                .doesNotContain("Infinity");
        assertThat(report.asMap()).containsEntry("mode", "act");
        assertThat(report(List.of(), null, List.of()).text()).contains("\nDecisions on the size, oldest first: none\n");
    }

    /** JSON, JMX and the endpoint take no more than these. */
    @Test
    void theMapHasOnlyMapsListsStringsBooleansAndNumbers() {
        plain(report(List.of(LEASE), EXPLANATION).asMap());
    }

    private static void plain(Object value) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> {
                assertThat(key).isInstanceOf(String.class);
                plain(each);
            });
        } else if (value instanceof List<?> list) {
            list.forEach(PoolReportTest::plain);
        } else {
            assertThat(value).isInstanceOfAny(String.class, Boolean.class, Number.class);
        }
    }

    @Test
    void aHostileThreadNameBeginsNoLineAndAPasswordIsMasked() {
        PoolReport report = report(List.of(LEASE), EXPLANATION);
        for (String shown : List.of(report.text(), report.asMap().toString(), EXPLANATION.text())) {
            assertThat(shown).doesNotContain("evil\nworker").doesNotContain("hunter2");
            assertThat(shown).contains("evil worker").contains("password=***");
        }
        assertThat(EXPLANATION.text()).doesNotContain("\n");
    }
}
