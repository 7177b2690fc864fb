// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath.isolated;

import io.flexpool.benchmarks.paired.isolated.SlicedWorkload;
import io.flexpool.benchmarks.statementpath.isolated.StubStatement.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A cycle is one query on a connection that is leased for the whole slice: {@code prepareStatement}, {@code setInt} for
 * every parameter, {@code executeQuery}; every row with {@code next}, every odd column with {@code getInt} and every even one with
 * {@code getString}; {@code close} of the result set and of the statement. Without the query, it is
 * {@code prepareStatement}, {@code setInt} and {@code close}.
 */
public final class StatementPathWorkload extends SlicedWorkload {
    private static final String SQL = "select * from stub where id = ?";

    /** Batches that are run before any slice: each method some thousand times, less than the compiler's last word. */
    private static final int EVEN_BATCHES = 20;

    private static final long PAUSE_NANOS = 5_000_000;

    private final StubStatement.Driver driver;
    private final boolean querying;
    private int parameters;
    private int columns;
    /** What a batch reads, where every call reached the stub driver with what it was called with. */
    private long expected;

    /**
     * Makes what the hand holds reachable from elsewhere: else the compiler could do without some of a variant's
     * objects, which it cannot in an application, where a statement goes through many methods. A new array per slice,
     * because a store into an old one costs the collector's barrier.
     */
    @SuppressWarnings("unused") // being written is its purpose
    private volatile AutoCloseable @Nullable [] lastHand;

    /**
     * Builds the pool and what is around it, and starts it evenly.
     *
     * @param variant a variant's name on the command line
     * @param threads connections in the pool
     * @param parameters calls of setInt of each statement
     * @param rows rows of each result set
     * @param columns columns read of each row
     * @param querying whether a cycle has the query
     * @throws SQLException if a cycle fails
     */
    public StatementPathWorkload(String variant, int threads, int parameters, int rows, int columns, boolean querying)
            throws SQLException {
        this(variant, threads, new StubStatement.Driver(), querying);
        startEvenly();
        run(parameters, rows, columns);
    }

    private StatementPathWorkload(String variant, int threads, StubStatement.Driver driver, boolean querying) {
        super(variant, driver::connect, threads, Variant.named(variant).decorator());
        this.driver = driver;
        this.querying = querying;
    }

    private void run(int parameters, int rows, int columns) {
        driver.answerWith(rows);
        this.parameters = parameters;
        this.columns = columns;
        expected = querying ? sum(parameters, rows, columns) : 0;
    }

    /**
     * First with one parameter, of one row with one column of each kind, and with pauses. The compiler profiles a method only while its
     * queue is short, and never checks again: with many rows, what is called once per value goes to the queue just when
     * what is called once per statement is to be profiled, and it is a matter of luck which calls are then inlined.
     */
    private void startEvenly() {
        run(1, 1, 2);
        for (int batch = 0; batch < EVEN_BATCHES; batch++) {
            apply(0);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static long sum(int parameters, int rows, int columns) {
        long sum = 0;
        for (int query = 0; query < BATCH; query++) {
            int set = 0;
            for (int index = 1; index <= parameters; index++) {
                set += index * value(query, index);
            }
            for (int row = 1; row <= rows; row++) {
                for (int column = 1; column <= columns; column++) {
                    sum += isNumber(column) ? Rows.number(set, row, column) : Rows.TEXT.length();
                }
            }
        }
        return sum;
    }

    private static int value(int query, int index) {
        return query + index - 1;
    }

    private static boolean isNumber(int column) {
        return (column & 1) != 0;
    }

    @Override
    protected Slice begin(DataSource dataSource) throws SQLException {
        AutoCloseable[] hand = new AutoCloseable[2];
        lastHand = hand;
        return new Queries(dataSource.getConnection(), hand);
    }

    private final class Queries implements Slice {
        private final Connection connection;
        private final AutoCloseable[] hand;

        Queries(Connection connection, AutoCloseable[] hand) {
            this.connection = connection;
            this.hand = hand;
        }

        @Override
        public void batch() throws SQLException {
            long sum = 0;
            for (int query = 0; query < BATCH; query++) {
                sum += cycle(query);
            }
            if (sum != expected) {
                throw new SQLException("read " + sum + " instead of " + expected);
            }
        }

        private long cycle(int query) throws SQLException {
            PreparedStatement statement = connection.prepareStatement(SQL);
            hand[0] = statement;
            for (int index = 1; index <= parameters; index++) {
                statement.setInt(index, value(query, index));
            }
            long sum = querying ? results(statement) : 0;
            statement.close();
            return sum;
        }

        private long results(PreparedStatement statement) throws SQLException {
            ResultSet results = statement.executeQuery();
            hand[1] = results;
            long sum = 0;
            while (results.next()) {
                for (int column = 1; column <= columns; column++) {
                    sum += isNumber(column)
                            ? results.getInt(column)
                            : results.getString(column).length();
                }
            }
            results.close();
            return sum;
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
