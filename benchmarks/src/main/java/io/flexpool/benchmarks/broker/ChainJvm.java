// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.broker.Chain.Passed;
import io.flexpool.benchmarks.messaging.AnsweringJvm;
import io.flexpool.benchmarks.messaging.Disk;
import io.flexpool.benchmarks.messaging.EmbeddedBroker;
import io.flexpool.benchmarks.messaging.MeteredDataSource;
import io.flexpool.benchmarks.messaging.OpenStore;
import io.flexpool.benchmarks.messaging.TempFolder;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** What each fresh JVM runs: a database, a broker and one chain of messages. */
public final class ChainJvm {
    private static final long ACKNOWLEDGED_NANOS = TimeUnit.SECONDS.toNanos(20);
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
     * Measures, and answers with a {@link ChainRun}.
     *
     * @param args one task, as JSON
     * @throws Exception if something does not start or stop
     */
    public static void main(String[] args) throws Exception {
        AnsweringJvm.answer(MAPPER.writeValueAsString(run(MAPPER.readValue(args[0], Task.class))));
        // Some libraries leave threads behind.
        System.exit(0);
    }

    static ChainRun run(Task task) throws Exception {
        try (TempFolder folder = TempFolder.in(TempFolder.usual());
                OpenStore store = task.store().open(folder.path())) {
            Disk disk = Disk.of(folder.path());
            try (EmbeddedBroker broker = EmbeddedBroker.start(store, folder.path())) {
                Random random = new Random(task.seed());
                pass(task, task.warmUp(), task.warmUp(), broker, random);
                reset(store.asked());
                reset(store.connects());
                Passed passed = pass(task, task.messages(), task.batch(), broker, random);
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
                        left(broker),
                        reading(store.asked()),
                        reading(store.connects()),
                        disk);
            }
        }
    }

    private static Passed pass(Task task, int messages, int batch, EmbeddedBroker broker, Random random)
            throws Exception {
        Passed passed = new Chain(broker.connections(), messages, batch, task.inFlight()).run(task.payload(), random);
        awaitAcknowledged(broker);
        return passed;
    }

    /** The last acknowledgement may still be on its way, and its connection with it. */
    private static void awaitAcknowledged(EmbeddedBroker broker) throws Exception {
        long end = System.nanoTime() + ACKNOWLEDGED_NANOS;
        while (left(broker) > 0 && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private static long left(EmbeddedBroker broker) throws Exception {
        return broker.pending(Chain.QUEUE_1) + broker.pending(Chain.QUEUE_2);
    }

    private static void reset(@Nullable MeteredDataSource meter) {
        if (meter != null) {
            meter.reset();
        }
    }

    private static MeteredDataSource.@Nullable Reading reading(@Nullable MeteredDataSource meter) {
        return meter == null ? null : meter.reading();
    }
}
