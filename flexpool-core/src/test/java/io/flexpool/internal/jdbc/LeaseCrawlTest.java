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

/** On H2, where a row as a value is a result set in a result set. */
class LeaseCrawlTest extends LeaseCrawl {
    private static final String QUERY = "SELECT ROW(1, 'a') AS C1, ARRAY[1, 2] AS C2, ARRAY[ROW(1, 'b')] AS C3,"
            + " CAST('x' AS CLOB) AS C4, CAST(X'01' AS BLOB) AS C5, ARRAY[ARRAY[ROW(1, 'c')]] AS C6 FROM SYSTEM_RANGE(1, ";

    @Override
    Connection connect() throws SQLException {
        Connection real = DriverManager.getConnection("jdbc:h2:mem:");
        try (Statement statement = real.createStatement()) {
            statement.execute("CREATE TABLE T(ID INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, NAME VARCHAR)");
        }
        return real;
    }

    @Override
    String query() {
        return QUERY + "1500)";
    }

    @Override
    String prepared() {
        return QUERY + "?)";
    }

    @Override
    String call() {
        return QUERY + "?) WHERE 0 < ?";
    }

    @Override
    void prepareCall(CallableStatement call) throws SQLException {
        call.setInt(1, 50);
        call.setInt(2, 1);
        call.registerOutParameter(1, Types.OTHER);
        call.registerOutParameter(2, Types.ARRAY);
    }

    @Override
    String elementType() {
        return "INTEGER";
    }

    @Override
    Collection<String> expectedWays() {
        return List.of(
                "Array.getArray/0",
                "Array.getResultSet/0",
                "CallableStatement.getArray/1",
                "CallableStatement.getObject/1",
                "CallableStatement.getObject/2",
                "Connection.createArrayOf/2",
                "Connection.createBlob/0",
                "Connection.createClob/0",
                "Connection.createNClob/0",
                "Connection.createSQLXML/0",
                "Clob.getCharacterStream/0",
                "ResultSet.getArray/1",
                "ResultSet.getCharacterStream/1",
                "ResultSet.getNClob/1",
                "ResultSet.getObject/1",
                "ResultSet.getObject/2",
                "ResultSet.getSQLXML/1");
    }
}
