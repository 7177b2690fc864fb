// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class StubDatabaseTest {
    private final StubDatabase database = new StubDatabase();

    @Test
    void allObjectsOfAConnectionLeadBackToIt() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            Statement statement = connection.createStatement();
            assertThat(statement.getConnection()).isSameAs(connection);
            ResultSet rows = statement.executeQuery("select");
            assertThat(rows.next()).isFalse();
            assertThat(rows.getStatement()).isSameAs(statement);
            assertThat(connection.prepareCall("call").getConnection()).isSameAs(connection);
            assertThat(connection.getMetaData().getConnection()).isSameAs(connection);
            assertThat(connection.getMetaData().getCatalogs().getStatement()).isNull();
        }
    }

    /** With 0, HikariCP's close did not wait for a connect in progress, and its connection stayed open. */
    @Test
    void aLoginTimeoutIsKept() throws SQLException {
        DataSource source = database.dataSource();
        source.setLoginTimeout(20);
        assertThat(source.getLoginTimeout()).isEqualTo(20);
    }

    @Test
    void aStatementEndsWithItsClose() throws SQLException {
        Connection connection = database.dataSource().getConnection();
        PreparedStatement closed = connection.prepareStatement("select");
        PreparedStatement open = connection.prepareStatement("select");
        closed.close();
        assertThat(closed.isClosed()).isTrue();
        assertThatThrownBy(closed::execute).isInstanceOf(SQLException.class);
        assertThat(open.isClosed()).isFalse();
        assertThat(open.execute()).isFalse();
    }

    @Test
    void aStatementEndsWithItsConnection() throws SQLException {
        Connection connection = database.dataSource().getConnection();
        PreparedStatement open = connection.prepareStatement("select");
        connection.close();
        assertThat(open.isClosed()).isTrue();
        assertThatThrownBy(open::execute).isInstanceOf(SQLException.class);
    }

    @Test
    void aDeadServersStatementsSayThatTheConnectionIsBroken() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            Statement statement = connection.createStatement();
            database.stop();
            assertThatThrownBy(() -> statement.execute("select"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            thrown -> assertThat(thrown.getSQLState()).isEqualTo("08006"));
        }
    }

    @Test
    void eachConnectionHasANumber() throws SQLException {
        try (Connection one = database.dataSource().getConnection();
                Connection other = database.dataSource().getConnection()) {
            assertThat(one.getCatalog()).isNotEqualTo(other.getCatalog());
        }
    }

    @Test
    void anEndedConnectionIsCountedOnce() throws SQLException {
        Connection one = database.dataSource().getConnection();
        try (Connection other = database.dataSource().getConnection()) {
            assertThat(other.isClosed()).isFalse();
            one.abort(Runnable::run);
            one.close();
            assertThat(database.open()).isOne();
        }
        assertThat(database.open()).isZero();
    }
}
