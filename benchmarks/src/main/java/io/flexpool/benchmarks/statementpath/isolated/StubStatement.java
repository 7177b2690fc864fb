// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath.isolated;

import io.flexpool.benchmarks.stub.StubConnection;
import io.flexpool.benchmarks.stub.UnusedPreparedStatement;
import io.flexpool.benchmarks.stub.UnusedResultSet;
import java.sql.PreparedStatement;
import java.sql.ResultSet;

/** A statement whose query is answered at once. */
final class StubStatement extends UnusedPreparedStatement {
    private final int rows;
    private int sum;

    private StubStatement(int rows) {
        this.rows = rows;
    }

    /** What all connections of a stub driver have in common. Set by one thread before others use it. */
    static final class Driver {
        private int rows;

        void answerWith(int rows) {
            this.rows = rows;
        }

        Connection connect() {
            return new Connection(this);
        }
    }

    /** A connection that prepares such statements. */
    static final class Connection extends StubConnection {
        private final Driver driver;

        private Connection(Driver driver) {
            this.driver = driver;
        }

        @Override
        public PreparedStatement prepareStatement(String sql) {
            return new StubStatement(driver.rows);
        }
    }

    /** What the places count for, so that a call that is lost, or reaches another place, shows. */
    @Override
    public void setInt(int index, int value) {
        sum += index * value;
    }

    @Override
    public ResultSet executeQuery() {
        return new Rows(rows, sum);
    }

    @Override
    public void close() {
        // There is nothing to free.
    }

    /** What each column says follows from the parameters and the place, so that a reader can check it. */
    static final class Rows extends UnusedResultSet {
        static final String TEXT = "text";

        private final int rows;
        private final int sum;
        private int row;

        Rows(int rows, int sum) {
            this.rows = rows;
            this.sum = sum;
        }

        static int number(int sum, int row, int column) {
            return sum + row + column;
        }

        @Override
        public boolean next() {
            return row++ < rows;
        }

        @Override
        public int getInt(int column) {
            return number(sum, row, column);
        }

        @Override
        public String getString(int column) {
            return TEXT;
        }

        @Override
        public void close() {
            // There is nothing to free.
        }
    }
}
