// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.legacy;

import java.sql.SQLException;
import javax.sql.DataSource;
import javax.sql.PooledConnection;
import org.postgresql.ds.PGConnectionPoolDataSource;
import org.postgresql.ds.PGPooledConnection;
import org.postgresql.ds.PGPoolingDataSource;

/** PostgreSQL's pool, with another database behind it. */
@SuppressWarnings("deprecation") // PostgreSQL has deprecated its pool
final class StubPgPool extends PGPoolingDataSource {
    private final DataSource database;

    StubPgPool(DataSource database) {
        this.database = database;
    }

    @Override
    protected PGConnectionPoolDataSource createConnectionPool() {
        return new Source(database);
    }

    private static final class Source extends PGConnectionPoolDataSource {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("serial") // nobody serializes it
        private final DataSource database;

        Source(DataSource database) {
            this.database = database;
        }

        @Override
        public PooledConnection getPooledConnection() throws SQLException {
            return new PGPooledConnection(database.getConnection(), true);
        }
    }
}
