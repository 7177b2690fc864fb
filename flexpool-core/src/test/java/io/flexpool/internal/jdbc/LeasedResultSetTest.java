// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import java.sql.Blob;
import java.sql.Clob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeasedResultSetTest extends DelegationContract<ResultSet> {
    LeasedResultSetTest() {
        super(ResultSet.class, 24, Set.of("close", "isClosed"));
    }

    @Override
    Leased<ResultSet> over(ResultSet target) {
        LeasedConnection lease = lease();
        return new Leased<>(target, new LeasedResultSet(target, null, lease), lease);
    }

    /** As a statement of the application's gives it. */
    private static ResultSet ofAStatement(ResultSet target) {
        LeasedConnection lease = lease();
        return new LeasedResultSet(target, new LeasedStatement(mock(Statement.class), lease), lease);
    }

    @Test
    void aClosedResultSetRefusesToNameItsStatement() throws SQLException {
        ResultSet target = mock(ResultSet.class);
        ResultSet results = ofAStatement(target);
        SQLException refusal = new SQLException("closed");
        when(target.getStatement()).thenThrow(refusal);
        assertThatThrownBy(results::getStatement).isSameAs(refusal);
    }

    @Test
    void aTargetWithoutAStatementHasNone() throws SQLException {
        assertThat(ofAStatement(mock(ResultSet.class)).getStatement()).isNull();
    }

    @Test
    void aStatementFoundOnTheWayStaysTheSame() throws SQLException {
        Leased<ResultSet> leased = leased();
        when(leased.target().getStatement()).thenReturn(mock(Statement.class));
        assertThat(leased.delegate().getStatement())
                .isNotNull()
                .isSameAs(leased.delegate().getStatement());
    }

    @Test
    void aLateCloseStillFreesTheTarget() throws SQLException {
        Leased<ResultSet> leased = leased();
        leased.lease().close();
        leased.delegate().close();
        verify(leased.target()).close();
    }

    @Test
    void itIsClosedAsSoonAsTheLeaseHasEnded() throws SQLException {
        Leased<ResultSet> leased = leased();
        assertThat(leased.delegate().isClosed()).isFalse();
        verify(leased.target()).isClosed();
        leased.lease().close();
        assertThat(leased.delegate().isClosed()).isTrue();
        verifyNoMoreInteractions(leased.target());
    }

    /** MariaDB's texts extend its bytes. */
    @Test
    void anObjectThatIsABlobAndAClobIsEither() throws SQLException {
        Leased<ResultSet> leased = leased();
        Clob both = mock(Clob.class, withSettings().extraInterfaces(Blob.class));
        when(leased.target().getObject(1)).thenReturn(both);
        when(leased.target().getObject(1, Clob.class)).thenReturn(both);
        when(leased.target().getObject(1, Blob.class)).thenReturn((Blob) both);
        assertThat(leased.delegate().getObject(1)).isInstanceOf(LeasedClob.class);
        assertThat(leased.delegate().getObject(1, Clob.class)).isInstanceOf(LeasedClob.class);
        assertThat(leased.delegate().getObject(1, Blob.class)).isInstanceOf(LeasedBlob.class);
    }
}
