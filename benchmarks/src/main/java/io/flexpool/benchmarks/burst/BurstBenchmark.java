// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.burst;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.benchmarks.kit.CountingDataSource;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Puts the same load on every pool in every variant, one after the other, each with its own pool that begins with
 * its connections open. On the stub each has its own database too; PostgreSQL is one server, which is left without
 * connections in between.
 */
final class BurstBenchmark {
    private static final long FILL_NANOS = TimeUnit.SECONDS.toNanos(20);
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
        HeldMeter[] held = new HeldMeter[1];
        OpenLoop.Result result;
        try (OpenPool pool = open(trial, counting)) {
            fill(pool.source(), counting, idle(trial.variant()));
            result = new OpenLoop(with, pool.source()).run(() -> held[0] = HeldMeter.start(counting::open));
            held[0].close();
        }
        connectMs
                .computeIfAbsent(trial.pool(), unused -> new ArrayList<>())
                .addAll(counting.connectNanos().stream()
                        .map(nanos -> nanos / 1e6)
                        .toList());
        return BurstRow.of(trial.pool(), trial.variant(), with.bursts(), result, held[0].mean(), counting.peak());
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
            case FLEXPOOL -> inFlexPool(subject.open(driver, ceiling, base, sizes.timeout()), trial.pool());
        };
    }

    private OpenPool inFlexPool(OpenPool pool, BurstPool kind) throws SQLException {
        var builder = FlexPool.wrap(pool.source()).name("burst-" + kind).set("base", sizes.base());
        sizes.growth().forEach(builder::set);
        if (sizes.deadlineMs() > sizes.timeoutMs()) {
            builder.set("retry.deadline", sizes.deadline());
        }
        try {
            FlexPoolDataSource wrapped = builder.build();
            return new OpenPool(wrapped, wrapped::close);
        } catch (IllegalArgumentException refused) {
            pool.close();
            throw refused;
        }
    }

    /** Some pools start at their first request, and fill up in the background. */
    private static void fill(DataSource pool, CountingDataSource counting, int connections) throws SQLException {
        pool.getConnection().close();
        long end = System.nanoTime() + FILL_NANOS;
        while (counting.open() < connections) {
            if (System.nanoTime() - end > 0) {
                throw new SQLException("after " + FILL_NANOS / 1_000_000_000 + " s the pool has opened "
                        + counting.open() + " of " + connections + " connections");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
