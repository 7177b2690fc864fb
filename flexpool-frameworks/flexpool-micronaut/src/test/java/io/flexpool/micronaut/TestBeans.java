// SPDX-License-Identifier: Apache-2.0
package io.flexpool.micronaut;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.monitoring.MetricsBinder;
import io.flexpool.monitoring.PoolView;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** What applications have beside their data sources. */
@Factory
class TestBeans {
    /** As micronaut-micrometer makes one. */
    @Singleton
    MeterRegistry registry() {
        return new SimpleMeterRegistry();
    }

    /** Stands in front of each data source, as Micronaut Data's does. */
    @Singleton
    static class InFront implements BeanCreatedEventListener<DataSource> {
        final List<DataSource> seen = new ArrayList<>();

        @Override
        public DataSource onCreated(BeanCreatedEvent<DataSource> event) {
            seen.add(event.getBean());
            return event.getBean();
        }
    }

    /** Records, at the end of each pool, whether the pool behind it still gives connections. */
    @Singleton
    static class Ends implements MetricsBinder {
        final List<String> ends = new ArrayList<>();
        private final BeanProvider<InFront> wrapped;

        Ends(BeanProvider<InFront> wrapped) {
            this.wrapped = wrapped;
        }

        @Override
        public Binding bind(PoolView pool) {
            // Now: while the context ends it would be another one, which has seen nothing.
            InFront inFront = wrapped.get();
            return () -> ends.add(pool.name() + (isOpen(inFront, pool.name()) ? " before" : " after") + " its pool");
        }

        private static boolean isOpen(InFront inFront, String name) {
            for (DataSource source : inFront.seen) {
                try {
                    FlexPoolDataSource pool = source.unwrap(FlexPoolDataSource.class);
                    if (pool.name().equals(name)) {
                        return !Pools.isClosed(pool);
                    }
                } catch (SQLException noPool) {
                    throw new IllegalStateException(noPool);
                }
            }
            throw new IllegalStateException(name);
        }
    }
}
