// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doCallRealMethod;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.verifyNoMoreInteractions;
import static org.mockito.Mockito.when;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.ShardingKey;
import java.util.Map;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a lease answers for itself, and its end when everything behind it fails. */
class LeasedConnectionEdgeTest {
    private static final Executor EXECUTOR = Runnable::run;

    private final Connection target = mock(Connection.class);
    private final LeaseOwner owner = mock(LeaseOwner.class);
    private final LeasedConnection connection = new LeasedConnection(target, owner, 42, 0);

    @BeforeEach
    void theLeaseAbortsTheTargetItself() throws SQLException {
        doCallRealMethod().when(owner).abort(any(), any());
    }

    private void endedOnce() throws SQLException {
        connection.close();
        connection.abort(EXECUTOR);
        verify(owner).ended(42, 0, false);
    }

    @Test
    void anAbortWithoutAnExecutorIsRefusedAndEndsNothing() throws SQLException {
        assertThatThrownBy(() -> connection.abort(null)).isInstanceOf(SQLException.class);
        verifyNoInteractions(target, owner);
        connection.close();
        verify(target).close();
    }

    @Test
    void exceptionsOfTheDiscardAfterAnAbortAreIgnored() throws SQLException {
        doThrow(new SQLException("no longer mine")).when(owner).discard(target);
        connection.abort(EXECUTOR);
        verify(target).abort(EXECUTOR);
        endedOnce();
    }

    @Test
    void abortAndDiscardThatThrowAreOneException() throws SQLException {
        SQLException own = new SQLException("abort failed");
        SQLException also = new SQLException("discard failed");
        doThrow(own).when(target).abort(any());
        doThrow(also).when(owner).discard(target);
        assertThatThrownBy(() -> connection.abort(EXECUTOR)).isSameAs(own).hasSuppressedException(also);
        endedOnce();
    }

    @Test
    void anErrorInAbortStillEndsTheLease() throws SQLException {
        Error error = new AssertionError("a driver's bug");
        doThrow(error).when(target).abort(any());
        assertThatThrownBy(() -> connection.abort(EXECUTOR)).isSameAs(error);
        verify(owner).discard(target);
        endedOnce();
    }

    @Test
    void anErrorInAbortPassesThoughTheDiscardThrowsToo() throws SQLException {
        Error error = new AssertionError("a driver's bug");
        doThrow(error).when(target).abort(any());
        doThrow(new SQLException("discard failed")).when(owner).discard(target);
        assertThatThrownBy(() -> connection.abort(EXECUTOR)).isSameAs(error);
        endedOnce();
    }

    @Test
    void anErrorInTheDiscardStillEndsTheLease() throws SQLException {
        Error error = new AssertionError("an adapter's bug");
        doThrow(error).when(owner).discard(target);
        assertThatThrownBy(() -> connection.abort(EXECUTOR)).isSameAs(error);
        endedOnce();
    }

    @Test
    void anErrorInBothStillEndsTheLease() throws SQLException {
        Error error = new AssertionError("an adapter's bug");
        doThrow(new AssertionError("a driver's bug")).when(target).abort(any());
        doThrow(error).when(owner).discard(target);
        assertThatThrownBy(() -> connection.abort(EXECUTOR)).isSameAs(error);
        endedOnce();
    }

    @Test
    void anErrorInCloseStillEndsTheLease() throws SQLException {
        Error error = new AssertionError("a driver's bug");
        doThrow(error).when(target).close();
        assertThatThrownBy(connection::close).isSameAs(error);
        endedOnce();
    }

    @Test
    void whileTheLeaseLastsTheTargetSaysWhetherItIsClosed() throws SQLException {
        assertThat(connection.isClosed()).isFalse();
        when(target.isClosed()).thenReturn(true);
        assertThat(connection.isClosed()).isTrue();
    }

    @Test
    void isClosedAfterTheEndForAnyTarget() throws SQLException {
        connection.close();
        assertThat(connection.isClosed()).isTrue();
        verify(target).close();
        verifyNoMoreInteractions(target);
    }

    @Test
    void whileTheLeaseLastsTheTargetSaysWhetherItIsValid() throws SQLException {
        assertThat(connection.isValid(0)).isFalse();
        when(target.isValid(0)).thenReturn(true);
        assertThat(connection.isValid(0)).isTrue();
    }

    @Test
    void isNotValidAfterTheEndForAnyTarget() throws SQLException {
        when(target.isValid(3)).thenReturn(true);
        connection.close();
        assertThat(connection.isValid(3)).isFalse();
    }

    @Test
    void aNegativeTimeoutIsRefused() {
        assertThatThrownBy(() -> connection.isValid(-1))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("-1");
    }

    @Test
    void aNegativeTimeoutIsRefusedAfterTheEndToo() throws SQLException {
        connection.close();
        assertThatThrownBy(() -> connection.isValid(-1)).isInstanceOf(SQLException.class);
    }

    @Test
    void afterTheEndItUnwrapsToNothingButItself() throws SQLException {
        connection.close();
        assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
        assertThat(connection.isWrapperFor(Connection.class)).isTrue();
        assertThatThrownBy(() -> connection.unwrap(Runnable.class)).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> connection.isWrapperFor(Runnable.class)).isInstanceOf(SQLException.class);
    }

    @Test
    void aNoStaysANo() throws SQLException {
        assertThat(connection.getAutoCommit()).isFalse();
        assertThat(connection.isReadOnly()).isFalse();
        ShardingKey key = mock(ShardingKey.class);
        assertThat(connection.setShardingKeyIfValid(key, 1)).isFalse();
        assertThat(connection.setShardingKeyIfValid(key, key, 1)).isFalse();
    }

    @Test
    void aTypeMapKeepsItsEntries() throws SQLException {
        Map<String, Class<?>> types = Map.of("MONEY", Long.class);
        when(target.getTypeMap()).thenReturn(types);
        assertThat(connection.getTypeMap()).isSameAs(types);
    }

    @Test
    void itsNameIsTheTargetsName() {
        when(target.toString()).thenReturn("connection 7");
        assertThat(connection).hasToString("flexpool:connection 7");
    }
}
