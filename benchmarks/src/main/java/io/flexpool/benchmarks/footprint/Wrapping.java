// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.footprint;

import com.codahale.metrics.MetricRegistry;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.benchmarks.decorations.FlexyPools;
import io.flexpool.metrics.dropwizard.DropwizardMetrics;
import io.flexpool.metrics.micrometer.MicrometerMetrics;
import io.flexpool.pool.PoolMode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Puts a subject around pools, as an application's code would. Without lambdas, whose cost is not the subject's. */
final class Wrapping {
    /** How far the bound form might grow; it does only if a thread waits. */
    private static final int ROOM = 4;

    private final Subject subject;
    /** The registry that all pools share, if the subject has one. Not of its type: a library that is not used is not loaded. */
    private final @Nullable Object registry;

    /** Of a subject; the registry is made now. */
    Wrapping(Subject subject) {
        this.subject = subject;
        this.registry = switch (subject) {
            case BOUND_DROPWIZARD -> new MetricRegistry();
            case BOUND_MICROMETER -> new SimpleMeterRegistry();
            default -> null;
        };
    }

    /**
     * Builds.
     *
     * @param pool a pool that is open
     * @return what an application would use instead
     */
    DataSource around(HikariDataSource pool) {
        return switch (subject) {
            case BARE -> pool;
            case WATCHED -> watched(pool).build();
            case BOUND -> bound(pool).build();
            case BOUND_ADVICE_OFF ->
                bound(pool).properties(Map.of("flexpool.advice", "false")).build();
            case BOUND_DROPWIZARD ->
                bound(pool)
                        .metrics(DropwizardMetrics.into(registry(MetricRegistry.class)))
                        .build();
            case BOUND_MICROMETER ->
                bound(pool)
                        .metrics(MicrometerMetrics.into(registry(SimpleMeterRegistry.class)))
                        .build();
            case ACTING -> acting(pool).build();
            case FLEXYPOOL -> FlexyPools.withoutMetrics().around(pool).dataSource();
            case FLEXYPOOL_DROPWIZARD -> FlexyPools.dropwizard().around(pool).dataSource();
        };
    }

    private <T> T registry(Class<T> type) {
        return type.cast(Objects.requireNonNull(registry, "made by the constructor"));
    }

    private static FlexPoolBuilder watched(HikariDataSource pool) {
        return FlexPool.wrap(pool).name(pool.getPoolName());
    }

    private static FlexPoolBuilder bound(HikariDataSource pool) {
        int base = pool.getMaximumPoolSize();
        return watched(pool)
                .set("base", base)
                .set("ceiling", base + ROOM)
                .set("grow-on-wait.enabled", true)
                .set("retry.deadline", Duration.ofSeconds(60));
    }

    private static FlexPoolBuilder acting(HikariDataSource pool) {
        int base = pool.getMaximumPoolSize();
        return watched(pool).set("mode", PoolMode.ADAPT).set("base", base).set("ceiling", base + ROOM);
    }
}
