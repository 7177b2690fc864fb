// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.paired.isolated;

import com.sun.management.ThreadMXBean;
import io.flexpool.benchmarks.decorations.Decorated;
import io.flexpool.benchmarks.decorations.Decorator;
import io.flexpool.benchmarks.stub.StubDataSource;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.IntSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * One variant inside its own class loader, with HikariCP, the stub driver and flexpool loaded anew: the compiler then
 * sees at each call site what an application with this variant alone would show it.
 *
 * <p>Classes of two loaders share only the JDK's types, so this is a {@link LongFunction}: from the length of a slice
 * in nanoseconds to what the calling thread did in it, as {cycles, CPU nanoseconds, bytes allocated}. And it is an
 * {@link IntSupplier}, which reads the variant's figures once and says how many these are, and a {@link Runnable}, which
 * opens and closes one connection. A subclass has one public
 * constructor, which takes the variant's name and then its benchmark's arguments. Safe for use by several
 * threads: each call has its own {@link Slice}.
 */
public abstract class SlicedWorkload implements LongFunction<long[]>, IntSupplier, Runnable, Closeable {
    /** Cycles between two clock reads: enough to make the read negligible, few enough to end in time. */
    protected static final int BATCH = 64;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Decorated decorated;

    /**
     * Builds the pool and what is around it.
     *
     * @param name the pool's name, which none that lives at the same time has
     * @param driver makes the stub driver's connections
     * @param poolSize connections in the pool
     * @param decorator puts the variant around the pool
     */
    protected SlicedWorkload(String name, Supplier<? extends Connection> driver, int poolSize, Decorator decorator) {
        decorated = decorator.around(StubDataSource.pool(name, driver, poolSize));
    }

    /** What one thread does in one slice. */
    protected interface Slice extends AutoCloseable {
        /**
         * Runs {@link #BATCH} cycles.
         *
         * @throws SQLException if a cycle fails; the benchmark then ends
         */
        void batch() throws SQLException;

        /** Ends the slice, outside of what is timed. */
        @Override
        void close() throws SQLException;
    }

    /**
     * Begins a slice on the calling thread, outside of what is timed.
     *
     * @param dataSource the variant
     * @return the slice
     * @throws SQLException if it cannot begin
     */
    protected abstract Slice begin(DataSource dataSource) throws SQLException;

    @Override
    public final long[] apply(long sliceNanos) {
        try (Slice slice = begin(decorated.dataSource())) {
            long bytes = threads.getCurrentThreadAllocatedBytes();
            long cpu = threads.getCurrentThreadCpuTime();
            long start = System.nanoTime();
            long cycles = 0;
            do {
                slice.batch();
                cycles += BATCH;
            } while (System.nanoTime() - start < sliceNanos);
            return new long[] {
                cycles, threads.getCurrentThreadCpuTime() - cpu, threads.getCurrentThreadAllocatedBytes() - bytes
            };
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens and closes one connection on the calling thread. */
    @Override
    public final void run() {
        try {
            decorated.dataSource().getConnection().close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads the variant's figures, as its reporter would, between two slices. */
    @Override
    public final int getAsInt() {
        return decorated.scrape().getAsInt();
    }

    @Override
    public final void close() throws IOException {
        decorated.end().close();
    }
}
