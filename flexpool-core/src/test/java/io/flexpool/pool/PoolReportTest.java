// SPDX-License-Identifier: Apache-2.0
package io.flexpool.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.pool.OpenLease.Activity;
import io.flexpool.pool.PoolStatistics.Figures;
import io.flexpool.pool.PoolStatistics.Rates;
import java.util.ArrayList;
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

    private static PoolReport report(List<OpenLease> holders, @Nullable Explanation explanation) {
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
                "orders", "HikariCP", STATE, statistics, holders, List.of(SITE), explanation, List.of(event));
    }

    @Test
    void theTextHasAllPartsInOrderEachOnItsLine() {
        String text = report(List.of(LEASE), EXPLANATION).text();
        assertThat(text)
                .startsWith("flexpool 'orders' (HikariCP): limit 4 (base 4, ceiling 8)")
                .containsSubsequence(
                        "\nLast 58 s: acquisitions 0",
                        "\nSince the start: ",
                        "\nConnections out, oldest first (1):\n  evil worker at OrderService.place",
                        "\nCall sites, those that held connections longest first (1):\n  OrderService.place",
                        "92 % of it not in the database",
                        "lease p50 40 ms, p99 80 ms",
                        "\nLast explained failure: flexpool 'orders': no connection after 1000 ms. Report 3: held idle",
                        "\nEvents, oldest first (1):\n  2023-11-14T22:13:20Z long-lease (2 times): ")
                .endsWith("\n");
        assertThat(text.lines()).hasSize(11);
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
