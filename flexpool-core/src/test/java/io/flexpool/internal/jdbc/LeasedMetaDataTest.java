// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LeasedMetaDataTest extends DelegationContract<DatabaseMetaData> {
    LeasedMetaDataTest() {
        super(DatabaseMetaData.class, 24, Set.of("getDriverMajorVersion", "getDriverMinorVersion"));
    }

    @Override
    Leased<DatabaseMetaData> over(DatabaseMetaData target) {
        LeasedConnection lease = lease();
        return new Leased<>(target, new LeasedMetaData(target, lease), lease);
    }

    final Stream<Method> methodsThatGiveResults() {
        return delegatedMethods().filter(method -> method.getReturnType() == ResultSet.class);
    }

    @ParameterizedTest
    @MethodSource("methodsThatGiveResults")
    void theStatementBehindItsResultsLeadsBackToTheLease(Method method) throws Exception {
        Leased<DatabaseMetaData> leased = leased();
        Statement inner = mock(Statement.class);
        when(inner.getConnection()).thenReturn(mock(Connection.class));
        ResultSet theirs = mock(ResultSet.class);
        when(theirs.getStatement()).thenReturn(inner);
        Object[] arguments = JdbcValues.arguments(method);
        when(method.invoke(leased.target(), arguments)).thenReturn(theirs);
        ResultSet results = (ResultSet) method.invoke(leased.delegate(), arguments);
        assertThat(results.getStatement().getConnection()).isSameAs(leased.lease());
    }

    @Test
    void aTargetsRefusalOfItsConnectionIsPassedOn() throws SQLException {
        Leased<DatabaseMetaData> leased = leased();
        SQLException refusal = new SQLException("closed");
        when(leased.target().getConnection()).thenThrow(refusal);
        assertThatThrownBy(leased.delegate()::getConnection).isSameAs(refusal);
    }

    /** They may throw no SQLException, and a driver knows its version without a connection. */
    @Test
    void theDriversVersionIsKnownAfterTheLeaseToo() throws SQLException {
        Leased<DatabaseMetaData> leased = leased();
        when(leased.target().getDriverMajorVersion()).thenReturn(42);
        when(leased.target().getDriverMinorVersion()).thenReturn(7);
        leased.lease().close();
        assertThat(leased.delegate().getDriverMajorVersion()).isEqualTo(42);
        assertThat(leased.delegate().getDriverMinorVersion()).isEqualTo(7);
    }
}
