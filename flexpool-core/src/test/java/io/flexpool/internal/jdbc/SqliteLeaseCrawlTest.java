// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;

/** On SQLite, whose result sets are their own metadata, and whose prepared statements are that of their parameters. */
class SqliteLeaseCrawlTest extends LeaseCrawl {
    private static final String QUERY = "with recursive n(x) as (select 1 union all select x + 1 from n where x < 1000)"
            + " select 'a' as c1, x'01' as c2, x as c3 from n where 0 < ";

    @Override
    Connection connect() throws SQLException {
        Connection real = DriverManager.getConnection("jdbc:sqlite::memory:");
        try (Statement statement = real.createStatement()) {
            statement.execute("create table t (id integer primary key autoincrement, name varchar)");
        }
        return real;
    }

    @Override
    String query() {
        return QUERY + "1";
    }

    @Override
    String prepared() {
        return QUERY + "?";
    }

    @Override
    String call() {
        return prepared();
    }

    @Override
    void prepareCall(CallableStatement call) {
        throw new IllegalStateException("SQLite has no calls");
    }

    @Override
    String elementType() {
        return "integer";
    }

    @Override
    Collection<String> missingWays() {
        return List.of(
                "Connection.prepareCall/1",
                "Connection.prepareCall/3",
                "Connection.prepareCall/4",
                "Connection.createStatement/3",
                "Connection.prepareStatement/4",
                "ResultSet.getBlob/1");
    }

    @Override
    Collection<String> expectedWays() {
        return List.of();
    }
}
