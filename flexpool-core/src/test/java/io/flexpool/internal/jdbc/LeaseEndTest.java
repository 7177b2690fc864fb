// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.Mockito.doNothing;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.Statement;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.h2.api.ErrorCode;
import org.h2.jdbc.JdbcConnection;
import org.h2.jdbc.JdbcSQLNonTransientException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The end of a lease over a real database, with a pool's connection that stays open when it is given back. */
class LeaseEndTest {
    private static final String QUERY = "SELECT X FROM SYSTEM_RANGE(1, 3)";

    private final CountedLease owner = new CountedLease();
    private Connection physical;
    private Connection target;
    private LeasedConnection lease;

    @BeforeEach
    void begin() throws SQLException {
        physical = DriverManager.getConnection("jdbc:h2:mem:");
        target = mock(Connection.class, delegatesTo(physical));
        doNothing().when(target).close();
        lease = lease();
    }

    @AfterEach
    void end() throws SQLException {
        physical.close();
    }

    private LeasedConnection lease() {
        return new LeasedConnection(target, owner, 0, 0);
    }

    /** Ended by what was closed before, and not by the close that follows here. */
    private void assertEndedOnce() throws SQLException {
        assertThat(owner.ended).hasSize(1);
        assertThat(physical.isClosed()).isFalse();
        assertThat(lease.isClosed()).isTrue();
        lease.close();
        assertThat(owner.ended).hasSize(1);
        verify(target, times(1)).close();
    }

    @Test
    void aCloseThroughAStatementEndsTheLeaseOnce() throws SQLException {
        lease.createStatement().getConnection().close();
        assertEndedOnce();
    }

    @Test
    void aCloseThroughAPreparedResultEndsTheLeaseOnce() throws SQLException {
        ResultSet results = lease.prepareStatement(QUERY).executeQuery();
        results.getStatement().getConnection().close();
        assertEndedOnce();
    }

    @Test
    void aCloseThroughGeneratedKeysEndsTheLeaseOnce() throws SQLException {
        Statement statement = lease.createStatement();
        statement.execute("CREATE TABLE T(ID INT GENERATED ALWAYS AS IDENTITY, NAME VARCHAR)");
        statement.executeUpdate("INSERT INTO T(NAME) VALUES('a')", Statement.RETURN_GENERATED_KEYS);
        statement.getGeneratedKeys().getStatement().getConnection().close();
        assertEndedOnce();
    }

    @Test
    void aCloseThroughMetaDataEndsTheLeaseOnce() throws SQLException {
        lease.getMetaData().getConnection().close();
        assertEndedOnce();
    }

    @Test
    void aClosedResultSetStillRefusesToNameItsStatement() throws SQLException {
        ResultSet results = lease.createStatement().executeQuery(QUERY);
        assertThat(results.getStatement()).isNotNull();
        results.close();
        assertThatThrownBy(results::getStatement).isInstanceOf(SQLException.class);
        assertThat(lease.isClosed()).isFalse();
    }

    @Test
    void afterTheLeaseNothingIsValid() throws SQLException {
        Statement statement = lease.createStatement();
        ResultSet results = statement.executeQuery(QUERY);
        lease.close();
        assertThat(lease.isValid(1)).isFalse();
        assertThat(statement.isClosed()).isTrue();
        assertThat(results.isClosed()).isTrue();
        assertThat(physical.isValid(1)).isTrue();
    }

