// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A result set of a watched lease keeps what others keep, and reports its close while rows may be left. */
class WatchedResultSetTest extends DelegationContract<ResultSet> {
    private CountedLease owner = new CountedLease();
    private ResultSet target = mock(ResultSet.class);

    WatchedResultSetTest() {
        super(ResultSet.class, 32, Set.of("close", "isClosed"));
    }

    @BeforeEach
    void begin() {
        owner = new CountedLease();
        target = mock(ResultSet.class);
    }

    @Override
    Leased<ResultSet> over(ResultSet over) {
        LeasedConnection lease = watched(new CountedLease());
        return new Leased<>(over, LeasedResultSet.of(over, null, lease), lease);
    }

    private static LeasedConnection watched(CountedLease owner) {
        return new LeasedConnection(mock(Connection.class), owner, 42, LeasedConnection.WATCHED);
    }

    private ResultSet ofAStatement(LeasedConnection lease) {
        return LeasedResultSet.of(target, new LeasedStatement(mock(Statement.class), lease), lease);
    }

    @Test
    void onlyAWatchedLeaseHasSuchResultSets() {
        assertThat(LeasedResultSet.of(target, null, watched(owner))).isInstanceOf(LeasedResultSet.Watched.class);
        assertThat(LeasedResultSet.of(target, null, lease())).isExactlyInstanceOf(LeasedResultSet.class);
    }

    @Test
    void itsCloseIsReportedBeforeTheEnd() throws SQLException {
        ResultSet results = ofAStatement(watched(owner));
        when(target.next()).thenReturn(true);
        assertThat(results.next()).isTrue();
        results.close();
        verify(target).close();
        assertReported(1);
    }

    @Test
    void itsCloseAtTheEndIsNoCallIntoTheDatabase() throws SQLException {
        ResultSet results = ofAStatement(watched(owner));
        when(target.next()).thenReturn(true, false);
        assertThat(results.next()).isTrue();
        assertThat(results.next()).isFalse();
        results.close();
        verify(target).close();
        assertReported(0);
    }

    /** PostgreSQL's driver closes a cursor that came out of a column with a statement, also at its end. */
    @Test
    void theCloseOfACursorIsAlwaysReported() throws SQLException {
        ResultSet cursor = LeasedResultSet.of(target, null, watched(owner));
        assertThat(cursor.next()).isFalse();
        cursor.close();
        assertReported(1);
    }

    @Test
    void aLateCloseReachesTheTargetAndIsNotReported() throws SQLException {
        LeasedConnection lease = watched(owner);
        ResultSet results = ofAStatement(lease);
        lease.close();
        results.close();
        verify(target).close();
        assertReported(0);
    }

    private void assertReported(int calls) {
        assertThat(owner.entered).hasSize(calls);
        assertThat(owner.left).isEqualTo(calls);
    }
}
