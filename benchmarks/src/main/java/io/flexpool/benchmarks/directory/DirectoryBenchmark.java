// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import io.flexpool.benchmarks.kit.ConnectionSampler;
import io.flexpool.benchmarks.kit.CountingDataSource;
import io.flexpool.benchmarks.kit.Database;
import io.flexpool.benchmarks.kit.Interrupt;
import io.flexpool.benchmarks.kit.OpenPool;
import io.flexpool.benchmarks.kit.Progress;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Puts the same load on the service with every pool in every variant, one after the other, each with its own pool
 * that begins with its connections open. Service, clients and database stay the same.
 */
final class DirectoryBenchmark {
    private final DirectoryLoad load;
    private final Sizes sizes;
    private final long seed;
    private final DirectoryLoad warmUp;

    DirectoryBenchmark(DirectoryLoad load, Sizes sizes, long seed, int warmUpMs) {
        this.load = load;
        this.sizes = sizes;
        this.seed = seed;
        this.warmUp = new DirectoryLoad(load.clients(), load.ratePerClient(), warmUpMs, load.burstSize(), 300, 1);
    }

    /**
     * What a run leaves behind.
     *
     * @param measured what was measured before a stop was requested, by pool and variant in the enums' order
     * @param failed what could not be measured, each with its reason
     */
    record Outcome(List<Measured> measured, List<String> failed) {}

    /** Runs all, in an order that the seed gives. What fails is left out and named; the others are measured. */
    Outcome run(
            Database.Running database,
            Collection<DirectoryPool> pools,
            Collection<Variant> variants,
            Progress progress,
            Interrupt stop)
            throws IOException, SQLException, InterruptedException {
        Outcome outcome = new Outcome(new ArrayList<>(), new ArrayList<>());
        List<Trial> trials = new ArrayList<>();
        pools.forEach(pool -> variants.forEach(variant -> trials.add(new Trial(pool, variant))));
        Collections.shuffle(trials, new Random(seed));
        DirectoryService.fill(database.dataSource());
        try (DirectoryService service = DirectoryService.start(threads(), sizes.logMs());
                DirectoryClients clients = new DirectoryClients(service, load.clients())) {
            Running running = new Running(database.dataSource(), service, clients, stop);
            for (DirectoryPool pool : pools) {
                // Code that is not compiled yet would be measured as the pool's.
                running.measureUnlessAsked(
                        new Trial(pool, Variant.WRAPPED), warmUp, new Outcome(new ArrayList<>(), new ArrayList<>()));
            }
            for (Trial trial : trials) {
                running.measureUnlessAsked(trial, load, outcome);
                if (stop.asked()) {
                    break;
                }
                progress.step(trial.toString());
            }
        }
        outcome.measured()
                .sort(Comparator.comparing((Measured one) -> one.row().pool())
                        .thenComparing(one -> one.row().variant()));
        return outcome;
    }

    /** As many as can be in the service at once: who has a connection, the burst, and who comes within the deadline. */
    private int threads() {
        return sizes.ceiling() + load.burstSize() + load.rate() * sizes.deadlineMs() / 1000 + 1;
    }

    /** What all trials have in common. */
    private final class Running {
        private final DataSource driver;
        private final DirectoryService service;
        private final DirectoryClients clients;
        private final Interrupt stop;

        private Running(DataSource driver, DirectoryService service, DirectoryClients clients, Interrupt stop) {
            this.driver = driver;
            this.service = service;
            this.clients = clients;
            this.stop = stop;
        }

        /** A run interrupted by the stop is no measurement: the database may have stopped first. */
        private void measureUnlessAsked(Trial trial, DirectoryLoad with, Outcome outcome) throws InterruptedException {
            if (stop.asked()) {
                return;
            }
            try {
                Measured one = measure(trial, with);
                if (!stop.asked()) {
                    outcome.measured().add(one);
                }
            } catch (SQLException | RuntimeException e) {
                if (!stop.asked()) {
                    outcome.failed().add(trial + ": " + e);
                }
            }
        }

        private Measured measure(Trial trial, DirectoryLoad with) throws SQLException, InterruptedException {
            CountingDataSource counting = new CountingDataSource(driver);
            try (OpenPool pool = trial.open(counting, sizes)) {
                int first = trial.connectionsAtFirst(sizes);
                pool.fill(() -> stop.asked() ? first : counting.open(), first);
                service.use(pool.source());
                long begin = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(50);
                ConnectionSampler sampler = ConnectionSampler.start(counting::open, service::busy, begin);
                Answers answers;
                try (sampler) {
                    answers = clients.run(with.arrivals(), begin, stop);
                }
                return new Measured(
                        DirectoryRow.of(trial, with, answers, sampler.samples(), counting.peak()),
                        Lines.of(with, answers.all().toList(), sampler.samples()));
            }
        }
    }
}
