// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.footprint;

import com.codahale.metrics.MetricRegistry;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.Sizing;
import io.flexpool.benchmarks.decorations.FlexyPools;
import io.flexpool.metrics.dropwizard.DropwizardMetrics;
import io.flexpool.metrics.micrometer.MicrometerMetrics;
import io.flexpool.pool.PoolMode;
import io.flexpool.strategy.GrowOnWait;
import io.flexpool.strategy.RetryAcquisition;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import javax.sql.DataSource;

/** Puts a subject around pools, as an application's code would. Without lambdas, whose cost is not the subject's. */
abstract class Wrapping {
    /** How far the bound form might grow; it does only if a thread waits. */
    private static final int ROOM = 4;

    /** Of a subject; the registry of its pools, if it has one, is made now. */
    static Wrapping of(Subject subject) {
        return switch (subject) {
            case BARE -> new Bare();
            case WATCHED, BOUND, ACTING -> new Plain(subject);
            case BOUND_DROPWIZARD -> new Dropwizard();
            case BOUND_MICROMETER -> new Micrometer();
            case FLEXYPOOL, FLEXYPOOL_DROPWIZARD -> new FlexyPool(subject);
        };
    }

    /**
     * Builds.
     *
     * @param pool a pool that is open
     * @return what an application would use instead
     */
    abstract DataSource around(HikariDataSource pool);

    private static final class Bare extends Wrapping {
        @Override
        DataSource around(HikariDataSource pool) {
            return pool;
        }
    }

    /** flexpool without a backend. */
    private static final class Plain extends Wrapping {
        private final Subject subject;

        Plain(Subject subject) {
            this.subject = subject;
        }

        @Override
        DataSource around(HikariDataSource pool) {
            return (subject == Subject.BOUND ? bound(pool) : subject == Subject.ACTING ? acting(pool) : watched(pool))
                    .build();
        }
    }

    private static FlexPoolBuilder watched(HikariDataSource pool) {
        return FlexPool.wrap(pool).name(pool.getPoolName());
    }

    private static FlexPoolBuilder bound(HikariDataSource pool) {
        int base = pool.getMaximumPoolSize();
        return watched(pool)
                .base(base)
                .strategy(GrowOnWait.upTo(base + ROOM))
                .strategy(RetryAcquisition.times(3, Duration.ofMillis(100), Duration.ofSeconds(60)));
    }

    private static FlexPoolBuilder acting(HikariDataSource pool) {
        int base = pool.getMaximumPoolSize();
        return watched(pool).mode(PoolMode.ADAPT).base(base).sizing(Sizing.upTo(base + ROOM));
    }

    private static final class Dropwizard extends Wrapping {
        private final MetricRegistry registry = new MetricRegistry();

        @Override
        DataSource around(HikariDataSource pool) {
            return bound(pool).metrics(DropwizardMetrics.into(registry)).build();
        }
    }

    private static final class Micrometer extends Wrapping {
        private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

        @Override
        DataSource around(HikariDataSource pool) {
            return bound(pool).metrics(MicrometerMetrics.into(registry)).build();
        }
    }

    private static final class FlexyPool extends Wrapping {
        private final Subject subject;

        FlexyPool(Subject subject) {
            this.subject = subject;
        }

        @Override
        DataSource around(HikariDataSource pool) {
            return (subject == Subject.FLEXYPOOL ? FlexyPools.withoutMetrics() : FlexyPools.dropwizard())
                    .around(pool)
                    .dataSource();
        }
    }
}
