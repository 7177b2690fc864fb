// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.persistence;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.flexpool.benchmarks.messaging.AnsweringJvm;
import io.flexpool.benchmarks.messaging.Disk;
import io.flexpool.benchmarks.messaging.EmbeddedBroker;
import io.flexpool.benchmarks.messaging.MeteredDataSource;
import io.flexpool.benchmarks.messaging.OpenStore;
import io.flexpool.benchmarks.messaging.TempFolder;
import io.flexpool.benchmarks.persistence.Fan.Delivered;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What each fresh JVM runs: a store, a broker and one or several workloads, one after the other. */
public final class FanJvm {
    private static final int MOST_WARM_UP = 1_000;
    private static final int LEAST_WARM_UP = 20;
    private static final int PART_WARM_UP = 10;
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
     * @throws Exception if something does not start or stop
     */
    public static void main(String[] args) throws Exception {
        AnsweringJvm.answer(MAPPER.writeValueAsString(run(MAPPER.readValue(args[0], Task.class))));
        // Some libraries leave threads behind.
        System.exit(0);
    }

    static List<FanRun> run(Task task) throws Exception {
        try (TempFolder folder = TempFolder.in(task.store().parent());
                OpenStore store = task.store().open(folder.path())) {
            Disk disk = Disk.of(folder.path());
            List<FanRun> runs = new ArrayList<>();
            try (EmbeddedBroker broker = EmbeddedBroker.start(store, folder.path())) {
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
        String text = text(workload.msgsize(), new Random(task.seed()));
        if (workload.dowarmup()) {
            fan(task, workload.withMessages(warmUp(workload)), "warmup.", broker)
                    .run(text);
        }
        reset(store.asked());
        reset(store.connects());
        Delivered delivered = fan(task, workload, "", broker).run(text);
        return new FanRun(
                task.store().toString(),
                workload.name(),
                task.round(),
                delivered.sent(),
                delivered.expected(),
                delivered.lost(),
                delivered.doubled(),
                delivered.arrivals().seconds(),
                workload.rptintervalsecs(),
                delivered.arrivals().rates(),
                delivered.arrivals().latency(),
                reading(store.asked()),
                reading(store.connects()),
                disk);
    }

    private static Fan fan(Task task, Workload workload, String prefix, EmbeddedBroker broker) {
        return new Fan(broker.connections(), workload, prefix + workload.name() + ".", task.inFlight());
    }

    private static int warmUp(Workload workload) {
        int part = workload.nummessages() == 0 ? MOST_WARM_UP : workload.nummessages() / PART_WARM_UP;
        return Math.max(LEAST_WARM_UP, Math.min(MOST_WARM_UP, part));
    }

    private static String text(int size, Random random) {
        StringBuilder text = new StringBuilder(size);
        random.ints(size, 'a', 'z' + 1).forEach(letter -> text.append((char) letter));
        return text.toString();
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
