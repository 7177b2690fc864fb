// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import io.flexpool.adapter.tck.database.MinimalDataSource;
import io.flexpool.benchmarks.stub.StubConnection;
import io.flexpool.benchmarks.stub.UnusedPreparedStatement;
import io.flexpool.benchmarks.stub.UnusedResultSet;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A database whose answer to every query is one row with a 1, at once. Thread-safe; its connections have one user. */
final class StubQueries extends MinimalDataSource {
    @Override
    public Connection getConnection() {
        return new Physical();
    }

    private static final class Physical extends StubConnection {
        @Override
        public int getHoldability() {
            return ResultSet.CLOSE_CURSORS_AT_COMMIT;
        }

        @Override
        public String getCatalog() {
            return "stub";
        }

        @Override
        public String getSchema() {
            return "stub";
        }

        @Override
        public Map<String, Class<?>> getTypeMap() {
            return Map.of();
        }

        @Override
        public void setTransactionIsolation(int level) {
            // There is nothing to isolate.
        }

        @Override
        public void rollback() {
            // There is nothing to take back.
        }

        @Override
        public Statement createStatement() {
            return new Query();
        }

        @Override
        public PreparedStatement prepareStatement(String sql) {
            return new Query();
        }

        @Override
        public PreparedStatement prepareStatement(String sql, int type, int concurrency) {
            return new Query();
        }
    }

    private static final class Query extends UnusedPreparedStatement {
        private boolean closed;

        @Override
        public ResultSet executeQuery() {
            return new One();
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }

        @Override
        public @Nullable SQLWarning getWarnings() {
            return null;
        }

        @Override
        public void clearWarnings() {
            // There are none.
        }
    }

    private static final class One extends UnusedResultSet {
        private boolean read;
        private boolean closed;

        @Override
        public boolean next() {
            boolean first = !read;
            read = true;
            return first;
        }

        @Override
        public int getInt(int column) {
            return 1;
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public boolean isClosed() {
            return closed;
        }
    }
}
