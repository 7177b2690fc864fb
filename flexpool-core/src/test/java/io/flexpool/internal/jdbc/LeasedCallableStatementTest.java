// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class LeasedCallableStatementTest extends StatementContract<CallableStatement> {
    LeasedCallableStatementTest() {
        super(CallableStatement.class);
    }

    @Override
    Leased<CallableStatement> over(CallableStatement target) {
        LeasedConnection lease = lease();
        return new Leased<>(target, new LeasedCallableStatement(target, lease), lease);
    }

    @Test
    void aCursorsOwnStatementLeadsBackToTheLease() throws SQLException {
        Leased<CallableStatement> leased = leased();
        Statement ofTheCursor = mock(Statement.class);
        when(ofTheCursor.getConnection()).thenReturn(mock(Connection.class));
        ResultSet cursor = mock(ResultSet.class);
        when(cursor.getStatement()).thenReturn(ofTheCursor);
        when(leased.target().getObject(1)).thenReturn(cursor);
        ResultSet results = (ResultSet) leased.delegate().getObject(1);
        assertThat(results.getStatement().getConnection()).isSameAs(leased.lease());
    }

    /** A driver's class is requested on purpose, as by unwrap. */
    @Test
    void aRequestedDriverClassIsReturned() throws SQLException {
        Leased<CallableStatement> leased = leased();
        DriverResults cursor = mock(DriverResults.class);
        when(leased.target().getObject(1, DriverResults.class)).thenReturn(cursor);
        assertThat(leased.delegate().getObject(1, DriverResults.class)).isSameAs(cursor);
        when(leased.target().getObject("cursor", DriverResults.class)).thenReturn(cursor);
        assertThat(leased.delegate().getObject("cursor", DriverResults.class)).isSameAs(cursor);
    }

    /** A driver's own result set. */
    interface DriverResults extends ResultSet {}
}
