// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.broker.ChainJvm.Task;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class BrokerPlanTest {
    private static BrokerPlan plan(int messages, long seed) {
        return new BrokerPlan(
                EnumSet.allOf(BrokerStore.class),
                new TreeSet<>(List.of(1024, 10240)),
                messages,
                2,
                100,
                seed,
                false,
                List.of());
    }

    @Test
    void eachRoundHasEachStoreWithEachPayloadOnce() {
        List<Task> tasks = plan(100, 1).tasks();

        assertThat(tasks).hasSize(28).doesNotHaveDuplicates();
        assertThat(tasks.subList(0, 14)).allMatch(task -> task.round() == 0);
    }

    @Test
    void theSeedGivesTheOrder() {
        assertThat(plan(100, 1).tasks()).isEqualTo(plan(100, 1).tasks());
        assertThat(plan(100, 1).tasks().stream().map(Task::store))
                .isNotEqualTo(plan(100, 2).tasks().stream().map(Task::store).toList());
    }

    @Test
    void batchesAreOfAThousandOrATenthOfTheMessages() {
        assertThat(plan(100_000, 1).batch()).isEqualTo(1_000);
        assertThat(plan(2_000, 1).batch()).isEqualTo(1_000);
        assertThat(plan(1_999, 1).batch()).isEqualTo(199);
        assertThat(plan(200, 1).batch()).isEqualTo(20);
        assertThat(plan(10, 1).batch()).isEqualTo(1);
    }

    @Test
    void onlyASmallRunHasASmallWarmUp() {
        assertThat(plan(100_000, 1).warmUp()).isEqualTo(1_000);
        assertThat(plan(1_000, 1).warmUp()).isEqualTo(1_000);
        assertThat(plan(999, 1).warmUp()).isEqualTo(99);
        assertThat(plan(10, 1).warmUp()).isEqualTo(20);
    }

    @Test
    void bareAndWrappedFollowEachOtherInEitherOrder() {
        Set<Boolean> orders = new HashSet<>();
        for (long seed = 0; seed < 20; seed++) {
            List<Task> tasks = plan(100, seed).tasks();
            for (int at = 0; at < tasks.size(); at++) {
                Task task = tasks.get(at);
                BrokerStore bare = task.store().bare().orElse(task.store());
                if (bare != task.store()) {
                    Predicate<Task> partner = other ->
                            other.store() == bare && other.payload() == task.payload() && other.round() == task.round();
                    boolean before = at > 0 && partner.test(tasks.get(at - 1));
                    assertThat(before || partner.test(tasks.get(at + 1))).isTrue();
                    orders.add(before);
                }
            }
        }
        assertThat(orders).containsExactlyInAnyOrder(true, false);
    }

    @Test
    void theCommandRepeatsTheRun() {
        assertThat(plan(100, 7).command())
                .startsWith("broker", "--messages=100", "--payload=1k,10k")
                .contains("--repeats=2", "--seed=7");
    }
}
