// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;
import static org.mockito.Mockito.when;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What statements of all three kinds keep beyond plain delegation. */
abstract class StatementContract<T extends Statement> extends DelegationContract<T> {
    StatementContract(Class<T> type) {
        this(type, 24);
    }

    StatementContract(Class<T> type, int largestBytes) {
        super(type, largestBytes, Set.of("close", "isClosed"));
    }

    final Stream<Method> methodsThatGiveResults() {
        return delegatedMethods().filter(method -> method.getReturnType() == ResultSet.class);
    }

    @ParameterizedTest
    @MethodSource("methodsThatGiveResults")
    void aResultSetLeadsBackToThisVeryStatement(Method method) throws Exception {
        Leased<T> leased = leased();
        ResultSet theirs = mock(ResultSet.class);
        when(theirs.getStatement()).thenReturn(leased.target());
        Object[] arguments = JdbcValues.arguments(method);
        when(method.invoke(leased.target(), arguments)).thenReturn(theirs);
        ResultSet results = (ResultSet) method.invoke(leased.delegate(), arguments);
        assertThat(results.getStatement()).isSameAs(leased.delegate());
    }

    @Test
    void aClosedStatementRefusesToNameItsConnection() throws SQLException {
        Leased<T> leased = leased();
        SQLException refusal = new SQLException("closed");
        when(leased.target().getConnection()).thenThrow(refusal);
        assertThatThrownBy(leased.delegate()::getConnection).isSameAs(refusal);
    }

    @Test
    void aCloseThroughTheBackPointerEndsTheLeaseOnce() throws SQLException {
        Leased<T> leased = leased();
        when(leased.target().getConnection()).thenReturn(mock(Connection.class));
        leased.delegate().getConnection().close();
        assertThat(leased.lease().isClosed()).isTrue();
    }

    /** Many pools leave statements open when a connection comes back. */
    @Test
    void aLateCloseStillFreesTheTarget() throws SQLException {
        Leased<T> leased = leased();
        leased.lease().close();
        leased.delegate().close();
        verify(leased.target()).close();
    }

    @Test
    void itIsClosedAsSoonAsTheLeaseHasEnded() throws SQLException {
        Leased<T> leased = leased();
        assertThat(leased.delegate().isClosed()).isFalse();
        verify(leased.target()).isClosed();
        leased.lease().close();
        assertThat(leased.delegate().isClosed()).isTrue();
        verifyNoMoreInteractions(leased.target());
    }
}
