// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.decorations;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.benchmarks.kit.WithProvider;
import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolMode;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** flexpool in its forms. */
public final class FlexPools {
    /** How far the bound form might grow; it does only if a thread waits. */
    private static final int ROOM = 4;

    private static final Duration GROWS_AFTER = Duration.ofSeconds(3);

    private FlexPools() {}

    /** A form of flexpool without a backend. */
    private interface Form {
        FlexPoolBuilder around(HikariDataSource pool);
    }

    /**
     * Only watches: the gate is open.
     *
     * @return flexpool without a backend
     */
    public static Decorator watched() {
        return without(FlexPools::watching);
    }

    /**
     * With a base, growth and retry: the gate limits.
     *
     * @return flexpool without a backend
     */
    public static Decorator bound() {
        return without(FlexPools::limiting);
    }

    /**
     * With a base, growth and retry, and shows it.
     *
     * @param backend makes the backend
     * @return flexpool with that backend
     */
    public static Decorator bound(Supplier<Backend> backend) {
        return pool -> {
            Backend made = backend.get();
            FlexPoolDataSource wrapped = limiting(pool).metrics(made.binder()).build();
            return new Decorated(wrapped, made.scrape(), () -> {
                wrapped.close();
                made.end().close();
            });
        };
    }

    /**
     * With a base, growth and retry, and two classes of requests; all requests are of the first one, which no thread's name says.
     *
     * @return flexpool without a backend
     */
    public static Decorator classed() {
        return boundBut(pool -> pool.set("classes", "interactive, batch")
                .set("classes.interactive.guarantee", 0.75)
                .set("classes.batch.guarantee", 0.25)
                .set("classes.batch.threads", "batch-*"));
    }

    /**
     * A pool that only watches, one that limits and one with classes, in one class loader and used in turn: the compiler sees all
     * kinds at each call site.
     *
     * @return an {@link InTurn}
     */
    public static Decorator inOneLoader() {
        return pool -> {
            Decorated watched = watched().around(pool);
            Decorated bound = bound().around(copy(pool, "-bound"));
            Decorated classed = classed().around(copy(pool, "-classed"));
            List<Decorated> all = List.of(watched, bound, classed);
            return new Decorated(
                    new InTurn(all.stream().map(Decorated::dataSource).toList()),
                    () -> all.stream().mapToInt(one -> one.scrape().getAsInt()).sum(),
                    () -> {
                        for (Decorated one : all) {
                            one.end().close();
                        }
                    });
        };
    }

    private static HikariDataSource copy(HikariDataSource pool, String suffix) {
        HikariDataSource copy = new HikariDataSource();
        copy.setPoolName(pool.getPoolName() + suffix);
        copy.setDataSource(pool.getDataSource());
        copy.setMaximumPoolSize(pool.getMaximumPoolSize());
        return copy;
    }

    /**
     * With a ceiling and mode adapt: the sizing controller moves the gate's limit.
     *
     * @return flexpool without a backend
     */
    public static Decorator acting() {
        return without(FlexPools::sizing);
    }

    private static FlexPoolBuilder sizing(HikariDataSource pool) {
        int base = pool.getMaximumPoolSize();
        return watching(pool).set("mode", PoolMode.ADAPT).set("base", base).set("ceiling", base + ROOM);
    }

    /**
     * Only watches, with something more or less than by default.
     *
     * @param change says what
     * @return flexpool without a backend
     */
    public static Decorator watchedBut(UnaryOperator<FlexPoolBuilder> change) {
        return without(pool -> change.apply(watching(pool)));
    }

    /**
     * With a base, growth and retry, and something more or less than by default.
     *
     * @param change says what
     * @return flexpool without a backend
     */
    public static Decorator boundBut(UnaryOperator<FlexPoolBuilder> change) {
        return without(pool -> change.apply(limiting(pool)));
    }

    /**
     * Builds a form with a module for the database server on the class path, so that leases keep their connections for it.
     *
     * @param form one of the others, without a module
     * @return the same with the module
     */
    public static Decorator withServerView(Decorator form) {
        return pool -> WithProvider.announced(() -> form.around(pool));
    }

    private static FlexPoolBuilder watching(HikariDataSource pool) {
        return FlexPool.wrap(pool).name(pool.getPoolName());
    }

    private static FlexPoolBuilder limiting(HikariDataSource pool) {
        int base = pool.getMaximumPoolSize();
        return watching(pool)
                .set("base", base)
                // So late that nothing grows while it is measured.
                .set("ceiling", base + ROOM)
                .set("grow-on-wait.enabled", true)
                .set("grow-on-wait.after", GROWS_AFTER)
                .set("retry.deadline", Duration.ofSeconds(60));
    }

    private static Decorator without(Form form) {
        return pool -> {
            FlexPoolDataSource wrapped = form.around(pool).build();
            return new Decorated(wrapped, () -> read(wrapped.statistics().total()), wrapped::close);
        };
    }

    private static int read(Figures total) {
        return Stream.of(AcquisitionOutcome.values())
                .map(total::acquisition)
                .toList()
                .size();
    }
}
