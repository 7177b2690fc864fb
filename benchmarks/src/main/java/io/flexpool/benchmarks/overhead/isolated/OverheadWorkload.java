// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead.isolated;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.benchmarks.paired.isolated.SlicedWorkload;
import io.flexpool.benchmarks.paired.isolated.StubConnection;
import io.flexpool.strategy.GrowOnWait;
import io.flexpool.strategy.RetryAcquisition;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A cycle is {@code getConnection()} and {@code close()}. */
public final class OverheadWorkload extends SlicedWorkload {
    /** How far the bound variant might grow; it never does, as every thread finds a permit. */
    private static final int ROOM = 4;

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
    public OverheadWorkload(String variant, int poolSize) {
        super(StubConnection::new, poolSize, pool -> decorated(variant, pool));
    }

    private static DataSource decorated(String variant, HikariDataSource pool) {
        int poolSize = pool.getMaximumPoolSize();
        return switch (variant) {
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
    protected Slice begin(DataSource dataSource) {
        Connection[] hand = new Connection[1];
        lastHand = hand;
        return new OpenClose(dataSource, hand);
    }

    private static final class OpenClose implements Slice {
        private final DataSource dataSource;
        private final Connection[] hand;

        OpenClose(DataSource dataSource, Connection[] hand) {
            this.dataSource = dataSource;
            this.hand = hand;
        }

        @Override
        public void batch() throws SQLException {
            // Locals, because the compiler must not read them again after each call it cannot see through.
            DataSource source = dataSource;
            Connection[] held = hand;
            for (int i = 0; i < BATCH; i++) {
                Connection connection = source.getConnection();
                held[0] = connection;
                connection.close();
            }
        }

        @Override
        public void close() {
            // Every cycle has given its connection back.
        }
    }
}
