// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class LeasedStatementTest extends StatementContract<Statement> {
    LeasedStatementTest() {
        super(Statement.class);
    }

    @Override
    Leased<Statement> over(Statement target) {
        LeasedConnection lease = lease();
        return new Leased<>(target, new LeasedStatement(target, lease), lease);
    }

    @Test
    void aStatementFoundOnTheWayCanWhatItsTargetCan() {
        LeasedConnection lease = lease();
        assertThat(LeasedStatement.of(mock(Statement.class), lease)).isExactlyInstanceOf(LeasedStatement.class);
        assertThat(LeasedStatement.of(mock(PreparedStatement.class), lease))
                .isExactlyInstanceOf(LeasedPreparedStatement.class);
        assertThat(LeasedStatement.of(mock(CallableStatement.class), lease))
                .isExactlyInstanceOf(LeasedCallableStatement.class);
    }
}
