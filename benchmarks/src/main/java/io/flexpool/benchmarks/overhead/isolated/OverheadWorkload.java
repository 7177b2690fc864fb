// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead.isolated;

import io.flexpool.benchmarks.decorations.InTurn;
import io.flexpool.benchmarks.paired.isolated.SlicedWorkload;
import io.flexpool.benchmarks.stub.StubConnection;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** A cycle is {@code getConnection()} and {@code close()}. */
public final class OverheadWorkload extends SlicedWorkload {
    /** The place in a hand: two cache lines from either end, because processors fetch lines in pairs. */
    private static final int PLACE = 32;

    /**
     * Makes what a thread's hand holds reachable from elsewhere, as an application's connection is: else the compiler
     * would not allocate the bare pool's at all, and all others would appear 56 bytes worse than they are. Each thread has
     * a hand of its own, on cache lines of its own wherever the collector moves it: a line that all threads write would cost
     * every variant the same in addition, and those that cost much would look better. A new one per slice, because a store into an
     * old one costs the collector's barrier. Not an array of connections: to check that a stored object has an interface
     * may write to what all threads know of its class.
     */
    private static final ThreadLocal<Object[]> HANDS = new ThreadLocal<>();

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
        Object[] hand = new Object[2 * PLACE];
        HANDS.set(hand);
        DataSource[] sources = dataSource instanceof InTurn several ? several.order() : new DataSource[] {dataSource};
        return new OpenClose(sources, hand);
    }

    private static final class OpenClose implements Slice {
        private final DataSource[] sources;
        private final Object[] hand;
        private int turn;

        OpenClose(DataSource[] sources, Object[] hand) {
            this.sources = sources;
            this.hand = hand;
        }

        @Override
        public void batch() throws SQLException {
            // Locals, because the compiler must not read them again after each call it cannot see through.
            DataSource source = sources[turn];
            turn = turn + 1 == sources.length ? 0 : turn + 1;
            Object[] held = hand;
            for (int i = 0; i < BATCH; i++) {
                Connection connection = source.getConnection();
                held[PLACE] = connection;
                connection.close();
            }
        }

        @Override
        public void close() {
            // Every cycle has given its connection back.
        }
    }
}
