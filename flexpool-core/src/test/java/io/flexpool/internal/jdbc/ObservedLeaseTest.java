// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.flexpool.adapter.PoolAdapter.SessionProperty;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the owner of an observed lease is shown: every statement that may change the session, and nothing of other leases. */
class ObservedLeaseTest {
    private final List<String> seen = new ArrayList<>();
    private final Connection target = mock(Connection.class);
    private final Owner owner = new Owner();
    private final LeasedConnection lease = new LeasedConnection(target, owner, 0, 3 | LeasedConnection.OBSERVED);

    @Test
    void aStatementIsShownBeforeEachExecution() throws SQLException {
        Statement statement = mock(Statement.class);
        when(target.createStatement()).thenReturn(statement);
        when(statement.execute(anyString())).thenAnswer(call -> {
            seen.add("runs");
            return false;
        });
        Statement leased = lease.createStatement();
        leased.execute("set a");
        leased.executeUpdate("set b");
        leased.executeQuery("set c");
        leased.addBatch("set d");
        leased.executeLargeUpdate("set e");
        leased.executeUpdate("set f", Statement.RETURN_GENERATED_KEYS);
        leased.execute("set g", new int[] {1});
        leased.executeLargeUpdate("set h", new String[] {"id"});
        assertThat(seen)
                .containsExactly("set a", "runs", "set b", "set c", "set d", "set e", "set f", "set g", "set h");
    }

    @Test
    void aPreparedStatementIsShownIfItsTextMatters() throws SQLException {
        PreparedStatement prepared = mock(PreparedStatement.class);
        CallableStatement callable = mock(CallableStatement.class);
        when(target.prepareStatement(anyString())).thenReturn(prepared);
        when(target.prepareCall(anyString())).thenReturn(callable);
        lease.prepareStatement("select 1").execute();
        assertThat(seen).isEmpty();
        PreparedStatement set = lease.prepareStatement("set a");
        assertThat(seen).as("it was not executed").isEmpty();
        set.execute();
        set.executeBatch();
        set.executeLargeUpdate();
        lease.prepareCall("set b").execute();
        assertThat(seen).containsExactly("set a", "set a", "set a", "set b");
    }

    @Test
    void propertiesAreShownBeforeTheyChange() throws SQLException {
        lease.setCatalog("c");
        lease.setSchema("s");
        lease.setClientInfo("ApplicationName", "a");
        lease.setClientInfo(new Properties());
        lease.setTypeMap(Map.of());
        lease.setHoldability(1);
        lease.setNetworkTimeout(Runnable::run, 1);
        lease.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
        assertThat(seen)
                .containsExactly(
                        "CATALOG",
                        "SCHEMA",
                        "CLIENT_INFO",
                        "CLIENT_INFO",
                        "TYPE_MAP",
                        "HOLDABILITY",
                        "NETWORK_TIMEOUT",
                        "TRANSACTION_ISOLATION");
    }

    @Test
    void transactionsAreShownOnceSomethingIsToBeChecked() throws SQLException {
        Savepoint savepoint = mock(Savepoint.class);
        when(target.setSavepoint()).thenReturn(savepoint);
        lease.commit();
        lease.rollback();
        lease.setSavepoint();
        assertThat(seen).isEmpty();
        lease.checkOnReturn();
        lease.commit();
        lease.rollback();
        assertThat(lease.setSavepoint()).isSameAs(savepoint);
        lease.rollback(savepoint);
        lease.setAutoCommit(false);
        lease.setAutoCommit(true);
        assertThat(seen)
                .containsExactly(
                        "committed", "rolled back to null", "savepoint", "rolled back to " + savepoint, "committed");
    }

    /** Of a commit that fails it is unknown what happened; the failure is reported. */
    @Test
    void aTransactionThatDoesNotEndIsNotShown() throws SQLException {
        lease.checkOnReturn();
        doThrow(new SQLException("gone")).when(target).commit();
        assertThatThrownBy(lease::commit).hasMessage("gone");
        assertThat(seen).isEmpty();
    }

    @Test
    void aConnectionThatDoesNotComeBackIsDropped() throws SQLException {
        lease.checkOnReturn();
        lease.abort(Runnable::run);
        assertThat(seen).containsExactly("dropped");
        LeasedConnection other = new LeasedConnection(target, owner, 0, 4 | LeasedConnection.OBSERVED);
        other.checkOnReturn();
        other.takenBack();
        assertThat(seen).containsExactly("dropped", "dropped");
        LeasedConnection clean = new LeasedConnection(target, owner, 0, 5 | LeasedConnection.OBSERVED);
        clean.abort(Runnable::run);
        assertThat(seen).hasSize(2);
    }

    @Test
    void whatIsNotObservedShowsNothing() throws SQLException {
        LeasedConnection other = new LeasedConnection(target, owner, 0, 3);
        when(target.createStatement()).thenReturn(mock(Statement.class));
        when(target.prepareStatement(anyString())).thenReturn(mock(PreparedStatement.class));
        other.createStatement().execute("set a");
        other.createStatement().addBatch("set a");
        other.prepareStatement("set a").execute();
        other.setSchema("s");
        other.commit();
        other.close();
        verify(target).close();
        assertThat(seen).isEmpty();
    }

    @Test
    void nothingIsShownAfterTheEnd() throws SQLException {
        Statement statement = mock(Statement.class);
        when(target.createStatement()).thenReturn(statement);
        Statement leased = lease.createStatement();
        lease.checkOnReturn();
        lease.close();
        assertThat(seen).containsExactly("taken back");
        assertThatThrownBy(() -> leased.execute("set a")).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> leased.addBatch("set a")).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> lease.setSchema("s")).isInstanceOf(SQLException.class);
        assertThat(seen).containsExactly("taken back");
    }

    private final class Owner implements LeaseOwner {
        @Override
        public void ended(long acquiredNanos, int place, boolean reclaimed) {
            assertThat(place).isBetween(3, 5);
        }

        @Override
        public void discard(Connection connection) {}

        @Override
        public boolean observes(String sql) {
            return sql.startsWith("set");
        }

        @Override
        public void executes(LeasedConnection of, int place, Connection connection, String sql) {
            assertThat(connection).isSameAs(target);
            seen.add(sql);
        }

        @Override
        public void changes(LeasedConnection of, Connection connection, SessionProperty property) {
            seen.add(property.name());
        }

        @Override
        public void committed(Connection connection) {
            seen.add("committed");
        }

        @Override
        public void savepoint(Connection connection, Savepoint savepoint) {
            seen.add("savepoint");
        }

        @Override
        public void rolledBack(Connection connection, @Nullable Savepoint to) {
            seen.add("rolled back to " + to);
        }

        @Override
        public void dropped(Connection connection) {
            seen.add("dropped");
        }

        @Override
        public void takeBack(Connection connection, boolean discarded) {
            seen.add("taken back");
        }
    }
}
