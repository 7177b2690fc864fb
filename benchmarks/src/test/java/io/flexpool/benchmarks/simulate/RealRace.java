// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.kit.Waiting;
import io.flexpool.benchmarks.simulate.RealPool.Kind;
import io.flexpool.benchmarks.simulate.RealScenario.Request;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One run of a scenario with all pools at the same time: the same requests arrive at each of them at the same
 * moments, the same things happen to their databases, and what else the machine does happens to all of them. One thread
 * sends each request at its own time, whether or not the ones before are answered, and times count from when it was
 * meant to arrive: what the pool delays is not left out (no coordinated omission).
 */
final class RealRace {
    private static final double NANOS = 1e9;
    private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** FlexyPool retries as often as the pool grew for a request, a second each. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Scenario scenario;
    private final List<Request> requests;
    private final Map<Kind, RealPool> pools = new EnumMap<>(Kind.class);

    private RealRace(Scenario scenario, long seed) {
        this.scenario = scenario;
        this.requests = RealScenario.requests(scenario, seed);
    }

    /**
     * Runs a scenario to its end.
     *
     * @param seed of the requests
     * @param best the best static size
     * @return how each pool did
     */
    static Map<Kind, RealCourse> run(Scenario scenario, long seed, int best, PostgresServer server)
            throws SQLException, InterruptedException {
        RealRace race = new RealRace(scenario, seed);
        try {
            for (Kind kind : Kind.values()) {
                race.pools.put(kind, RealPool.open(kind, scenario, race.requests, best, server));
            }
            race.play();
            Map<Kind, RealCourse> courses = new EnumMap<>(Kind.class);
            race.pools.forEach((kind, pool) -> courses.put(kind, pool.course()));
            return courses;
        } finally {
            for (RealPool pool : race.pools.values()) {
                pool.close();
            }
        }
    }

    private void play() throws InterruptedException {
        // A moment, so that the first request is not late already.
        long begin = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
        Collection<RealPool> all = pools.values();
        Thread sampler = thread("adaptive-sampler", () -> sample(all, begin));
        Thread stage = thread("adaptive-stage", () -> happen(all, begin));
        try {
            for (int n = 0; n < requests.size(); n++) {
                int number = n;
                Waiting.until(at(begin, requests.get(n).second()));
                all.forEach(pool -> pool.arrive(number, requests.get(number), begin));
            }
            Waiting.until(at(begin, scenario.seconds()));
        } finally {
            stage.interrupt();
            stage.join();
            sampler.interrupt();
            sampler.join();
        }
        for (Map.Entry<Kind, RealPool> pool : pools.entrySet()) {
            if (!pool.getValue().finish(PATIENCE)) {
                throw new IllegalStateException("a request of " + pool.getKey() + " has no end");
            }
        }
    }

    /** The database is lost, and comes back. */
    private void happen(Collection<RealPool> all, long begin) {
        boolean up = true;
        for (Phase phase : scenario.phases()) {
            if (phase.up() != up) {
                Waiting.until(at(begin, phase.fromSecond()));
                all.forEach(pool -> pool.reachable(phase.up()));
                up = phase.up();
            }
        }
    }

    private static void sample(Collection<RealPool> all, long begin) {
        Waiting.until(begin);
        while (!Thread.currentThread().isInterrupted()) {
            all.forEach(pool -> pool.sample(begin));
            LockSupport.parkNanos(SAMPLE_NANOS);
        }
    }

    private static Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static long at(long begin, double second) {
        return begin + (long) (second * NANOS);
    }
}
