// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.ShardingKey;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.Mockito;

class LeasedConnectionTest {
    /** These end the lease, or answer for themselves: they have tests of their own. */
    private static final Set<String> OWN = Set.of("close", "abort", "unwrap", "isWrapperFor", "isClosed", "isValid");

    private final Connection target = mock(Connection.class);
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger discarded = new AtomicInteger();
    private final LeasedConnection connection = new LeasedConnection(target, new CountingLease(), 42);

    private final class CountingLease implements Lease {
        @Override
        public void ended(long acquiredNanos) {
            assertThat(acquiredNanos).isEqualTo(42);
            ended.incrementAndGet();
        }

        @Override
        public void discard(Connection discardedTarget) {
            assertThat(discardedTarget).isSameAs(target);
            discarded.incrementAndGet();
        }
    }

    static Stream<Method> plainMethods() {
        // In one order in every run: mutation tests name a case by its number.
        return Arrays.stream(Connection.class.getMethods())
                .filter(method -> !OWN.contains(method.getName()))
                .sorted(Comparator.comparing(Method::toString));
    }

    private static Object argument(Class<?> type) {
        Map<Class<?>, Object> arguments = Map.of(
                int.class,
                3,
                boolean.class,
                true,
                String.class,
                "text",
                int[].class,
                new int[] {1},
                String[].class,
                new String[] {"a"},
                Object[].class,
                new Object[] {1},
                Map.class,
                Map.of(),
                Properties.class,
                new Properties());
        Object known = arguments.get(type);
        return known != null ? known : mock(type);
    }

    private static Object[] arguments(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(LeasedConnectionTest::argument)
                .toArray();
    }

    @ParameterizedTest
    @MethodSource("plainMethods")
    void everyMethodReachesTheTargetWithItsArgumentsAndReturnsItsResult(Method method) throws Exception {
        Object[] arguments = arguments(method);
        Object expected = null;
        if (method.getReturnType() != void.class) {
            Object result = argument(method.getReturnType());
            expected = result;
            when(method.invoke(target, arguments)).thenReturn(result);
            Mockito.clearInvocations(target);
        }
        Object actual = method.invoke(connection, arguments);
        assertThat(actual).isEqualTo(expected);
        method.invoke(verify(target, times(1)), arguments);
    }

    @ParameterizedTest
    @MethodSource("plainMethods")
    void everyMethodAfterCloseIsAnSqlExceptionAndReachesNobody(Method method) throws Exception {
        connection.close();
        Mockito.clearInvocations(target);
        Object[] arguments = arguments(method);
        assertThatThrownBy(() -> method.invoke(connection, arguments))
                .isInstanceOf(InvocationTargetException.class)
                .cause()
                .isInstanceOf(SQLException.class)
                .satisfies(thrown ->
                        assertThat(((SQLException) thrown).getSQLState()).isEqualTo("08003"));
        Mockito.verifyNoInteractions(target);
    }

    @Test
    void theArgumentTableKnowsEveryParameterType() {
        assertThat(plainMethods().count()).isGreaterThan(50);
        assertThat(argument(Savepoint.class)).isNotNull();
        assertThat(argument(ShardingKey.class)).isNotNull();
        assertThat(List.of(SQLClientInfoException.class, SQLException.class)).hasSize(2);
    }

    @Test
    void closingTwiceEndsOneLease() throws SQLException {
        connection.close();
        connection.close();
        verify(target, times(1)).close();
        assertThat(ended).hasValue(1);
        assertThat(connection.isClosed()).isTrue();
        assertThat(connection.isValid(1)).isFalse();
    }

    @Test
    void theLeaseEndsAlsoWhenTheTargetsCloseThrows() throws SQLException {
        SQLException own = new SQLException("rollback failed");
        doThrow(own).when(target).close();
        assertThatThrownBy(connection::close).isSameAs(own);
        connection.close();
        assertThat(ended).hasValue(1);
    }

    @Test
    void abortEndsTheLeaseAndGivesThePlaceBack() throws SQLException {
        Executor executor = Runnable::run;
        connection.abort(executor);
        connection.close();
        verify(target).abort(executor);
        verify(target, never()).close();
        assertThat(discarded).hasValue(1);
        assertThat(ended).hasValue(1);
    }

    @Test
    void anAbortThatThrowsStillGivesThePlaceBack() throws SQLException {
        SQLException own = new SQLException("abort failed");
        doThrow(own).when(target).abort(any());
        assertThatThrownBy(() -> connection.abort(Runnable::run)).isSameAs(own);
        assertThat(discarded).hasValue(1);
        assertThat(ended).hasValue(1);
    }

    /** Two threads meet at each round without a lock between, so that they really race for the state word. */
    @Test
    @Tag("slow") // see the profile pitest: it spins, and mutants are tried by as many threads as there are processors
    void racingClosesEndOneLease() throws Exception {
        int rounds = 100_000;
        Connection cheap = mock(Connection.class, Mockito.withSettings().stubOnly());
        AtomicInteger ends = new AtomicInteger();
        Lease lease = new Lease() {
            @Override
            public void ended(long acquiredNanos) {
                ends.incrementAndGet();
            }

            @Override
            public void discard(Connection discardedTarget) {}
        };
        LeasedConnection[] raced = new LeasedConnection[rounds];
        Arrays.setAll(raced, round -> new LeasedConnection(cheap, lease, round));
        AtomicInteger[] arrived = {new AtomicInteger(), new AtomicInteger()};
        Thread[] threads = new Thread[2];
        for (int at = 0; at < threads.length; at++) {
            AtomicInteger mine = arrived[at];
            AtomicInteger other = arrived[1 - at];
            threads[at] = new Thread(() -> {
                for (int round = 0; round < rounds; round++) {
                    mine.set(round + 1);
                    while (other.get() <= round) {
                        Thread.onSpinWait();
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

    /** What a driver's connection also is. */
    public interface Special {}

    @Test
    void unwrapsToItselfThenTheTargetThenWhateverTheTargetUnwrapsTo() throws SQLException {
        Connection special = mock(Connection.class, Mockito.withSettings().extraInterfaces(Special.class));
        LeasedConnection leased = new LeasedConnection(special, new CountingLease(), 42);
        assertThat(leased.unwrap(Connection.class)).isSameAs(leased);
        assertThat(leased.unwrap(Special.class)).isSameAs(special);
        assertThat(leased.isWrapperFor(Special.class)).isTrue();
        when(special.unwrap(String.class)).thenReturn("inner");
        when(special.isWrapperFor(String.class)).thenReturn(true);
        assertThat(leased.unwrap(String.class)).isEqualTo("inner");
        assertThat(leased.isWrapperFor(String.class)).isTrue();
        assertThat(leased.isWrapperFor(Runnable.class)).isFalse();
    }
}
