// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.benchmarks.broker.ChainJvm.Task;
import java.util.ArrayList;
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
 * @param quick whether the small form was asked for
 */
record BrokerPlan(
        Set<BrokerStore> stores,
        SortedSet<Integer> payloads,
        int messages,
        int repeats,
        int inFlight,
        long seed,
        boolean quick) {
    private static final int BATCH = 1_000;
    private static final int LEAST_BATCHES = 10;
    private static final int MOST_WARM_UP = 1_000;
    private static final int LEAST_WARM_UP = 20;

    /** How many JVMs there are to be. */
    int size() {
        return stores.size() * payloads.size() * repeats;
    }

    /** Messages of one timed batch: a thousand, as published, or fewer where there are few. */
    int batch() {
        return Math.min(BATCH, messages / LEAST_BATCHES);
    }

    /** Messages before those that are measured: the first ones load classes, open pools and create queues. */
    int warmUp() {
        return Math.max(LEAST_WARM_UP, Math.min(MOST_WARM_UP, messages / LEAST_BATCHES));
    }

    /** Round after round, each in an order of its own that the seed gives. */
    List<Task> tasks() {
        Random random = new Random(seed);
        List<Task> tasks = new ArrayList<>();
        for (int round = 0; round < repeats; round++) {
            List<Task> next = new ArrayList<>();
            for (int payload : payloads) {
                for (BrokerStore store : stores) {
                    next.add(new Task(store, payload, round, messages, warmUp(), batch(), inFlight, seed));
                }
            }
            Collections.shuffle(next, random);
            tasks.addAll(next);
        }
        return tasks;
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
