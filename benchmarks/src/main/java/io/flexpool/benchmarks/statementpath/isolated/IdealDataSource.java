// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.statementpath.isolated;

import io.flexpool.benchmarks.stub.UnusedConnection;
import io.flexpool.benchmarks.stub.UnusedDataSource;
import io.flexpool.benchmarks.stub.UnusedPreparedStatement;
import io.flexpool.benchmarks.stub.UnusedResultSet;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * The floor under every decorator whose statements and result sets lead back to its own connection: one object each,
 * with the target and the way back, and every call passed on without a check. First the call, then the object: an
 * object that exists during a call is zeroed first, and the collector's barrier guards each store into it.
 */
final class IdealDataSource extends UnusedDataSource {
    private final DataSource target;

    IdealDataSource(DataSource target) {
        this.target = target;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return new IdealConnection(target.getConnection());
    }

    private static final class IdealConnection extends UnusedConnection {
        private final Connection target;

        IdealConnection(Connection target) {
            this.target = target;
        }

        @Override
        public PreparedStatement prepareStatement(String sql) throws SQLException {
            PreparedStatement statement = target.prepareStatement(sql);
            return new IdealStatement(statement, this);
        }

        @Override
        public void close() throws SQLException {
            target.close();
        }
    }

    /** 24 bytes: header 12, two references 8, and what is lost to whole words. */
    private static final class IdealStatement extends UnusedPreparedStatement {
        private final PreparedStatement target;
        private final Connection connection;

        IdealStatement(PreparedStatement target, Connection connection) {
            this.target = target;
            this.connection = connection;
        }

        @Override
        public Connection getConnection() {
            return connection;
        }

        @Override
        public void setInt(int index, int value) throws SQLException {
            target.setInt(index, value);
        }

        @Override
        public ResultSet executeQuery() throws SQLException {
            ResultSet results = target.executeQuery();
            return new IdealResultSet(results, this);
        }

        @Override
        public void close() throws SQLException {
            target.close();
        }
    }

    /** 24 bytes too. */
    private static final class IdealResultSet extends UnusedResultSet {
        private final ResultSet target;
        private final Statement statement;

        IdealResultSet(ResultSet target, Statement statement) {
            this.target = target;
            this.statement = statement;
        }

        @Override
        public Statement getStatement() {
            return statement;
        }

        @Override
        public boolean next() throws SQLException {
            return target.next();
        }

        @Override
        public int getInt(int column) throws SQLException {
            return target.getInt(column);
        }

        @Override
        public String getString(int column) throws SQLException {
            return target.getString(column);
        }

        @Override
        public void close() throws SQLException {
            target.close();
        }
    }
}
