// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The pool's unchanged settings, refused configurations, aborts, foreign connections and users. */
abstract class BoundaryContract extends ContractPart {
    BoundaryContract(PoolAdapterContract contract) {
        super(contract);
    }

    @Test
    void aWatchedPoolIsNotChanged() throws Exception {
        DataSource pool = pool(7, Duration.ofMinutes(1));
        start(pool);
        FlexPoolDataSource watched = build(contract.wrap(pool));
        PoolState before = watched.state();
        try (Crowd crowd = new Crowd()) {
            oneByOne(crowd, 7, watched);
            assertThat(watched.state().leased()).isEqualTo(7);
        }
        PoolState after = watched.state();
        assertThat(after.bound()).isFalse();
        assertThat(after.pool().max()).isEqualTo(before.pool().max());
        assertThat(after.pool().minIdle()).isEqualTo(before.pool().minIdle());
    }

    @Test
    void thePoolStillResetsReturnedConnections() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(1, Duration.ofSeconds(2))).set("base", 1));
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
        }
        try (Connection connection = pool.getConnection()) {
            assertThat(connection.getAutoCommit()).isEqualTo(!has(PoolQuirk.RESETS_NOTHING));
        }
    }

    /**
     * Wrapping may fail after it has changed the pool. Compares the pool with an identical one that was not wrapped.
     */
    @Test
    void aPoolWhoseWrappingFailedIsAsItWas() throws Exception {
        DataSource pool = pool(6, Duration.ofSeconds(1));
        start(pool);
        FlexPoolBuilder failing = wrap(pool)
                .set("base", 2)
                .set("ceiling", can(Capability.LIVE_RESIZE) ? 9 : 6)
                .set("grow-on-wait.enabled", true)
                .metrics(view -> {
                    throw new IllegalStateException("no such backend");
                });
        assertThatThrownBy(failing::build).hasMessage("no such backend");
        DataSource alike = pool(6, Duration.ofSeconds(1));
        start(alike);
        PoolSnapshot was = wrapped(alike);
        PoolSnapshot is = wrapped(pool);
        assertThat(is.max()).isEqualTo(was.max());
        assertThat(is.minIdle()).isEqualTo(was.minIdle());
    }

    /** The figures of a pool that is only watched. */
    private PoolSnapshot wrapped(DataSource pool) {
        build(wrap(pool));
        return contract.adapter(pool).snapshot();
    }

    /** Before its start, every pool's max can be raised; after a failed wrapping it is lowered again. */
    @Test
    void anUnstartedPoolWhoseWrappingFailedIsAsItWas() throws Exception {
        DataSource pool = pool(6, Duration.ofSeconds(1));
        PoolSnapshot was = contract.adapter(pool).snapshot();
        FlexPoolBuilder failing = wrap(pool)
                .set("base", 2)
                .set("ceiling", 9)
                .set("grow-on-wait.enabled", true)
                .metrics(view -> {
                    throw new IllegalStateException("no such backend");
                });
        assertThatThrownBy(failing::build).isInstanceOf(RuntimeException.class);
        PoolSnapshot is = wrapped(pool);
        assertThat(is.max()).isEqualTo(was.max());
        assertThat(is.minIdle()).isEqualTo(was.minIdle());
    }

    /** A ceiling above the max of a running pool is either reached or refused, never ignored. */
    @Test
    void aCeilingAboveTheMaxIsReachedOrRefused() throws Exception {
        DataSource raw = pool(2, Duration.ofSeconds(2));
        start(raw);
        FlexPoolBuilder builder = wrap(raw).set("base", 2).set("ceiling", 4).set("grow-on-wait.enabled", true);
        if (has(PoolQuirk.REPORTS_NOTHING)) {
            assertThat(build(builder).state().ceiling()).isEqualTo(4);
            return;
        }
        if (!can(Capability.LIVE_RESIZE)) {
            assertThatThrownBy(builder::build)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(contract.maxSizeKey())
                    .hasMessageContaining("4");
            build(wrap(raw));
            return;
        }
        FlexPoolDataSource pool = build(builder);
        try (Crowd crowd = new Crowd()) {
            crowd.ask(4, pool);
            crowd.join();
            assertThat(crowd.served()).isEqualTo(4);
        }
    }

    /** Without a timeout, a strategy could not determine when a request ends. */
    @Test
    void withoutATimeoutAPoolCannotBeBound() throws Exception {
        DataSource raw = pool(2, contract.canWaitForEver() ? Duration.ZERO : Duration.ofSeconds(1));
        if (!contract.canWaitForEver()) {
            assertThat(contract.adapter(raw).acquisitionTimeout()).isPresent();
            build(wrap(raw));
            return;
        }
        assertThat(contract.adapter(raw).acquisitionTimeout()).isEmpty();
        FlexPoolBuilder bound = wrap(raw).set("base", 1);
        assertThatThrownBy(bound::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("acquisition-timeout")
                .hasMessageContaining(contract.adapter(raw).acquisitionTimeoutKey());
        FlexPoolDataSource pool = build(wrap(raw).set("base", 1).set("acquisition-timeout", Duration.ofMillis(300)));
        try (Connection held = pool.getConnection()) {
            assertThat(held).isNotNull();
            assertThatThrownBy(pool::getConnection).satisfies(this::isATimeoutOfThePool);
        }
    }

    /** An abort bypasses the pool: a pool that does not detect it counts the connection as active permanently. */
    @Test
    void anAbortedConnectionFreesItsPlace() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(2, Duration.ofSeconds(5))));
        Connection one = pool.getConnection();
        Connection two = pool.getConnection();
        abort(one);
        abort(two);
        if (has(PoolQuirk.KEEPS_ABORTED_CONNECTIONS)) {
            assertThat(pool.state().leased()).isZero();
            assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> twoAtOnce(pool)))
                    .as("both places are free: %s", pool.state())
                    .isTrue();
            return;
        }
        try (Crowd crowd = new Crowd()) {
            crowd.ask(2, pool);
            crowd.join();
            assertThat(crowd.failures()).isEmpty();
            assertThat(pool.state().leased()).isEqualTo(2);
            assertThat(database.open()).isEqualTo(2);
        }
    }

    /** Agroal removes a connection without waking a waiting request, which then waited for its whole timeout. */
    @Test
    void aWaitingRequestGetsThePlaceOfAnAbortedConnection() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(1, Duration.ofSeconds(30))));
        try (Crowd crowd = new Crowd()) {
            Connection held = pool.getConnection();
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> pool.state().pending() == 1 && crowd.asleep()))
                    .isTrue();
            abort(held);
            crowd.join();
            if (!has(PoolQuirk.KEEPS_ABORTED_CONNECTIONS)) {
                assertThat(crowd.failures()).as("with %s", pool.state()).isEmpty();
            }
        }
    }

    private void abort(Connection connection) throws SQLException {
        try {
            connection.abort(Runnable::run);
        } catch (AbstractMethodError olderThanJdbc41) {
            assertThat(contract.quirks()).contains(PoolQuirk.KEEPS_ABORTED_CONNECTIONS);
        }
    }

    private static boolean twoAtOnce(FlexPoolDataSource pool) {
        try (Connection one = pool.getConnection();
                Connection two = pool.getConnection()) {
            return one != two && pool.state().leased() == 2;
        } catch (SQLException deadConnection) {
            return false;
        }
    }

    @Test
    void foreignConnectionsCountAgainstTheLimit() throws Exception {
        DataSource pool = pool(4, Duration.ofSeconds(2));
        FlexPoolDataSource bound = build(wrap(pool).set("base", 4).set("acquisition-timeout", Duration.ofSeconds(2)));
        start(bound);
        boolean reports = contract.adapter(pool).snapshot().active() != PoolSnapshot.UNKNOWN;
        try (Connection past = pool.getConnection()) {
            assertThat(past).isNotNull();
            assertThat(Crowd.eventually(
                            reports ? Duration.ofSeconds(5) : Duration.ofSeconds(1),
                            () -> bound.state().foreign() == 1))
                    .as("of a pool that %s", reports ? "reports it" : "does not report it")
                    .isEqualTo(reports);
        }
        assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> bound.state().foreign() == 0))
                .isTrue();
    }

    /**
     * While UCP tests a connection, it counts the request as waiting and the connection as active. flexpool once took
     * that connection as foreign, and lowered the limit by one.
     */
    @Test
    void aConnectionThatIsTestedIsNotForeign() throws Exception {
        FlexPoolDataSource bound = build(wrap(pool(2, Duration.ofSeconds(60)))
                .set("base", 2)
                .set("acquisition-timeout", Duration.ofSeconds(60)));
        start(bound);
        database.nextValidationHangs();
        try (Crowd crowd = new Crowd()) {
            crowd.ask(1, bound);
            try {
                assertThat(Crowd.eventually(
                                Duration.ofSeconds(2), () -> bound.state().foreign() != 0))
                        .as("%s", bound.state())
                        .isFalse();
            } finally {
                database.release();
            }
            crowd.join();
        }
    }

    /** Also counted for a pool that is only watched. Connections borrowed through flexpool are not foreign. */
    @Test
    void foreignConnectionsOfAWatchedPoolAreCounted() throws Exception {
        DataSource pool = pool(4, Duration.ofSeconds(2));
        FlexPoolDataSource watched = build(contract.wrap(pool));
        start(watched);
        boolean reports = contract.adapter(pool).snapshot().active() != PoolSnapshot.UNKNOWN;
        try (Connection lease = watched.getConnection();
                Connection past = pool.getConnection()) {
            assertThat(lease).isNotSameAs(past);
            assertThat(Crowd.eventually(
                            reports ? Duration.ofSeconds(5) : Duration.ofSeconds(2),
                            () -> watched.state().foreign() == 1))
                    .as("of a pool that %s", reports ? "reports it" : "does not report it")
                    .isEqualTo(reports);
        }
        assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> watched.state().foreign() == 0))
                .isTrue();
    }

    /** One gate serves all users. A pool without support for users refuses, and its permit is released. */
    @Test
    void requestsOfAllUsersPassOneGate() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(4, Duration.ofMillis(400)))
                .set("base", 1)
                .set("acquisition-timeout", Duration.ofMillis(400)));
        start(pool);
        try (Connection one = asUser(pool, "one")) {
            assertThat(one).isNotNull();
            assertThatThrownBy(() -> pool.getConnection("two", "secret")).satisfies(this::isATimeoutOfThePool);
            assertThatThrownBy(pool::getConnection).satisfies(this::isATimeoutOfThePool);
        }
        start(pool);
        assertThat(pool.state().leased()).isZero();
    }

    /**
     * Requests a connection as a user; without support for users, as the pool's user. Either way the request passes the
     * gate first.
     */
    private static Connection asUser(FlexPoolDataSource pool, String user) throws SQLException {
        try {
            return pool.getConnection(user, "secret");
        } catch (SQLException | UnsupportedOperationException knowsNoUsers) {
            assertThat(pool.state().pending()).isZero();
            assertThat(pool.statistics()
                            .total()
                            .acquisition(AcquisitionOutcome.TIMEOUT)
                            .count())
                    .isZero();
            return pool.getConnection();
        }
    }
}
