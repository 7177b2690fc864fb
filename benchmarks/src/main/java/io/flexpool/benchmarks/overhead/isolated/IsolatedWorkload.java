// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead.isolated;

import com.sun.management.ThreadMXBean;
import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.strategy.GrowOnWait;
import io.flexpool.strategy.RetryAcquisition;
import java.io.Closeable;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongFunction;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One variant inside its own class loader, with HikariCP, the stub driver and flexpool loaded anew: the compiler then
 * sees at each call site what an application with this variant alone would show it.
 *
 * <p>Classes of two loaders share only the JDK's types, so this is a {@link LongFunction}: from the length of a slice
 * in nanoseconds to what the calling thread did in it, as {operations, CPU nanoseconds, bytes allocated}.
 */
public final class IsolatedWorkload implements LongFunction<long[]>, Closeable {
    /** Cycles between two looks at the clock: enough to make the look vanish, few enough to end in time. */
    private static final int BATCH = 64;
    /** How far the bound variant might grow; it never does, as every thread finds a permit. */
    private static final int ROOM = 4;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final HikariDataSource pool = new HikariDataSource();
    private final DataSource dataSource;

    /**
     * Makes what {@code hand} holds reachable from elsewhere, as an application's connection is: else the compiler
     * would not allocate the bare pool's at all, and all others would look 56 bytes worse than they are. A new array
     * per slice, because a store into an old one costs the collector's barrier.
     */
    @SuppressWarnings("unused") // being written is its purpose
    private volatile Connection @Nullable [] lastHand;

    /**
     * Builds the pool and what is around it.
     *
     * @param variant a variant's name on the command line
     * @param poolSize connections in the pool
     */
    public IsolatedWorkload(String variant, int poolSize) {
        pool.setDataSource(new StubDataSource());
        pool.setMaximumPoolSize(poolSize);
        dataSource = switch (variant) {
            case "bare", "control" -> pool;
            case "ideal" -> new IdealDataSource(pool);
            case "flexpool-watched" -> FlexPool.wrap(pool).name(variant).build();
            case "flexpool-bound" ->
                FlexPool.wrap(pool)
                        .name(variant)
                        .base(poolSize)
                        .strategy(GrowOnWait.upTo(poolSize + ROOM))
                        .strategy(RetryAcquisition.times(3, Duration.ofMillis(100), Duration.ofSeconds(60)))
                        .build();
            default -> throw new IllegalArgumentException(variant);
        };
    }

    @Override
    public long[] apply(long sliceNanos) {
        try {
            Connection[] hand = new Connection[1];
            lastHand = hand;
            long bytes = threads.getCurrentThreadAllocatedBytes();
            long cpu = threads.getCurrentThreadCpuTime();
            long start = System.nanoTime();
            long operations = 0;
            do {
                cycles(hand);
                operations += BATCH;
            } while (System.nanoTime() - start < sliceNanos);
            return new long[] {
                operations, threads.getCurrentThreadCpuTime() - cpu, threads.getCurrentThreadAllocatedBytes() - bytes
            };
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void cycles(Connection[] hand) throws SQLException {
        for (int i = 0; i < BATCH; i++) {
            Connection connection = dataSource.getConnection();
            hand[0] = connection;
            connection.close();
        }
    }

    @Override
    public void close() {
        // flexpool closes the pool inside it; the ideal has nothing of its own to close.
        if (dataSource instanceof FlexPoolDataSource wrapped) {
            wrapped.close();
        } else {
            pool.close();
        }
    }
}
