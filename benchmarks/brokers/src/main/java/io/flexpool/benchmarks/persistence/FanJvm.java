// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.kit.AnsweringJvm;
import io.flexpool.benchmarks.messaging.Disk;
import io.flexpool.benchmarks.messaging.EmbeddedBroker;
import io.flexpool.benchmarks.messaging.Lane;
import io.flexpool.benchmarks.messaging.MessageText;
import io.flexpool.benchmarks.messaging.OpenStore;
import io.flexpool.benchmarks.messaging.TempFolder;
import io.flexpool.benchmarks.persistence.Fan.Delivered;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What each fresh JVM runs: a store, a broker and one or several workloads, one after the other. */
public final class FanJvm {
    static final int WARM_UP_SECONDS = 5;
    private static final int SMALL_WARM_UP_SECONDS = 1;
    /** Messages of a publisher that are too few to be judged need no longer warm-up than themselves. */
    private static final int SMALL = PersistenceFindings.JUDGED_FROM;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private FanJvm() {}

    /**
     * What is to be measured.
     *
     * @param store where the broker keeps its messages
     * @param workloads one after the other
     * @param round from 0
     * @param inFlight messages of a publisher that may be on their way to each subscriber
     * @param seed of the texts
     */
    record Task(PersistenceStore store, List<Workload> workloads, int round, int inFlight, long seed) {}

    /**
     * Measures, and answers with one {@link FanRun} for each workload.
     *
     * @param args one task, as JSON
     */
    public static void main(String[] args) {
        AnsweringJvm.answer(() -> MAPPER.writeValueAsString(run(MAPPER.readValue(args[0], Task.class))));
    }

    /**
     * What comes before a workload is measured, so that it is not the compiler that is measured: the same for some
     * seconds, or for no longer than the workload itself where that is small.
     */
    static Workload warmUp(Workload workload) {
        boolean small = workload.nummessages() > 0 && workload.nummessages() < SMALL;
        return small
                ? workload.limited(workload.nummessages(), SMALL_WARM_UP_SECONDS)
                : workload.limited(null, WARM_UP_SECONDS);
    }

    static List<FanRun> run(Task task) throws Exception {
        try (TempFolder folder = TempFolder.in(task.store().parent());
                OpenStore store = task.store().open(folder.path())) {
            Disk disk = Disk.of(folder.path());
            List<FanRun> runs = new ArrayList<>();
            try (EmbeddedBroker broker = EmbeddedBroker.start(store, folder.path())) {
                folder.writtenBy(broker::close);
                for (Workload workload : task.workloads()) {
                    runs.add(run(task, workload, broker, store, disk));
                }
            }
            return runs;
        }
    }

    private static FanRun run(Task task, Workload file, EmbeddedBroker broker, OpenStore store, Disk disk)
            throws Exception {
        Workload workload = store.durable() ? file : file.notPersistent();
        String text = MessageText.of(workload.msgsize(), new Random(task.seed()));
        if (workload.dowarmup()) {
            Window window = new Window(broker, store);
            exactlyOnce(fan(task, warmUp(workload), "warmup.", broker).run(text, window), window);
        }
        Window window = new Window(broker, store);
        Delivered delivered = fan(task, workload, "", broker).run(text, window);
        return new FanRun(
                task.store().toString(),
                workload.name(),
                task.round(),
                delivered.sent(),
                delivered.expected(),
                delivered.lost(),
                delivered.doubled(),
                window.left,
                delivered.arrivals().seconds(),
                workload.rptintervalsecs(),
                delivered.arrivals().rates(),
                delivered.arrivals().latency(),
                window.readings.asked(),
                window.readings.connects(),
                disk);
    }

    private static Fan fan(Task task, Workload workload, String prefix, EmbeddedBroker broker) {
        return new Fan(broker.connections(), workload, prefix + workload.name() + ".", task.inFlight(), Lane.PATIENCE);
    }

    private static void exactlyOnce(Delivered delivered, Window window) {
        if (delivered.lost() + delivered.doubled() + window.left > 0) {
            throw new IllegalStateException("of " + delivered.expected() + " messages before those that are measured "
                    + delivered.lost() + " were lost and " + delivered.doubled() + " doubled, " + window.left
                    + " lay in a queue at the end");
        }
    }

    /** Counts what the messages cost, not what connecting and subscribing does. */
    private static final class Window implements Fan.Watch {
        private final EmbeddedBroker broker;
        private final OpenStore store;
        private OpenStore.Readings readings = new OpenStore.Readings(null, null);
        private long left;

        Window(EmbeddedBroker broker, OpenStore store) {
            this.broker = broker;
            this.store = store;
        }

        @Override
        public void begins() {
            store.resetMeters();
        }

        @Override
        public void ends() {
            readings = store.readings();
        }

        @Override
        public void closed() throws Exception {
            left = broker.awaitNothingLeft();
        }
    }
}
