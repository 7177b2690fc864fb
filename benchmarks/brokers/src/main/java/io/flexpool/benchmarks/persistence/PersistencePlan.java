// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import io.flexpool.benchmarks.messaging.JvmSeries.Planned;
import io.flexpool.benchmarks.persistence.FanJvm.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

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
 * @param command how to repeat it
 * @param leftOut why stores that were wanted are not among them, one sentence each
 */
record PersistencePlan(
        Set<PersistenceStore> stores,
        List<Workload> workloads,
        int repeats,
        int inFlight,
        long seed,
        boolean together,
        Map<String, String> options,
        List<String> command,
        List<String> leftOut) {
    /** Slower than this no disk is; who waits longer waits for a JVM that hangs. */
    private static final Duration PER_MESSAGE = Duration.ofMillis(500);

    private static final Duration START = Duration.ofMinutes(10);

    /**
     * Round after round, each in its own order that the seed gives. A pool and the same pool in flexpool are
     * measured one after the other, in either order: what changes in the course of a round shall not come between them.
     */
    List<Task> tasks() {
        Random random = new Random(seed);
        List<Task> tasks = new ArrayList<>();
        for (int round = 0; round < repeats; round++) {
            List<List<Task>> next = new ArrayList<>();
            for (List<Workload> some : parts(random)) {
                for (List<PersistenceStore> pair : pairs()) {
                    List<Task> one = new ArrayList<>();
                    for (PersistenceStore store : pair) {
                        one.add(new Task(store, some, round, inFlight, seed));
                    }
                    Collections.shuffle(one, random);
                    next.add(one);
                }
            }
            Collections.shuffle(next, random);
            next.forEach(tasks::addAll);
        }
        return tasks;
    }

    /** The stores, each wrapped one with its bare one. */
    private Collection<List<PersistenceStore>> pairs() {
        return stores.stream()
                .sorted()
                .collect(Collectors.groupingBy(PersistenceStore::bare, LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    /** The same with names for those who wait. */
    List<Planned> jvms() {
        return tasks().stream()
                .map(task -> new Planned(
                        task,
                        task.store().toString(),
                        task.workloads().stream().map(Workload::name).collect(Collectors.joining(",")),
                        patience(task.workloads()),
                        1))
                .toList();
    }

    /** Where a workload ends by time, it does so soon after. */
    private static Duration patience(List<Workload> workloads) {
        Duration patience = START;
        for (Workload workload : workloads) {
            patience = patience.plus(
                    workload.limitSeconds() > 0
                            ? Duration.ofSeconds(workload.limitSeconds())
                            : PER_MESSAGE.multipliedBy((long) workload.nummessages() * workload.consumers()));
        }
        return patience;
    }

    private List<List<Workload>> parts(Random random) {
        if (!together) {
            return workloads.stream().map(List::of).toList();
        }
        List<Workload> all = new ArrayList<>(workloads);
        Collections.shuffle(all, random);
        return List.of(all);
    }
}
