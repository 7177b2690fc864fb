// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.broker.BrokerJvm.Task;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BrokerPlanTest {
    private static Plan plan(int messages, long seed) {
        List<Workload> workloads = Stream.of(1024, 10240)
                .map(payload -> Chain.workload(payload, messages))
                .toList();
        return new Plan(
                new Chain(),
                BrokerCommand.own(messages, workloads),
                List.of(BrokerStore.values()),
                workloads,
                2,
                100,
                seed,
                false,
                List.of());
    }

    private static int warmUp(int messages) {
        return Chain.warmUp(Chain.workload(1024, messages)).nummessages();
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
        assertThat(Chain.batch(100_000)).isEqualTo(1_000);
        assertThat(Chain.batch(2_000)).isEqualTo(1_000);
        assertThat(Chain.batch(1_999)).isEqualTo(199);
        assertThat(Chain.batch(200)).isEqualTo(20);
        assertThat(Chain.batch(10)).isEqualTo(1);
    }

    @Test
    void onlyASmallRunHasASmallWarmUp() {
        assertThat(warmUp(100_000)).isEqualTo(1_000);
        assertThat(warmUp(1_000)).isEqualTo(1_000);
        assertThat(warmUp(999)).isEqualTo(99);
        assertThat(warmUp(10)).isEqualTo(20);
    }

    @Test
    void bareAndWrappedFollowEachOtherInEitherOrder() {
        Set<Boolean> orders = new HashSet<>();
        for (long seed = 0; seed < 20; seed++) {
            List<Task> tasks = plan(100, seed).tasks();
            for (int at = 0; at < tasks.size(); at++) {
                Task task = tasks.get(at);
                Backend bare = task.backend().bare();
                if (bare != task.backend()) {
                    Predicate<Task> partner = other -> other.backend() == bare
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

    @Test
    void theCommandRepeatsTheRun() {
        assertThat(plan(100, 7).command())
                .startsWith("broker", "--messages=100", "--payload=1k,10k")
                .contains("--repeats=2", "--seed=7");
    }
}
