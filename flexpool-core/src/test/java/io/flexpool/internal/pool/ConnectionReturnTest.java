// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.spi.PoolPart.ReturnCheck;
import io.flexpool.spi.PoolPart.SessionCheck;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What parts' checks do to a connection that comes back, and what they cannot do to its application. */
class ConnectionReturnTest {
    private final List<String> seen = new ArrayList<>();
    private final TestContext part = new TestContext(settings -> {});
    private final ConnectionReturn returns = new ConnectionReturn(part.context, new LeaseTracker(part.context, 1));
    private final Connection connection = mock(Connection.class);
    private final LeasedConnection lease = mock(LeasedConnection.class);

    private void checks(ReturnCheck... all) {
        List<GuardedCheck> guarded = new ArrayList<>();
        for (ReturnCheck check : all) {
            guarded.add(new GuardedCheck("the part x", check, part.context.listeners()));
        }
        returns.checks(guarded);
    }

    @Test
    void aConnectionThatPassesGoesBack() throws SQLException {
        checks(new Sessions("a", true), new Sessions("b", true));
        returns.takeBack(connection, false);
        verify(connection).close();
        assertThat(seen).containsExactly("a checks", "b checks");
    }

    @Test
    void oneThatDoesNotPassIsDropped() throws SQLException {
        when(connection.getAutoCommit()).thenReturn(false);
        checks(new Sessions("a", false), new Sessions("b", true));
        returns.takeBack(connection, false);
        verify(connection).rollback();
        assertThat(part.fake.discarded).containsExactly(connection);
        assertThat(seen).as("what is dropped is not checked further").containsExactly("a checks", "b dropped");
    }

    @Test
    void oneThatIsEvictedIsNotChecked() throws SQLException {
        checks(new Sessions("a", true));
        returns.takeBack(connection, true);
        assertThat(part.fake.discarded).containsExactly(connection);
        assertThat(seen).containsExactly("a dropped");
    }

    @Test
    void aStatementMarksTheLeaseIfAPartWantsTo() throws SQLException {
        checks(new Sessions("a", true));
        returns.executes(lease, 0, connection, "select 1");
        verify(lease, never()).checkOnReturn();
        returns.executes(lease, 0, connection, "set a");
        verify(lease).checkOnReturn();
        assertThat(returns.observes("set a")).isTrue();
        assertThat(returns.observes("select 1")).isFalse();
    }

    @Test
    void aCheckThatThrowsChangesNothing() throws SQLException {
        SessionCheck broken = mock(SessionCheck.class, call -> {
            throw new IllegalStateException("broken");
        });
        checks(broken, new Sessions("b", true));
        returns.failed(lease, connection, new SQLException("refused"));
        returns.executes(lease, 0, connection, "set a");
        returns.changes(lease, connection, SessionProperty.SCHEMA);
        returns.committed(connection);
        returns.savepoint(connection, mock(Savepoint.class));
        returns.rolledBack(connection, null);
        returns.dropped(connection);
        assertThat(returns.observes("set a")).isTrue();
        returns.takeBack(connection, false);
        verify(connection).close();
        assertThat(part.context.listeners().errors()).isEqualTo(9);
        assertThat(seen)
                .containsExactly("b SCHEMA", "b committed", "b savepoint", "b rolled back", "b dropped", "b checks");
    }

    /** A check that does not look at sessions is not asked about them. */
    @Test
    void aPlainCheckSeesFailuresAlone() throws SQLException {
        checks(new ReturnCheck() {
            @Override
            public boolean failed(Connection of, SQLException thrown) {
                return true;
            }

            @Override
            public boolean check(Connection of) {
                seen.add("checked");
                return true;
            }
        });
        returns.executes(lease, 0, connection, "set a");
        verify(lease, never()).checkOnReturn();
        returns.failed(lease, connection, new SQLException("refused"));
        verify(lease).checkOnReturn();
        returns.takeBack(connection, false);
        assertThat(seen).containsExactly("checked");
    }

    private final class Sessions implements SessionCheck {
        private final String name;
        private final boolean passes;

        Sessions(String name, boolean passes) {
            this.name = name;
            this.passes = passes;
        }

        @Override
        public boolean failed(Connection of, SQLException thrown) {
            return false;
        }

        @Override
        public boolean check(Connection of) {
            seen.add(name + " checks");
            return passes;
        }

        @Override
        public boolean observes(String sql) {
            return sql.startsWith("set");
        }

        @Override
        public boolean executes(Connection of, String sql, String requestClass) {
            return observes(sql);
        }

        @Override
        public boolean changes(Connection of, SessionProperty property) {
            seen.add(name + " " + property);
            return true;
        }

        @Override
        public void committed(Connection of) {
            seen.add(name + " committed");
        }

        @Override
        public void savepoint(Connection of, Savepoint savepoint) {
            seen.add(name + " savepoint");
        }

        @Override
        public void rolledBack(Connection of, @Nullable Savepoint to) {
            seen.add(name + " rolled back");
        }

        @Override
        public void dropped(Connection of) {
            seen.add(name + " dropped");
        }
    }
}
