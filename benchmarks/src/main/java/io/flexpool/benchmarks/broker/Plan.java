// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.broker.BrokerJvm.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * What one run of a scenario measures.
 *
 * @param form how messages pass through the broker
 * @param own the options that only this scenario has, each with all that was given to it, which may be nothing
 * @param stores which stores
 * @param workloads which workloads, of different names
 * @param repeats JVMs of each store and workload
 * @param inFlight messages of a publisher that may be on their way to each receiver
 * @param seed of the order and of the texts
 * @param quick whether the small form was selected
 * @param leftOut why stores that were wanted are not among them, one sentence each
 */
record Plan(
        Form form,
        Map<String, List<String>> own,
        List<? extends Store> stores,
        List<Workload> workloads,
        int repeats,
        int inFlight,
        long seed,
        boolean quick,
        List<String> leftOut) {
    /** Slower than this no disk is; who waits longer waits for a JVM that hangs. */
    private static final Duration PER_MESSAGE = Duration.ofMillis(500);

    private static final Duration START = Duration.ofMinutes(10);

    /** How many runs there are to be. */
    int size() {
        return stores.size() * workloads.size() * repeats;
    }

    /** The names of the workloads. */
    List<String> names() {
        return workloads.stream().map(Workload::name).toList();
    }

    /** Whether one JVM runs all workloads, which takes less time; a chain has its own JVM. */
    boolean together() {
        return quick && !form.chained();
    }

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
                for (List<Store> pair : pairs()) {
                    List<Task> one = new ArrayList<>();
                    for (Store store : pair) {
                        one.add(new Task(
                                store.toString(), store.backend(), some, form.chained(), round, inFlight, seed));
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

    private List<List<Workload>> parts(Random random) {
        if (!together()) {
            return workloads.stream().map(List::of).toList();
        }
        List<Workload> all = new ArrayList<>(workloads);
        Collections.shuffle(all, random);
        return List.of(all);
    }

    /** The stores, each wrapped one with its bare one. */
    private Collection<List<Store>> pairs() {
        return stores.stream()
                .sorted()
                .collect(Collectors.groupingBy(
                        store -> store.backend().bare(), LinkedHashMap::new, Collectors.<Store>toList()))
                .values();
    }

    /** How long a JVM may take at the most. Where a workload ends by time, it does so soon after. */
    static Duration patience(Task task) {
        Duration patience = START;
        for (Workload workload : task.workloads()) {
            patience = patience.plus(
                    workload.limitSeconds() > 0
                            ? Duration.ofSeconds(workload.limitSeconds())
                            : PER_MESSAGE.multipliedBy((long) workload.nummessages() * workload.consumers()));
        }
        return patience;
    }

    /** Every option with its value. */
    Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        own.forEach((name, values) -> options.put(name, String.join(",", values)));
        options.putAll(common());
        options.put("quick", Boolean.toString(quick));
        return options;
    }

    private Map<String, String> common() {
        Map<String, String> common = new LinkedHashMap<>();
        common.put("stores", stores.stream().map(Store::toString).collect(Collectors.joining(",")));
        common.put("repeats", Integer.toString(repeats));
        common.put("in-flight", Integer.toString(inFlight));
        common.put("seed", Long.toString(seed));
        return common;
    }

    /** How to repeat it. */
    List<String> command() {
        List<String> command = new ArrayList<>(List.of(form.scenario()));
        own.forEach((name, values) -> values.forEach(value -> command.add("--" + name + "=" + value)));
        common().forEach((name, value) -> command.add("--" + name + "=" + value));
        if (quick) {
            command.add("--quick");
        }
        return command;
    }
}
