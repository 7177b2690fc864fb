// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.broker.BrokerJvm.Task;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class PersistencePlanTest {
    private static Plan plan(long seed, boolean together) {
        return new Plan(
                new Fan(),
                Map.of(),
                List.of(PersistenceStore.values()),
                Arrays.stream(Shape.values()).map(Shape::workload).toList(),
                2,
                100,
                seed,
                together,
                List.of());
    }

    @Test
    void eachRoundHasEachStoreWithEachWorkloadOnce() {
        List<Task> tasks = plan(1, false).tasks();

        assertThat(tasks).hasSize(48).doesNotHaveDuplicates();
        assertThat(tasks.subList(0, 24)).allMatch(task -> task.round() == 0);
        assertThat(plan(1, false).tasks()).isEqualTo(tasks);
        assertThat(plan(2, false).tasks()).isNotEqualTo(tasks);
    }

    @Test
    void oneJvmForAllWorkloadsOfAStoreHasEachOfThem() {
        assertThat(plan(1, true).tasks())
                .hasSize(12)
                .allMatch(task -> task.workloads().size() == 4);
    }

    @Test
    void bareAndWrappedFollowEachOtherInEitherOrder() {
        Set<Boolean> orders = new HashSet<>();
        for (long seed = 0; seed < 20; seed++) {
            List<Task> tasks = plan(seed, seed % 2 == 0).tasks();
            for (int at = 0; at < tasks.size(); at++) {
                Task task = tasks.get(at);
                if (task.store().equals(PersistenceStore.JDBC_POOLED_WRAPPED.toString())) {
                    Predicate<Task> partner = other -> other.store().equals(PersistenceStore.JDBC_POOLED.toString())
                            && other.workloads().equals(task.workloads())
                            && other.round() == task.round();
                    boolean before = at > 0 && partner.test(tasks.get(at - 1));
                    assertThat(before || partner.test(tasks.get(at + 1))).isTrue();
                    orders.add(before);
                }
            }
        }
        assertThat(orders).containsExactlyInAnyOrder(true, false);
    }
}
