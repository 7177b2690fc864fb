// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.broker.ChainJvm.Task;
import io.flexpool.benchmarks.messaging.JvmSeries.Planned;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;

/**
 * What one run of the scenario measures.
 *
 * @param stores which stores
 * @param payloads bytes of a message's text, one or several
 * @param messages of each JVM
 * @param repeats JVMs of each store and payload
 * @param inFlight messages that may be on their way at once
 * @param seed of the order and of the texts
 * @param quick whether the small form was selected
 * @param leftOut why stores that were wanted are not among them, one sentence each
 */
record BrokerPlan(
        Set<BrokerStore> stores,
        SortedSet<Integer> payloads,
        int messages,
        int repeats,
        int inFlight,
        long seed,
        boolean quick,
        List<String> leftOut) {
    private static final int BATCH = 1_000;
    private static final int LEAST_BATCHES = 10;
    private static final int WARM_UP = 1_000;
    private static final int LEAST_WARM_UP = 20;
    /** Slower than this no disk is; who waits longer waits for a JVM that hangs. */
    private static final Duration PER_MESSAGE = Duration.ofMillis(500);

    private static final Duration START = Duration.ofMinutes(10);

    /** How many JVMs there are to be. */
    int size() {
        return stores.size() * payloads.size() * repeats;
    }

    /** Messages of one timed batch: a thousand, as published, or fewer where there are few. */
    int batch() {
        return messages >= 2 * BATCH ? BATCH : messages / LEAST_BATCHES;
    }

    /** Messages before those that are measured: the first ones load classes, open pools and create queues. */
    int warmUp() {
        return messages >= WARM_UP ? WARM_UP : Math.max(LEAST_WARM_UP, messages / LEAST_BATCHES);
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
            for (int payload : payloads) {
                for (List<BrokerStore> together : together()) {
                    List<Task> some = new ArrayList<>();
                    for (BrokerStore store : together) {
                        some.add(new Task(store, payload, round, messages, warmUp(), batch(), inFlight, seed));
                    }
                    Collections.shuffle(some, random);
                    next.add(some);
                }
            }
            Collections.shuffle(next, random);
            next.forEach(tasks::addAll);
        }
        return tasks;
    }

    /** The stores, each wrapped one with its bare one. */
    private Collection<List<BrokerStore>> together() {
        return stores.stream()
                .sorted()
                .collect(Collectors.groupingBy(
                        store -> store.bare().orElse(store), LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    /** The same with names for those who wait. */
    List<Planned> jvms() {
        Duration patience = START.plus(PER_MESSAGE.multipliedBy((long) messages + warmUp()));
        return tasks().stream()
                .map(task -> new Planned(
                        task,
                        task.store().toString(),
                        PayloadConverter.text(task.payload()),
                        patience,
                        task.store().weight()))
                .toList();
    }

    /** Every option with its value. */
    Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("messages", Integer.toString(messages));
        options.put("payload", payloads.stream().map(PayloadConverter::text).collect(Collectors.joining(",")));
        options.put("stores", stores.stream().map(BrokerStore::toString).collect(Collectors.joining(",")));
        options.put("repeats", Integer.toString(repeats));
        options.put("in-flight", Integer.toString(inFlight));
        options.put("seed", Long.toString(seed));
        options.put("quick", Boolean.toString(quick));
        return options;
    }

    /** How to repeat it. */
    List<String> command() {
        List<String> command = new ArrayList<>(List.of("broker"));
        options().forEach((name, value) -> {
            if (!name.equals("quick")) {
                command.add("--" + name + "=" + value);
            }
        });
        return command;
    }
}
