// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** On HSQLDB, whose streams of columns read through the connection. */
@Tag("scenario")
class HsqldbLeaseCrawlTest extends LeaseCrawl {
    private static final String QUERY =
            "select b as c1, l as c2, array[1, 2] as c3, x as c4 from t, unnest(sequence_array(1, ";

    @Override
    Connection connect() throws SQLException {
        Connection real = DriverManager.getConnection("jdbc:hsqldb:mem:crawl", "SA", "");
        try (Statement statement = real.createStatement()) {
            statement.execute("drop schema public cascade");
            statement.execute("create table t (id int generated always as identity primary key,"
                    + " b blob default x'0102', l clob default 'text', x varbinary(8) default x'03', name varchar(9))");
            statement.execute("insert into t (name) values ('a')");
            statement.execute(
                    "create procedure put_out(in n int, out c2 int array) begin atomic" + " set c2 = array[n]; end");
        }
        return real;
    }

    @Override
    String query() {
        return QUERY + "1000, 1)) as u(n)";
    }

    @Override
    String prepared() {
        return QUERY + "1000, 1)) as u(n) where 0 < cast(? as int)";
    }

    @Override
    String call() {
        return "{call put_out(?, ?)}";
    }

    @Override
    void prepareCall(CallableStatement call) throws SQLException {
        call.setInt(1, 50);
        call.registerOutParameter(2, Types.ARRAY);
    }

    @Override
    String elementType() {
        return "INTEGER";
    }

    @Override
    Collection<String> expectedWays() {
        return List.of(
                "Array.getResultSet/0",
                "CallableStatement.getArray/1",
                "Connection.createArrayOf/2",
                "Connection.createBlob/0",
                "Connection.createClob/0",
                "Connection.createNClob/0",
                "Connection.createSQLXML/0",
                "ResultSet.getArray/1",
                "ResultSet.getBinaryStream/1",
                "ResultSet.getCharacterStream/1",
                "ResultSet.getObject/1",
                "ResultSet.getObject/2");
    }
}
