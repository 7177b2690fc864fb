// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import io.flexpool.benchmarks.persistence.FanJvm.Task;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * What one run of the scenario measures.
 *
 * @param stores which stores
 * @param workloads which workloads
 * @param repeats JVMs of each store and workload
 * @param inFlight messages of a publisher that may be on their way to each subscriber
 * @param seed of the order and of the texts
 * @param together whether one JVM runs all workloads, which takes less time
 * @param options every option with its value
 */
record PersistencePlan(
        Set<PersistenceStore> stores,
        List<Workload> workloads,
        int repeats,
        int inFlight,
        long seed,
        boolean together,
        Map<String, String> options) {

    /** Round after round, each in an order of its own that the seed gives. */
    List<Task> tasks() {
        Random random = new Random(seed);
        List<Task> tasks = new ArrayList<>();
        for (int round = 0; round < repeats; round++) {
            List<Task> next = new ArrayList<>();
            for (PersistenceStore store : stores) {
                for (List<Workload> some : parts(random)) {
                    next.add(new Task(store, some, round, inFlight, seed));
                }
            }
            Collections.shuffle(next, random);
            tasks.addAll(next);
        }
        return tasks;
    }

    private List<List<Workload>> parts(Random random) {
        if (!together) {
            return workloads.stream().map(List::of).toList();
        }
        List<Workload> all = new ArrayList<>(workloads);
        Collections.shuffle(all, random);
        return List.of(all);
    }

    /** How to repeat it. */
    List<String> command() {
        List<String> command = new ArrayList<>(List.of("persistence"));
        options.forEach((name, value) -> {
            if (!value.isEmpty() && !name.equals("quick")) {
                command.add("--" + name + "=" + value);
            }
        });
        if (together) {
            command.add("--quick");
        }
        return command;
    }
}
