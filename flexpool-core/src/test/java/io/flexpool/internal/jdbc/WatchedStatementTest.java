// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;

import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A prepared statement of a watched lease keeps what others keep, and reports its calls into the database. */
class WatchedStatementTest extends StatementContract<PreparedStatement> {
    private static final String SQL = "select noted";

    /** The methods that reach the database, besides those whose name begins with {@code execute}. */
    private static final Set<String> REPORTED = Set.of("getResultSet", "getGeneratedKeys", "getMoreResults");

    WatchedStatementTest() {
        super(PreparedStatement.class, 32);
    }

    @Override
    Leased<PreparedStatement> over(PreparedStatement target) {
        return over(target, new CountedLease());
    }

    private static Leased<PreparedStatement> over(PreparedStatement target, CountedLease owner) {
        LeasedConnection lease = new LeasedConnection(mock(Connection.class), owner, 42, LeasedConnection.WATCHED);
        return new Leased<>(target, new LeasedPreparedStatement.Noted(target, lease, SQL), lease);
    }

    private static boolean isReported(Method method) {
        return method.getName().startsWith("execute") || REPORTED.contains(method.getName());
    }

    @ParameterizedTest
    @MethodSource("delegatedMethods")
    void callsIntoTheDatabaseAreReportedWithTheirStatement(Method method) throws Exception {
        CountedLease owner = new CountedLease();
        Leased<PreparedStatement> leased = over(mock(PreparedStatement.class), owner);
        Object[] arguments = JdbcValues.arguments(method);
        method.invoke(leased.delegate(), arguments);
        if (!isReported(method)) {
            assertThat(owner.entered).isEmpty();
        } else if (!method.getName().startsWith("execute")) {
            assertThat(owner.entered).containsOnlyNulls().hasSize(1);
        } else {
            boolean ownText = method.getParameterCount() > 0;
            assertThat(owner.entered).containsExactly(ownText ? (String) arguments[0] : SQL);
        }
        assertThat(owner.left).isEqualTo(owner.entered.size());
    }

    @ParameterizedTest
    @MethodSource("delegatedMethods")
    void aCallThatFailsIsReportedAsEnded(Method method) throws Exception {
        CountedLease owner = new CountedLease();
        Leased<PreparedStatement> leased = over(mock(PreparedStatement.class), owner);
        Object[] arguments = JdbcValues.arguments(method);
        method.invoke(doThrow(new IllegalStateException("own")).when(leased.target()), arguments);
        assertThatThrownBy(() -> method.invoke(leased.delegate(), arguments)).hasRootCauseMessage("own");
        assertThat(owner.entered).hasSize(isReported(method) ? 1 : 0);
        assertThat(owner.left).isEqualTo(owner.entered.size());
    }

    @ParameterizedTest
    @MethodSource("methodsThatEnd")
    void nothingIsReportedAfterTheLease(Method method) throws Exception {
        CountedLease owner = new CountedLease();
        Leased<PreparedStatement> leased = over(mock(PreparedStatement.class), owner);
        leased.lease().close();
        Object[] arguments = JdbcValues.arguments(method);
        assertThatThrownBy(() -> method.invoke(leased.delegate(), arguments))
                .hasRootCauseMessage(closed(PreparedStatement.class));
        assertThat(owner.entered).isEmpty();
        assertThat(owner.left).isZero();
    }
}
