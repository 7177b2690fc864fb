// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.engine;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.LifecycleChanged;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.monitoring.PoolMetric;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A writer that became a reader, where no real server has the fault; the rest is in the contract of the adapters. */
@Timeout(300)
class StaleWriterTest {
    private static final Duration LONG = Duration.ofSeconds(50);

    private final FakePool fake = new FakePool();
    private final List<FlexPoolDataSource> built = new ArrayList<>();

    private FlexPoolBuilder wrap() {
        return FlexPool.wrap(fake.dataSource).name("fake").adapter(fake);
    }

    private FlexPoolDataSource build(FlexPoolBuilder builder) {
        FlexPoolDataSource pool = builder.build();
        built.add(pool);
        return pool;
    }

    @AfterEach
    void nothingIsLeft() {
        for (FlexPoolDataSource pool : built) {
            assertThat(pool.state().leased()).isZero();
            pool.close();
        }
    }

    private static List<LifecycleChanged> actions(FlexPoolDataSource pool) {
        return pool.diagnosis().recentEvents().stream()
                .map(PoolEvent.Recent::event)
                .filter(LifecycleChanged.class::isInstance)
                .map(LifecycleChanged.class::cast)
                .toList();
    }

    /** A connection of a server that refuses writes, or takes them; counts how often it is asked. */
    private static Connection ofAServer(boolean refuses, AtomicInteger asked, SQLException thrown) throws SQLException {
        Connection connection = mock(Connection.class);
        DatabaseMetaData metaData = mock(DatabaseMetaData.class);
        when(connection.getMetaData()).thenReturn(metaData);
        when(metaData.getDatabaseProductName()).thenReturn("PostgreSQL");
        Statement statement = mock(Statement.class);
        when(connection.createStatement()).thenReturn(statement);
        when(statement.executeUpdate(anyString())).thenThrow(thrown);
        ResultSet answer = mock(ResultSet.class);
        when(statement.executeQuery(anyString())).thenAnswer(call -> {
            asked.incrementAndGet();
            return answer;
        });
        when(answer.next()).thenReturn(true);
        when(answer.getBoolean(1)).thenReturn(refuses);
        return connection;
    }

    private FlexPoolDataSource poolOf(Connection connection) {
        fake.can(Capability.EVICT);
        fake.can(Capability.EVICT_LEASED);
        fake.answer = () -> connection;
        return build(wrap().set("base", 2).set("acquisition-timeout", LONG));
    }

    /** A write that fails; returns when what follows from it is over. */
    private static void write(FlexPoolDataSource pool, SQLException expected) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(catchThrowable(() -> statement.executeUpdate("insert"))).isSameAs(expected);
        }
        eventually(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("flexpool-failover-fake")));
    }

    @Test
    void aWriterThatBecameAReaderIsLeft() throws Exception {
        SQLException thrown = new SQLException("cannot execute INSERT in a read-only transaction", "25006");
        AtomicInteger asked = new AtomicInteger();
        Connection old = ofAServer(true, asked, thrown);
        FlexPoolDataSource pool = poolOf(old);
        AtomicInteger others = new AtomicInteger();
        Connection fresh = ofAServer(false, others, thrown);
        fake.connect = () -> fresh;
        write(pool, thrown);
        eventually(() -> fake.evicted.get() == 1);
        assertThat(asked).hasValue(1);
        assertThat(others).hasValue(1);
        // Not autocommit: nothing of the question stays open.
        verify(old, times(2)).rollback();
        eventually(() -> actions(pool).size() == 1);
        assertThat(actions(pool).get(0).reason())
                .contains("refuses writes")
                .contains("a new connection accepts writes");
        verify(fresh).close();
        assertThat(pool.statistics().total().counter(PoolMetric.LISTENER_ERRORS))
                .isZero();
    }

    /** As behind a proxy that gives each question to another server: each eviction opens all connections anew. */
    @Test
    void evictionsThatAreOfNoUseBecomeRarer() throws Exception {
        SQLException thrown = new SQLException("cannot execute INSERT in a read-only transaction", "25006");
        Connection fresh = ofAServer(false, new AtomicInteger(), thrown);
        Connection old = ofAServer(true, new AtomicInteger(), thrown);
        fake.connect = () -> fresh;
        fake.can(Capability.EVICT);
        fake.can(Capability.EVICT_LEASED);
        fake.answer = () -> old;
        ManualTicker ticker = new ManualTicker();
        FlexPoolDataSource pool = build(wrap().framework(settings -> settings.ticker(ticker)));
        List<Integer> seconds = new ArrayList<>();
        for (int second = 0; second < 200; second++) {
            int before = fake.evicted.get();
            write(pool, thrown);
            if (fake.evicted.get() > before) {
                seconds.add(second);
            }
            ticker.advance(Duration.ofSeconds(1));
        }
        assertThat(seconds).containsExactly(0, 1, 3, 7, 15, 31, 63, 123, 183);
        ticker.advance(Duration.ofMinutes(11));
        write(pool, thrown);
        ticker.advance(Duration.ofSeconds(1));
        write(pool, thrown);
        assertThat(fake.evicted).hasValue(seconds.size() + 2);
    }

    /** A pool of a replica, to which an application writes by mistake; or the address has not moved yet. */
    @Test
    void aReplicaIsNotLeft() throws Exception {
        SQLException thrown = new SQLException("read-only", "HY000", 1290);
        AtomicInteger asked = new AtomicInteger();
        FlexPoolDataSource pool = poolOf(ofAServer(true, asked, thrown));
        AtomicInteger others = new AtomicInteger();
        Connection fresh = ofAServer(true, others, thrown);
        fake.connect = () -> fresh;
        write(pool, thrown);
        eventually(() -> others.get() == 1);
        assertThat(asked).hasValue(1);
        assertThat(fake.evicted).hasValue(0);
        assertThat(actions(pool)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"set read-only", "server takes writes", "other failure", "switched off", "no answer"})
    void nothingIsDoneWithoutTheSign(String what) throws Exception {
        SQLException thrown = new SQLException(what, what.equals("other failure") ? "25P02" : "25006");
        AtomicInteger asked = new AtomicInteger();
        Connection connection = ofAServer(!what.equals("server takes writes"), asked, thrown);
        when(connection.isReadOnly()).thenReturn(what.equals("set read-only"));
        if (what.equals("no answer")) {
            when(connection.getMetaData()).thenThrow(new IllegalStateException("a driver's"));
        }
        fake.can(Capability.EVICT);
        fake.answer = () -> connection;
        FlexPoolDataSource pool = build(
                what.equals("switched off")
                        ? wrap().properties(Map.of("flexpool.evict-stale-writer", "false"))
                        : wrap());
        AtomicInteger connects = new AtomicInteger();
        fake.connect = () -> {
            connects.incrementAndGet();
            return null;
        };
        write(pool, thrown);
        assertThat(connects).as("new connections that are asked").hasValue(0);
        assertThat(asked).hasValue(what.equals("server takes writes") ? 1 : 0);
        verify(connection).close();
        assertThat(fake.evicted).hasValue(0);
    }
}
