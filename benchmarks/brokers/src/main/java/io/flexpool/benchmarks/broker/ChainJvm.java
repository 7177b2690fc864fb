// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.broker.Chain.Passed;
import io.flexpool.benchmarks.kit.AnsweringJvm;
import io.flexpool.benchmarks.messaging.Disk;
import io.flexpool.benchmarks.messaging.EmbeddedBroker;
import io.flexpool.benchmarks.messaging.Lane;
import io.flexpool.benchmarks.messaging.OpenStore;
import io.flexpool.benchmarks.messaging.TempFolder;
import java.util.List;
import java.util.Random;

/** What each fresh JVM runs: a database, a broker and one chain of messages. */
public final class ChainJvm {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private ChainJvm() {}

    /**
     * What is to be measured.
     *
     * @param store where the broker keeps its messages
     * @param payload bytes of each message's text
     * @param round from 0
     * @param messages how many are measured
     * @param warmUp how many come before them
     * @param batch messages of one timed batch
     * @param inFlight how many may be on their way at once
     * @param seed of the text
     */
    record Task(
            BrokerStore store, int payload, int round, int messages, int warmUp, int batch, int inFlight, long seed) {}

    /**
     * Measures, and answers with one {@link ChainRun}, in an array.
     *
     * @param args one task, as JSON
     */
    public static void main(String[] args) {
        AnsweringJvm.answer(() -> MAPPER.writeValueAsString(List.of(run(MAPPER.readValue(args[0], Task.class)))));
    }

    static ChainRun run(Task task) throws Exception {
        try (TempFolder folder = TempFolder.in(TempFolder.usual());
                OpenStore store = task.store().open(folder.path())) {
            Disk disk = Disk.of(folder.path());
            try (EmbeddedBroker broker = EmbeddedBroker.start(store, folder.path())) {
                folder.writtenBy(broker::close);
                return run(task, broker, store, disk);
            }
        }
    }

    private static ChainRun run(Task task, EmbeddedBroker broker, OpenStore store, Disk disk) throws Exception {
        Random random = new Random(task.seed());
        Passed before = pass(task, task.warmUp(), task.warmUp(), broker, random);
        long leftBefore = broker.awaitNothingLeft();
        if (before.lost() + before.doubled() + leftBefore > 0) {
            // Both use the same queues: what is left of one would be counted in the other.
            throw new IllegalStateException("of " + task.warmUp() + " messages before those that are measured "
                    + before.lost() + " were lost and " + before.doubled() + " doubled, " + leftBefore
                    + " lay in a queue at the end");
        }
        store.resetMeters();
        Passed passed = pass(task, task.messages(), task.batch(), broker, random);
        long left = broker.awaitNothingLeft();
        OpenStore.Readings readings = store.readings();
        return new ChainRun(
                task.store().toString(),
                task.payload(),
                task.round(),
                task.messages(),
                passed.seconds(),
                task.batch(),
                passed.batchSeconds(),
                passed.lost(),
                passed.doubled(),
                left,
                readings.asked(),
                readings.connects(),
                disk);
    }

    private static Passed pass(Task task, int messages, int batch, EmbeddedBroker broker, Random random)
            throws Exception {
        return new Chain(broker.connections(), messages, batch, task.inFlight(), Lane.PATIENCE)
                .run(task.payload(), random);
    }
}
