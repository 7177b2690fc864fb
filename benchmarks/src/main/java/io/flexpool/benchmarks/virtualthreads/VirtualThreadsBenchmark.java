// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.virtualthreads;

import com.sun.management.OperatingSystemMXBean;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.Steps;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Lets the same crowd meet each variant on each database, round by round, each time with a pool of its own. */
final class VirtualThreadsBenchmark {
    private static final double NANOS_PER_MS = 1e6;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Plan plan;
    private final Supplier<ExecutorService> threads;

    /**
     * A benchmark.
     *
     * @param threads what runs each member of the crowd on a thread of its own, new each time
     */
    VirtualThreadsBenchmark(Plan plan, Supplier<ExecutorService> threads) {
        this.plan = plan;
        this.threads = threads;
    }

    private record Turn(Variant variant, int round) {}

    /** Measures all, or what there is time for until a stop. What was under way then is left out. */
    List<Row> run(Steps progress, Interrupt stop) throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (LeaseDatabase database : plan.databases()) {
            try (LeaseDatabase.Running running = database.start()) {
                for (Turn turn : turns()) {
                    Row row = stop.asked() ? null : measureUnlessAsked(database, running, turn, stop);
                    if (row == null) {
                        break;
                    }
                    rows.add(row);
                    progress.step(database + " " + turn.variant());
                }
            }
        }
        rows.sort(
                Comparator.comparing(Row::database).thenComparing(Row::variant).thenComparing(Row::round));
        return rows;
    }

    /** Each round in an order of its own: what the machine does meanwhile concerns all alike. */
    private List<Turn> turns() {
        Random random = new Random(plan.seed());
        List<Turn> turns = new ArrayList<>();
        for (int round = 1; round <= plan.rounds(); round++) {
            List<Variant> order = new ArrayList<>(plan.variants());
            Collections.shuffle(order, random);
            for (Variant variant : order) {
                turns.add(new Turn(variant, round));
            }
        }
        return turns;
    }

    private @Nullable Row measureUnlessAsked(
            LeaseDatabase database, LeaseDatabase.Running running, Turn turn, Interrupt stop)
            throws InterruptedException {
        try {
            Row row = measure(database, running, turn, stop);
            return stop.asked() ? null : row;
        } catch (RuntimeException failed) {
            // The database may have ended before the scenario does.
            if (stop.asked()) {
                return null;
            }
            throw failed;
        }
    }

    private Row measure(LeaseDatabase database, LeaseDatabase.Running running, Turn turn, Interrupt stop)
            throws InterruptedException {
        try (Variant.Open pool = turn.variant().open(running.driver(), plan.connections())) {
            Crowd crowd = new Crowd(pool.source(), running.work(), plan.workMicros(), threads.get());
            long began;
            long ended;
            long processorBefore;
            long processorAfter;
            long pinned;
            double busy;
            double queued;
            try {
                crowd.begin(plan.threads());
                stop.askedWithin(Duration.ofMillis(plan.warmUpMillis()));
                try (PinnedEvents events = PinnedEvents.count()) {
                    Carriers carriers = Carriers.watchOwn();
                    began = System.nanoTime();
                    processorBefore = processorNanos();
                    crowd.measure();
                    stop.askedWithin(Duration.ofMillis(plan.millis()));
                    crowd.measured();
                    processorAfter = processorNanos();
                    ended = System.nanoTime();
                    carriers.close();
                    busy = carriers.busy();
                    queued = carriers.queued();
                    pinned = events.counted();
                }
            } finally {
                crowd.end();
            }
            Histogram waits = crowd.waits();
            long requests = crowd.served();
            return new Row(
                    database,
                    turn.variant(),
                    turn.round(),
                    requests / ((ended - began) / NANOS_PER_SECOND),
                    waits.getValueAtPercentile(50) / NANOS_PER_MS,
                    waits.getValueAtPercentile(99) / NANOS_PER_MS,
                    crowd.wholes().getValueAtPercentile(99) / NANOS_PER_MS,
                    (processorAfter - processorBefore) / NANOS_PER_MICRO / Math.max(1, requests),
                    known(busy),
                    known(queued),
                    pinned,
                    crowd.failures(),
                    crowd.firstFailure());
        }
    }

    private static @Nullable Double known(double figure) {
        return Double.isNaN(figure) ? null : figure;
    }

    /** That of all threads of this JVM, the compiler's and the collector's too. */
    private static long processorNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }
}
