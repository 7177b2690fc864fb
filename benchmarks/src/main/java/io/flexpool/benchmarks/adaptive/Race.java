// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.simulate.Scenario;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One run of a scenario with some competitors at the same time: the same requests arrive at each of them at the same
 * moments, the same things happen to their databases, and what else the machine does happens to all of them. One thread
 * sends each request at its own time, whether or not the ones before are answered, and times count from when it was
 * meant to arrive: what the pool delays is not left out (no coordinated omission).
 */
final class Race {
    private static final double NANOS = 1e9;
    private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** FlexyPool retries as often as the pool grew for a request, a second each. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Scenario scenario;
    private final List<Request> requests;
    private final Supplier<Work> work;
    private final List<Competitor> order;

    /**
     * Of a scenario.
     *
     * @param seed of the requests, and of who is first to get each of them
     * @param work made anew for each competitor
     * @param competitors who takes part
     */
    Race(Scenario scenario, long seed, Supplier<Work> work, List<Competitor> competitors) {
        this.scenario = scenario;
        this.requests = Request.of(scenario, seed);
        this.work = work;
        this.order = new ArrayList<>(competitors);
        Collections.shuffle(order, new Random(seed));
    }

    /** Something that happens to all at a time. */
    private record Event(double second, Consumer<Lane> what) {}

    /**
     * Runs it to its end.
     *
     * @return one course per competitor, in the enum's order; none if a stop was requested
     */
    List<Course> run(PostgresServer server, Entry entry, Interrupt stop) throws SQLException, InterruptedException {
        List<Lane> lanes = new ArrayList<>();
        try {
            for (Competitor competitor : order) {
                lanes.add(Lane.open(competitor, scenario, requests, work.get(), server, entry));
            }
            boolean complete = play(lanes, stop);
            return complete
                    ? lanes.stream()
                            .map(Lane::course)
                            .sorted(Comparator.comparing(Course::competitor))
                            .toList()
                    : List.of();
        } finally {
            for (Lane lane : lanes) {
                lane.close();
            }
        }
    }

    private boolean play(List<Lane> lanes, Interrupt stop) throws InterruptedException {
        // A moment, so that the first request is not late already.
        long begin = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
        Instant began = Instant.now().plusMillis(50);
        Thread sampler = thread("adaptive-sampler", () -> sample(lanes, begin));
        Thread stage = thread("adaptive-stage", () -> happen(lanes, begin));
        try {
            dispatch(lanes, begin, stop);
            parkUntil(begin, scenario.seconds());
        } finally {
            stage.interrupt();
            stage.join();
            sampler.interrupt();
            sampler.join();
        }
        for (Lane lane : lanes) {
            if (!stop.asked() && !lane.finish(PATIENCE)) {
                throw new IllegalStateException("a request of " + lane.course().competitor() + " has no end");
            }
            lane.decisions(began);
        }
        return !stop.asked();
    }

    private void dispatch(List<Lane> lanes, long begin, Interrupt stop) throws InterruptedException {
        for (int n = 0; n < requests.size() && !stop.asked(); n++) {
            int number = n;
            Request request = requests.get(n);
            parkUntil(begin, request.second());
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            lanes.forEach(lane -> lane.arrive(number, request, begin));
        }
    }

    private void happen(List<Lane> lanes, long begin) {
        for (Event event : events()) {
            parkUntil(begin, event.second());
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            lanes.forEach(event.what());
        }
    }

    private List<Event> events() {
        List<Event> events = new ArrayList<>();
        boolean up = true;
        for (Phase phase : scenario.phases()) {
            if (phase.up() != up) {
                events.add(new Event(phase.fromSecond(), lane -> lane.reachable(phase.up())));
                up = phase.up();
            }
        }
        scenario.leakSeconds().forEach(second -> events.add(new Event(second, Lane::leak)));
        events.sort(Comparator.comparingDouble(Event::second));
        return events;
    }

    private static void sample(List<Lane> lanes, long begin) {
        parkUntil(begin, 0);
        while (!Thread.currentThread().isInterrupted()) {
            lanes.forEach(lane -> lane.sample(begin));
            LockSupport.parkNanos(SAMPLE_NANOS);
        }
    }

    private static Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void parkUntil(long begin, double second) {
        long due = begin + (long) (second * NANOS);
        long left;
        while ((left = due - System.nanoTime()) > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(left);
        }
    }
}
