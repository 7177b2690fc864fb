// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.clearInvocations;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

class LeasedConnectionTest extends DelegationContract<Connection> {
    private static final long ACQUIRED_NANOS = 42;

    private Connection target;
    private CountedLease owner;
    private LeasedConnection connection;

    LeasedConnectionTest() {
        super(Connection.class, 32, Set.of("close", "abort", "isClosed", "isValid"));
    }

    @Override
    Leased<Connection> over(Connection target) {
        LeasedConnection lease = lease(target);
        return new Leased<>(target, lease, lease);
    }

    @BeforeEach
    void begin() {
        target = mock(Connection.class);
        owner = new CountedLease();
        connection = new LeasedConnection(target, owner, ACQUIRED_NANOS, 0);
    }

    @Test
    void closingTwiceEndsOneLease() throws SQLException {
        connection.close();
        connection.close();
        verify(target, times(1)).close();
        assertThat(owner.ended).containsExactly(ACQUIRED_NANOS);
        assertThat(connection.isClosed()).isTrue();
        assertThat(connection.isValid(1)).isFalse();
    }

    @Test
    void theLeaseEndsAlsoWhenTheTargetsCloseThrows() throws SQLException {
        SQLException own = new SQLException("rollback failed");
        doThrow(own).when(target).close();
        assertThatThrownBy(connection::close).isSameAs(own);
        connection.close();
        assertThat(owner.ended).containsExactly(ACQUIRED_NANOS);
    }

    @Test
    void abortEndsTheLease() throws SQLException {
        Executor executor = Runnable::run;
        connection.abort(executor);
        connection.close();
        verify(target).abort(executor);
        verify(target, never()).close();
    }

    @Test
    void abortGivesThePlaceBack() throws SQLException {
        connection.abort(Runnable::run);
        connection.close();
        assertThat(owner.discarded).containsExactly(target);
        assertThat(owner.ended).containsExactly(ACQUIRED_NANOS);
    }

    @Test
    void anAbortThatThrowsStillGivesThePlaceBack() throws SQLException {
        SQLException own = new SQLException("abort failed");
        doThrow(own).when(target).abort(any());
        assertThatThrownBy(() -> connection.abort(Runnable::run)).isSameAs(own);
        assertThat(owner.discarded).containsExactly(target);
        assertThat(owner.ended).containsExactly(ACQUIRED_NANOS);
    }

    @Test
    void aLateAbortTouchesNothing() throws SQLException {
        connection.close();
        clearInvocations(target);
        connection.abort(Runnable::run);
        verifyNoInteractions(target);
        assertThat(owner.discarded).isEmpty();
        assertThat(owner.ended).hasSize(1);
    }

    @Test
    void argumentsThatJdbcForbidsAreRefused() throws SQLException {
        assertThatThrownBy(() -> connection.abort(null)).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> connection.isValid(-1)).isInstanceOf(SQLException.class);
        assertThat(connection.isClosed()).isFalse();
    }

    /** Two threads meet at each round without a lock between, so that they really race for the state word. */
    @Test
    @Tag("slow") // see the profile pitest: it spins, and mutants are tried by as many threads as there are processors
    void racingClosesEndOneLease() throws Exception {
        int rounds = 100_000;
        Connection cheap = mock(Connection.class, Mockito.withSettings().stubOnly());
        AtomicInteger ends = new AtomicInteger();
        LeaseOwner lease = new LeaseOwner() {
            @Override
            public void ended(long acquiredNanos, int place, boolean reclaimed) {
                ends.incrementAndGet();
            }

            @Override
            public void discard(Connection discardedTarget) {}
        };
        LeasedConnection[] raced = new LeasedConnection[rounds];
        Arrays.setAll(raced, round -> new LeasedConnection(cheap, lease, round, 0));
        AtomicInteger[] arrived = {new AtomicInteger(), new AtomicInteger()};
        Thread[] threads = new Thread[2];
        for (int at = 0; at < threads.length; at++) {
            AtomicInteger mine = arrived[at];
            AtomicInteger other = arrived[1 - at];
            threads[at] = new Thread(() -> {
                for (int round = 0; round < rounds; round++) {
                    mine.set(round + 1);
                    for (int spins = 0; other.get() <= round; spins++) {
                        if (spins < 1_000) {
                            Thread.onSpinWait();
                        } else {
                            // The other thread may wait for this very processor.
                            LockSupport.parkNanos(1);
                        }
                    }
                    try {
                        raced[round].close();
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                }
            });
            threads[at].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(ends).hasValue(rounds);
    }
}
