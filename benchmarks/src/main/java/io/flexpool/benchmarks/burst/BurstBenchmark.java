// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import io.flexpool.benchmarks.kit.ConnectionSampler;
import io.flexpool.benchmarks.kit.CountingDataSource;
import io.flexpool.benchmarks.kit.OpenPool;
import io.flexpool.benchmarks.kit.Progress;
import io.flexpool.benchmarks.kit.Spread;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.sql.DataSource;

/**
 * Puts the same load on every pool in every variant, one after the other, each with its own pool that begins with
 * its connections open. On the stub each has its own database too; PostgreSQL is one server, which is left without
 * connections in between.
 */
final class BurstBenchmark {
    private static final BurstLoad WARM_UP = new BurstLoad(100, 60, 200, 5, 1);

    private final BurstReport.Setup setup;
    private final Duration connect;
    private final int warmUps;
    private final BurstLoad load;
    private final Sizes sizes;
    private final Map<BurstPool, List<Double>> connectMs = new EnumMap<>(BurstPool.class);

    BurstBenchmark(BurstReport.Setup setup, Duration connect, int warmUps) {
        this.setup = setup;
        this.connect = connect;
        this.load = setup.load();
        this.sizes = setup.sizes();
        this.warmUps = warmUps;
    }

    private record Trial(BurstPool pool, Variant variant) {}

    /**
     * Runs all, in an order that the seed gives.
     *
     * @return rows by pool and variant, in the enums' order
     */
    List<BurstRow> run(Collection<BurstPool> pools, Collection<Variant> variants, Progress progress) throws Exception {
        List<Trial> trials = new ArrayList<>();
        pools.forEach(pool -> variants.forEach(variant -> trials.add(new Trial(pool, variant))));
        List<Trial> order = new ArrayList<>(trials);
        Collections.shuffle(order, new Random(setup.seed()));
        BurstRow[] rows = new BurstRow[trials.size()];
        try (BurstDatabase.Running running = setup.database().start(connect)) {
            for (int round = 0; round < warmUps; round++) {
                for (Trial trial : order) {
                    if (available(trial)) {
                        // Code that is not compiled yet would be measured as the pool's.
                        measure(trial, running, WARM_UP);
                    }
                }
            }
            connectMs.clear();
            for (Trial trial : order) {
                rows[trials.indexOf(trial)] = available(trial)
                        ? measure(trial, running, load)
                        : BurstRow.missing(
                                trial.pool(), trial.variant(), trial.pool().flexyPoolMissing());
                progress.step(trial.pool() + " " + trial.variant());
            }
        }
        return List.of(rows);
    }

    /** The median connect time of each pool in the last run, over all its variants; milliseconds. */
    Map<BurstPool, Double> connectMs() {
        Map<BurstPool, Double> medians = new EnumMap<>(BurstPool.class);
        connectMs.forEach((pool, all) -> medians.put(pool, Spread.of(all).median()));
        return medians;
    }

    private static boolean available(Trial trial) {
        return trial.variant() != Variant.FLEXYPOOL
                || trial.pool().flexyPoolMissing().isEmpty();
    }

    private BurstRow measure(Trial trial, BurstDatabase.Running running, BurstLoad with) throws Exception {
        CountingDataSource counting = new CountingDataSource(running.driver());
        ConnectionSampler[] held = new ConnectionSampler[1];
        OpenLoop.Result result;
        try (OpenPool pool = open(trial, counting)) {
            pool.fill(counting::open, idle(trial.variant()));
            result = new OpenLoop(with, pool.source())
                    .run(() -> held[0] = ConnectionSampler.start(counting::open, () -> 0, System.nanoTime()));
            held[0].close();
        }
        connectMs
                .computeIfAbsent(trial.pool(), unused -> new ArrayList<>())
                .addAll(counting.connectNanos().stream()
                        .map(nanos -> nanos / 1e6)
                        .toList());
        double meanHeld = ConnectionSampler.meanTotal(held[0].samples(), 0);
        return BurstRow.of(trial.pool(), trial.variant(), with.bursts(), result, meanHeld, counting.peak());
    }

    private int idle(Variant variant) {
        return variant == Variant.BARE_CEILING ? sizes.ceiling() : sizes.base();
    }

    private OpenPool open(Trial trial, DataSource driver) throws SQLException {
        BurstPool subject = trial.pool();
        int base = sizes.base();
        int ceiling = sizes.ceiling();
        return switch (trial.variant()) {
            case BARE -> subject.open(driver, base, base, sizes.timeout());
            case BARE_SAME_DEADLINE -> subject.open(driver, base, base, sizes.deadline());
            case BARE_CEILING -> subject.open(driver, ceiling, ceiling, sizes.deadline());
            case FLEXYPOOL ->
                subject.inFlexyPool(subject.open(driver, base, base, sizes.timeout()), ceiling - base, sizes.retries());
            case FLEXPOOL ->
                subject.open(driver, ceiling, base, sizes.timeout()).inFlexPool("burst-" + subject, sizes.keys());
        };
    }
}
