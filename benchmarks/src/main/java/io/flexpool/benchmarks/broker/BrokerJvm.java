// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.broker.Traffic.Delivered;
import io.flexpool.benchmarks.kit.AnsweringJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What each fresh JVM runs: a store, a broker and one or several workloads, one after the other. */
public final class BrokerJvm {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private BrokerJvm() {}

    /**
     * What is to be measured.
     *
     * @param store the store's name
     * @param backend where the broker keeps its messages
     * @param workloads one after the other
     * @param chained whether the workloads are chains
     * @param round from 0
     * @param inFlight messages of a publisher that may be on their way to each receiver
     * @param seed of the texts
     */
    record Task(
            String store,
            Backend backend,
            List<Workload> workloads,
            boolean chained,
            int round,
            int inFlight,
            long seed) {}

    /**
     * Measures, and answers with one {@link Run} for each workload.
     *
     * @param args one task, as JSON
     */
    public static void main(String[] args) {
        AnsweringJvm.answer(() -> MAPPER.writeValueAsString(run(MAPPER.readValue(args[0], Task.class))));
    }

    static List<Run> run(Task task) throws Exception {
        try (TempFolder folder = TempFolder.in(task.backend().parent());
                OpenStore store = task.backend().open(folder.path())) {
            Disk disk = Disk.of(folder.path());
            List<Run> runs = new ArrayList<>();
            try (EmbeddedBroker broker = EmbeddedBroker.start(store, folder.path())) {
                folder.writtenBy(broker::close);
                for (Workload workload : task.workloads()) {
                    runs.add(run(task, workload, broker, store, disk));
                }
            }
            return runs;
        }
    }

    private static Run run(Task task, Workload given, EmbeddedBroker broker, OpenStore store, Disk disk)
            throws Exception {
        Workload workload = store.durable() ? given : given.notPersistent();
        String text = text(workload.msgsize(), new Random(task.seed()));
        if (workload.dowarmup()) {
            Workload before = task.chained() ? Chain.warmUp(workload) : Fan.warmUp(workload);
            Window window = new Window(broker, store, before);
            requireWhole(traffic(task, before, 0, "warmup.", broker).run(text, window), window);
        }
        int batch = task.chained() ? Chain.batch(workload.nummessages()) : 0;
        Window window = new Window(broker, store, workload);
        Delivered delivered = traffic(task, workload, batch, "", broker).run(text, window);
        return new Run(
                task.store(),
                workload.name(),
                workload.msgsize(),
                task.round(),
                workload.nummessages(),
                delivered.sent(),
                delivered.expected(),
                delivered.lost(),
                delivered.doubled(),
                window.left,
                delivered.arrivals().seconds(),
                batch,
                delivered.arrivals().batchSeconds(),
                workload.rptintervalsecs(),
                delivered.arrivals().rates(),
                delivered.arrivals().latency(),
                window.asked,
                window.connects,
                disk);
    }

    /** Small letters, each one byte in ASCII. */
    private static String text(int bytes, Random random) {
        StringBuilder text = new StringBuilder(bytes);
        random.ints(bytes, 'a', 'z' + 1).forEach(letter -> text.append((char) letter));
        return text.toString();
    }

    private static Traffic traffic(Task task, Workload workload, int batch, String prefix, EmbeddedBroker broker) {
        return new Traffic(
                broker.connections(),
                workload,
                task.chained(),
                batch,
                prefix + workload.name() + ".",
                task.inFlight(),
                Lane.PATIENCE);
    }

    private static void requireWhole(Delivered delivered, Window window) {
        if (delivered.lost() + delivered.doubled() + window.left > 0) {
            throw new IllegalStateException("of " + delivered.expected() + " messages before those that are measured "
                    + delivered.lost() + " were lost and " + delivered.doubled() + " doubled, " + window.left
                    + " lay in a queue at the end");
        }
    }

    /** Counts what the messages cost, not what connecting and subscribing does. */
    private static final class Window implements Traffic.Watch {
        private final EmbeddedBroker broker;
        private final OpenStore store;
        private final Workload workload;
        private MeteredDataSource.@Nullable Reading asked;
        private MeteredDataSource.@Nullable Reading connects;
        private long left;

        Window(EmbeddedBroker broker, OpenStore store, Workload workload) {
            this.broker = broker;
            this.store = store;
            this.workload = workload;
        }

        @Override
        public void begins() {
            store.resetMeters();
        }

        @Override
        public void ends() throws Exception {
            if (!workload.topic()) {
                // Acknowledgements outside of transactions come later; for a topic, asking would itself be counted.
                broker.awaitNothingLeft();
            }
            asked = MeteredDataSource.readingOf(store.asked());
            connects = MeteredDataSource.readingOf(store.connects());
        }

        @Override
        public void closed() throws Exception {
            left = broker.awaitNothingLeft();
        }
    }
}