    @Test
    void afterTheLeaseNothingWorks() throws SQLException {
        Statement statement = lease.createStatement();
        ResultSet results = statement.executeQuery(QUERY);
        DatabaseMetaData metaData = lease.getMetaData();
        lease.close();
        assertThatThrownBy(lease::createStatement).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> statement.executeQuery(QUERY)).isInstanceOf(SQLException.class);
        assertThatThrownBy(results::next).isInstanceOf(SQLException.class);
        assertThatThrownBy(metaData::getTypeInfo).isInstanceOf(SQLException.class);
    }

    /** Frameworks close statements before the connection, and applications test for the driver's exception. */
    @Test
    void whatWasClosedBeforeThrowsTheDriversException() throws SQLException {
        Statement statement = lease.createStatement();
        ResultSet results = statement.executeQuery(QUERY);
        PreparedStatement prepared = lease.prepareStatement(QUERY);
        statement.close();
        prepared.close();
        lease.close();
        for (ThrowingCallable late : List.<ThrowingCallable>of(
                results::next,
                () -> results.getInt(1),
                () -> statement.executeQuery(QUERY),
                statement::getResultSet,
                prepared::executeQuery,
                () -> prepared.setInt(1, 1))) {
            assertThatThrownBy(late)
                    .isInstanceOf(JdbcSQLNonTransientException.class)
                    .satisfies(thrown ->
                            assertThat(((SQLException) thrown).getErrorCode()).isEqualTo(ErrorCode.OBJECT_CLOSED));
        }
    }

    /** SQLite's driver executes through a statement that it has closed. */
    @Test
    void aClosedStatementExecutesNothingForTheNextBorrower() throws SQLException {
        try (Connection sqlite = DriverManager.getConnection("jdbc:sqlite::memory:")) {
            Connection pooled = mock(Connection.class, delegatesTo(sqlite));
            doNothing().when(pooled).close();
            LeasedConnection ofSqlite = new LeasedConnection(pooled, owner, 0, 0);
            Statement late = ofSqlite.createStatement();
            ResultSet rows = late.executeQuery("select 1");
            late.close();
            ofSqlite.close();
            assertThatThrownBy(() -> late.executeUpdate("create table late (x)"))
                    .isExactlyInstanceOf(SQLNonTransientException.class)
                    .hasMessage("Statement is closed: its connection is closed");
            assertThatThrownBy(rows::next).isInstanceOf(SQLException.class);
            try (Statement next = sqlite.createStatement();
                    ResultSet tables = next.executeQuery("select count(*) from sqlite_master")) {
                assertThat(tables.getInt(1)).isZero();
            }
        }
    }

    @Test
    void aDriverThatDoesNotKnowWhetherItIsClosedIsAskedNoFurther() throws SQLException {
        Statement broken = mock(Statement.class);
        when(broken.isClosed()).thenThrow(new SQLException("lost", "08006"));
        doReturn(broken).when(target).createStatement();
        Statement late = lease.createStatement();
        ResultSet rows = mock(ResultSet.class);
        when(rows.isClosed()).thenReturn(true);
        when(rows.getFetchSize()).thenThrow(new NullPointerException());
        when(broken.executeQuery(QUERY)).thenReturn(rows);
        ResultSet lateRows = late.executeQuery(QUERY);
        lease.close();
        assertThatThrownBy(() -> late.executeQuery(QUERY))
                .isExactlyInstanceOf(SQLNonTransientException.class)
                .hasMessage("Statement is closed: its connection is closed");
        assertThatThrownBy(lateRows::next)
                .isExactlyInstanceOf(SQLNonTransientException.class)
                .hasMessage("ResultSet is closed: its connection is closed");
        verify(broken, times(1)).executeQuery(QUERY);
    }

    @Test
    void unwrappingTheDriversConnectionKeepsTheLeaseOpen() throws SQLException {
        assertThat(lease.isWrapperFor(JdbcConnection.class)).isTrue();
        assertThat(lease.unwrap(JdbcConnection.class)).isSameAs(physical);
        assertThat(lease.isClosed()).isFalse();
        assertThat(owner.ended).isEmpty();
        try (ResultSet results = lease.createStatement().executeQuery(QUERY)) {
            assertThat(results.next()).isTrue();
        }
    }

    /** A pool that caches statements returns the same one for the same text. */
    @Test
    void lateCallsLeaveTheNextLeasesStatementAlone() throws SQLException {
        PreparedStatement cached = mock(PreparedStatement.class, delegatesTo(physical.prepareStatement(QUERY)));
        doReturn(cached).when(target).prepareStatement(QUERY);
        PreparedStatement late = lease.prepareStatement(QUERY);
        lease.close();
        PreparedStatement next = lease().prepareStatement(QUERY);
        ResultSet results = next.executeQuery();
        assertThat(results.next()).isTrue();
        assertThatThrownBy(late::executeQuery).hasMessage("Statement is closed: its connection is closed");
        assertThatThrownBy(late::cancel).hasMessage("Statement is closed: its connection is closed");
        assertThatThrownBy(late::clearParameters).hasMessage("Statement is closed: its connection is closed");
        assertThatThrownBy(late::getConnection).hasMessage("Statement is closed: its connection is closed");
        verify(cached, times(0)).cancel();
        assertThat(results.next()).isTrue();
        assertThat(results.getInt(1)).isEqualTo(2);
    }

    @Test
    void aLateCloseLeavesTheNextLeaseAlone() throws SQLException {
        Statement late = lease.createStatement();
        Statement ofTheLate = late.unwrap(org.h2.jdbc.JdbcStatement.class);
        Connection backPointer = late.getConnection();
        lease.close();
        LeasedConnection next = lease();
        ResultSet results = next.createStatement().executeQuery(QUERY);
        lease.close();
        backPointer.close();
        late.close();
        assertThat(ofTheLate.isClosed()).isTrue();
        verify(target, times(1)).close();
        assertThat(next.isClosed()).isFalse();
        assertThat(results.next()).isTrue();
        assertThat(owner.ended).hasSize(1);
        next.close();
        assertThat(owner.ended).hasSize(2);
    }
}
