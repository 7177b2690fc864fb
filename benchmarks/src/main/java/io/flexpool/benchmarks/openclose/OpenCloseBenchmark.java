// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.openclose;

import com.codahale.metrics.Timer;
import com.codahale.metrics.UniformReservoir;
import com.vladmihalcea.flexypool.FlexyPoolDataSource;
import com.vladmihalcea.flexypool.adaptor.HikariCPPoolAdapter;
import com.vladmihalcea.flexypool.config.FlexyPoolConfiguration;
import com.vladmihalcea.flexypool.metric.dropwizard.DropwizardMetrics;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.benchmarks.kit.Database;
import io.flexpool.benchmarks.kit.Pool;
import io.flexpool.benchmarks.kit.Progress;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Opens and closes connections on one database: without a pool, with each pool, and with each pool inside flexpool and inside
 * FlexyPool.
 *
 * <p>Each variant keeps its pool for all rounds and gets a new timer in each, so the first round shows what an
 * application sees at its start and the later ones what it sees for the rest of its life. The first variant of a
 * round rotates, so that none always runs on code that another has warmed.
 */
final class OpenCloseBenchmark {
    static final String UNPOOLED = "unpooled";
    static final String WITH_FLEXPOOL = "+flexpool";
    static final String WITH_FLEXYPOOL = "+flexypool";

    private final Database.Running database;
    private final Set<Pool> pools;
    private final int iterations;

    OpenCloseBenchmark(Database.Running database, Set<Pool> pools, int iterations) {
        this.database = database;
        this.pools = pools;
        this.iterations = iterations;
    }

    /** A variant: its name, its source of connections, and how to close that source. */
    private record Variant(String name, DataSource source, AutoCloseable closing) {
        static Variant of(String name, DataSource source) {
            return new Variant(name, source, source instanceof AutoCloseable pool ? pool : () -> {});
        }
    }

    /** How many rows one round gives. */
    static int variantsWith(Set<Pool> pools) {
        return 1 + 3 * pools.size();
    }

    /**
     * Runs all rounds.
     *
     * @return by round, and within a round unpooled first, then by pool
     */
    List<OpenCloseResult> run(int rounds, Progress progress) throws SQLException {
        List<Variant> variants = open();
        try {
            List<OpenCloseResult> results = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                OpenCloseResult[] ofRound = new OpenCloseResult[variants.size()];
                for (int turn = 0; turn < variants.size(); turn++) {
                    int at = (round + turn) % variants.size();
                    ofRound[at] = measure(variants.get(at), round);
                    progress.step(database.database() + " " + variants.get(at).name());
                }
                results.addAll(List.of(ofRound));
            }
            return results;
        } finally {
            close(variants);
        }
    }

    private List<Variant> open() {
        List<Variant> variants = new ArrayList<>();
        variants.add(Variant.of(UNPOOLED, database.dataSource()));
        for (Pool pool : pools) {
            variants.add(Variant.of(pool.toString(), pool.over(database.dataSource())));
            FlexPoolDataSource wrapped = FlexPool.wrap(pool.over(database.dataSource()))
                    .name(database.database() + "-" + pool)
                    .build();
            variants.add(Variant.of(pool + WITH_FLEXPOOL, wrapped));
            variants.add(flexyPool(pool.over(database.dataSource()), pool + WITH_FLEXYPOOL));
        }
        return variants;
    }

    /** With the metrics that the article shows, and without strategies, as flexpool here. */
    @SuppressWarnings("unchecked") // FlexyPool takes an array of a generic type, and does not say that it is safe
    private static Variant flexyPool(DataSource pool, String name) {
        if (!(pool instanceof HikariDataSource hikari)) {
            throw new IllegalArgumentException(name + ": there is an adapter for HikariCP only");
        }
        FlexyPoolConfiguration<HikariDataSource> configuration = new FlexyPoolConfiguration.Builder<>(
                        name, hikari, HikariCPPoolAdapter.FACTORY)
                .setMetricsFactory(DropwizardMetrics.FACTORY)
                .setJmxEnabled(false)
                .build();
        FlexyPoolDataSource<HikariDataSource> wrapped = new FlexyPoolDataSource<>(configuration);
        wrapped.start();
        return new Variant(name, wrapped, () -> {
            wrapped.stop();
            hikari.close();
        });
    }

    private OpenCloseResult measure(Variant variant, int round) throws SQLException {
        // As large as the run: every duration counts, none is sampled away.
        Timer timer = new Timer(new UniformReservoir(iterations));
        DataSource source = variant.source();
        for (int i = 0; i < iterations; i++) {
            Timer.Context running = timer.time();
            source.getConnection().close();
            running.stop();
        }
        return OpenCloseResult.of(database.database().toString(), variant.name(), round, timer.getSnapshot());
    }

    private static void close(List<Variant> variants) throws SQLException {
        for (Variant variant : variants) {
            try {
                variant.closing().close();
            } catch (Exception e) {
                throw new SQLException("closing " + variant.name(), e);
            }
        }
    }
}
