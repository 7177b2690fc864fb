// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.c3p0;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.mchange.v2.c3p0.ConnectionTester;
import com.mchange.v2.c3p0.PoolBackedDataSource;
import com.mchange.v2.c3p0.WrapperConnectionPoolDataSource;
import com.mchange.v2.resourcepool.TimeoutException;
import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.AcquisitionFailure;
import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.contract.PoolAdapterContract;
import io.flexpool.adapter.tck.contract.PoolQuirk;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.pool.PoolMode;
import java.beans.PropertyVetoException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class C3p0AdapterTest extends PoolAdapterContract {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Override
    protected DataSource pool(DataSource database, int max, Duration timeout) {
        return c3p0(database, max, timeout);
    }

    static PoolBackedDataSource c3p0(DataSource database, int max, Duration timeout) {
        WrapperConnectionPoolDataSource settings = new WrapperConnectionPoolDataSource();
        PoolBackedDataSource pool = new PoolBackedDataSource();
        try {
            settings.setNestedDataSource(database);
            pool.setConnectionPoolDataSource(settings);
        } catch (PropertyVetoException nobodyVetoes) {
            throw new IllegalStateException(nobodyVetoes);
        }
        settings.setMaxPoolSize(max);
        settings.setMinPoolSize(Math.min(3, max));
        settings.setInitialPoolSize(Math.min(3, max));
        settings.setCheckoutTimeout((int) timeout.toMillis());
        settings.setTestConnectionOnCheckout(true);
        return pool;
    }

    @Override
    protected List<DataSource> takingBack(DataSource from, int max, Duration timeout) {
        PoolBackedDataSource pool = c3p0(from, max, timeout);
        ((WrapperConnectionPoolDataSource) pool.getConnectionPoolDataSource()).setUnreturnedConnectionTimeout(1);
        return List.of(pool);
    }

    @Override
    protected List<DataSource> restoring(DataSource from, Duration timeout) {
        PoolBackedDataSource commits = c3p0(from, 1, timeout);
        ((WrapperConnectionPoolDataSource) commits.getConnectionPoolDataSource()).setAutoCommitOnClose(true);
        PoolBackedDataSource ignores = c3p0(from, 1, timeout);
        ((WrapperConnectionPoolDataSource) ignores.getConnectionPoolDataSource())
                .setForceIgnoreUnresolvedTransactions(true);
        return List.of(pool(from, 1, timeout), commits, ignores);
    }

    @Override
    protected Class<? extends SQLException> timeoutClass() {
        return SQLException.class;
    }

    @Override
    protected Set<Capability> capabilities() {
        return Set.of(Capability.WAKE, Capability.PENDING_COUNT, Capability.EVICT, Capability.EVICT_LEASED);
    }

    @Override
    protected Map<Class<?>, String> jars() {
        return Map.of(PoolBackedDataSource.class, "c3p0-");
    }

    @Override
    protected String maxSizeKey() {
        return "maxPoolSize";
    }

    @Override
    protected int minIdle(int max) {
        return Math.min(3, max);
    }

    @Override
    protected boolean named(DataSource pool, String name) {
        ((PoolBackedDataSource) pool).setDataSourceName(name);
        return true;
    }

    @Override
    protected Set<PoolQuirk> quirks() {
        return Set.of(PoolQuirk.THROWS_RUNTIME_EXCEPTIONS_WHILE_IT_CLOSES, PoolQuirk.A_DRIVERS_ERROR_MAY_BREAK_IT);
    }

    @Override
    protected Duration housekeeping() {
        return Duration.ofSeconds(3);
    }

    /** Every informative getter of c3p0 would create the pool, those for its user with connections. */
    @Test
    void lookingAtAPoolDoesNotStartIt() throws Exception {
        PoolBackedDataSource raw = c3p0(database.dataSource(), 4, Duration.ofSeconds(1));
        FlexPoolDataSource pool = build(wrap(raw).set("base", 2));
        assertThat(pool.state().pool().total()).isZero();
        assertThat(pool.state().pool().max()).isEqualTo(4);
        assertThat(new UserPools(raw).started()).isFalse();
        pool.getConnection().close();
        assertThat(new UserPools(raw).started()).isTrue();
    }

    @Test
    void theMaxOfAPoolThatHasNotStartedIsRaisedToTheCeiling() throws Exception {
        PoolBackedDataSource raw = c3p0(database.dataSource(), 2, Duration.ofSeconds(4));
        FlexPoolDataSource pool =
                build(wrap(raw).set("base", 2).set("ceiling", 5).set("grow-on-wait.enabled", true));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(5, pool).join();
            assertThat(crowd.served()).isEqualTo(5);
        }
        // It cannot be lowered any more: that would be a second pool.
        assertThat(pool.mode(PoolMode.MONITOR)).isTrue();
        assertThat(adapter(raw).snapshot().max()).isEqualTo(5);
        assertThat(pool.mode(PoolMode.RECOMMEND)).isTrue();
    }

    @Test
    void theMaxIsPutBackIfWrappingFailsBeforeTheStart() {
        PoolBackedDataSource raw = c3p0(database.dataSource(), 2, Duration.ofSeconds(1));
        FlexPoolBuilder failing = wrap(raw)
                .set("base", 2)
                .set("ceiling", 5)
                .set("grow-on-wait.enabled", true)
                .metrics(view -> {
                    throw new IllegalStateException("no such backend");
                });
        assertThatThrownBy(failing::build).hasMessage("no such backend");
        assertThat(adapter(raw).snapshot().max()).isEqualTo(2);
    }

    /**
     * Seen with one pool in five: a newcomer took the connection that was opened for a request inside, c3p0 opened no
     * other one, and the gate did not grow while that request was on its way in, so that everybody else waited too.
     */
    @Test
    void aRequestOvertakenByANewcomerBlocksNoOther() throws Exception {
        List<Crowd> crowds = new ArrayList<>();
        try {
            for (int at = 0; at < 24; at++) {
                PoolBackedDataSource raw = c3p0(database.dataSource(), 20, Duration.ofSeconds(4));
                crowds.add(new Crowd()
                        .ask(
                                7,
                                build(wrap(raw)
                                        .set("base", 4)
                                        .set("ceiling", 20)
                                        .set("grow-on-wait.enabled", true))));
            }
            for (Crowd crowd : crowds) {
                crowd.join();
                assertThat(crowd.failures()).isEmpty();
                assertThat(crowd.served()).isEqualTo(7);
            }
        } finally {
            crowds.forEach(Crowd::close);
        }
    }

    /** c3p0 opens up to its max for each of them. */
    @Test
    void eachUserHasAPoolOfItsOwnBehindTheOneGate() throws Exception {
        PoolBackedDataSource raw = c3p0(database.dataSource(), 4, Duration.ofMillis(500));
        FlexPoolDataSource pool = build(wrap(raw).set("base", 2));
        try (Connection one = pool.getConnection("one", "secret");
                Connection two = pool.getConnection("two", "secret")) {
            assertThat(one).isNotSameAs(two);
            assertThatThrownBy(() -> pool.getConnection("three", "secret"))
                    .isExactlyInstanceOf(SQLException.class)
                    .hasCauseExactlyInstanceOf(TimeoutException.class);
            assertThat(raw.getNumUserPools()).isEqualTo(2);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> pool.state().pool().total() == database.open()))
                    .as("%s while %d are open", pool.state().pool(), database.open())
                    .isTrue();
            assertThat(pool.state().pool().active()).isEqualTo(2);
            assertThat(database.open()).isBetween(5, 8);
        }
    }

    /** Takes its time to look at a connection that comes back. Made by c3p0. */
    public static final class SlowTester implements ConnectionTester {
        private static final long serialVersionUID = 1;

        @Override
        public int activeCheckConnection(Connection connection) {
            LockSupport.parkNanos(Duration.ofMillis(1_500).toNanos());
            return CONNECTION_IS_OKAY;
        }

        @Override
        public int statusOnException(Connection connection, Throwable thrown) {
            return CONNECTION_IS_INVALID;
        }
    }

    /** Seen under load: what waited for c3p0's helper threads was taken for connections that went past flexpool. */
    @Test
    void connectionsOnTheirWayBackAreNotTakenForForeignOnes() throws Exception {
        PoolBackedDataSource raw = c3p0(database.dataSource(), 8, Duration.ofSeconds(10));
        WrapperConnectionPoolDataSource settings = (WrapperConnectionPoolDataSource) raw.getConnectionPoolDataSource();
        settings.setTestConnectionOnCheckout(false);
        settings.setTestConnectionOnCheckin(true);
        settings.setConnectionTesterClassName(SlowTester.class.getName());
        FlexPoolDataSource pool = build(wrap(raw).set("base", 4));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(4, pool).join();
        }
        assertThat(Crowd.eventually(Duration.ofMillis(1_200), () -> pool.state().foreign() > 0))
                .as("%s", pool.state())
                .isFalse();
    }

    /** In an outage c3p0 throws the same as when exhausted; its last connect failure, or the figures, decide. */
    @Test
    void outageAndExhaustionAreDistinguished() throws Exception {
        PoolBackedDataSource raw = c3p0(database.dataSource(), 2, Duration.ofMillis(500));
        FlexPoolDataSource pool = build(wrap(raw));
        PoolAdapter adapter = adapter(raw);
        // It connects in threads of its own, which on a busy machine may take longer than a request waits.
        assertThat(Crowd.eventually(PATIENCE, () -> serves(raw) && database.open() == 2))
                .isTrue();
        try (Crowd crowd = new Crowd()) {
            crowd.ask(2, pool).join();
            assertThat(crowd.served()).isEqualTo(2);
            Throwable full = catchThrowable(raw::getConnection);
            assertThat(full).isExactlyInstanceOf(SQLException.class).hasCauseExactlyInstanceOf(TimeoutException.class);
            assertThat(adapter.classify(full, adapter.snapshot(), Duration.ofMillis(500))
                            .kind())
                    .isEqualTo(Kind.EXHAUSTED);
            database.stop();
        }
        // In those threads it also drops what is dead and learns that the database refuses.
        assertThat(Crowd.eventually(PATIENCE, () -> !serves(raw) && knowsThatTheDatabaseRefuses(raw)))
                .isTrue();
        Throwable down = catchThrowable(raw::getConnection);
        assertThat(down).isExactlyInstanceOf(SQLException.class).hasCauseExactlyInstanceOf(TimeoutException.class);
        AcquisitionFailure why = adapter.classify(down, adapter.snapshot(), Duration.ofMillis(500));
        assertThat(why.kind()).isEqualTo(Kind.CONNECT_FAILED);
        assertThat(why.sqlState()).as("the driver's").isEqualTo("08001");
    }

    private static boolean serves(DataSource pool) {
        try (Connection connection = pool.getConnection()) {
            return connection.isValid(1);
        } catch (SQLException notNow) {
            return false;
        }
    }

    private static boolean knowsThatTheDatabaseRefuses(PoolBackedDataSource pool) {
        try {
            return pool.getNumConnectionsDefaultUser() == 0 && pool.getLastAcquisitionFailureDefaultUser() != null;
        } catch (SQLException unreadable) {
            return false;
        }
    }
}
