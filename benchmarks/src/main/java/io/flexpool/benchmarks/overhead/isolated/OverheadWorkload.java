// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead.isolated;

import io.flexpool.benchmarks.paired.isolated.SlicedWorkload;
import io.flexpool.benchmarks.paired.isolated.StubConnection;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A cycle is {@code getConnection()} and {@code close()}. */
public final class OverheadWorkload extends SlicedWorkload {
    /**
     * Makes what {@code hand} holds reachable from elsewhere, as an application's connection is: else the compiler
     * would not allocate the bare pool's at all, and all others would appear 56 bytes worse than they are. A new array
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
        super(variant, StubConnection::new, poolSize, Variant.named(variant).decorator());
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
