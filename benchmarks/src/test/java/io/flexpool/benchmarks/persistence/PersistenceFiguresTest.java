// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import static io.flexpool.benchmarks.persistence.PersistenceStore.JDBC_POOLED;
import static io.flexpool.benchmarks.persistence.PersistenceStore.JDBC_POOLED_WRAPPED;
import static io.flexpool.benchmarks.persistence.PersistenceStore.KAHADB_DISK;
import static io.flexpool.benchmarks.persistence.PersistenceStore.KAHADB_MEMORY;
import static io.flexpool.benchmarks.persistence.PersistenceStore.NON_PERSISTENT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.flexpool.benchmarks.messaging.Disk;
import io.flexpool.benchmarks.report.Finding;
import io.flexpool.benchmarks.report.Finding.Verdict;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PersistenceFiguresTest {
    private static final String SHAPE = Shape.QUEUE_1_1.toString();

    private static FanRun run(PersistenceStore store, int messages, double rate) {
        return new FanRun(
                store.toString(),
                SHAPE,
                0,
                messages,
                messages,
                0,
                0,
                messages / rate,
                1,
                List.of(),
                new Arrivals.Latency(1, 2, 3, 4, 5),
                null,
                null,
                new Disk("ext4", 1));
    }

    private static Finding finding(String claim, FanRun... runs) {
        PersistencePlan plan = new PersistencePlan(
                EnumSet.allOf(PersistenceStore.class), List.of(Shape.QUEUE_1_1.workload()), 1, 100, 1, false, Map.of());
        return new PersistenceFindings(plan, List.of(runs))
                .all().stream()
                        .filter(finding -> finding.claim().contains(claim))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    void theGapIsBetweenADurableStoreAndNone() {
        PersistenceFigures figures = new PersistenceFigures(List.of(
                run(NON_PERSISTENT, 2_000, 1_000),
                run(KAHADB_DISK, 2_000, 200),
                run(KAHADB_MEMORY, 2_000, 800),
                run(JDBC_POOLED, 2_000, 120)));

        assertThat(figures.closed(KAHADB_MEMORY, KAHADB_DISK, SHAPE)).isEqualTo(75);
        assertThat(figures.closed(KAHADB_DISK, KAHADB_DISK, SHAPE)).isZero();
        assertThat(figures.closed(NON_PERSISTENT, KAHADB_DISK, SHAPE)).isEqualTo(100);
        assertThat(figures.closed(JDBC_POOLED, KAHADB_DISK, SHAPE)).isCloseTo(-10, within(1e-9));
        assertThat(figures.closed(JDBC_POOLED_WRAPPED, KAHADB_DISK, SHAPE)).isNaN();
        assertThat(figures.closed(KAHADB_MEMORY, JDBC_POOLED_WRAPPED, SHAPE)).isNaN();
    }

    @Test
    void aGainOf125PercentReproducesTheClaim() {
        FanRun disk = run(KAHADB_DISK, 2_000, 100);

        assertThat(finding("125 to 265", disk, run(KAHADB_MEMORY, 2_000, 226)).verdict())
                .isEqualTo(Verdict.REPRODUCED);
        assertThat(finding("125 to 265", disk, run(KAHADB_MEMORY, 2_000, 224)).verdict())
                .isEqualTo(Verdict.NOT_REPRODUCED);
        assertThat(finding("125 to 265", disk, run(KAHADB_MEMORY, 1_999, 226)).verdict())
                .isEqualTo(Verdict.CANNOT_BE_JUDGED);
    }

    @Test
    void aWrappedPoolMayLoseThreePercent() {
        FanRun bare = run(JDBC_POOLED, 2_000, 100);

        assertThat(finding("wrapped moves", bare, run(JDBC_POOLED_WRAPPED, 2_000, 97.1))
                        .verdict())
                .isEqualTo(Verdict.GOAL_MET);
        assertThat(finding("wrapped moves", bare, run(JDBC_POOLED_WRAPPED, 2_000, 96.9))
                        .verdict())
                .isEqualTo(Verdict.GOAL_MISSED);
    }
}
