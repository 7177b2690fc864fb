// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.event.PoolEvent;
import io.flexpool.pool.PoolSnapshot;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** The base of the parts of {@link PoolAdapterContract}: the pool's test, and shared steps and assertions. */
abstract class ContractPart {
    /** The SQLStates of the faults of {@link StubDatabase}, including that of a connection found broken. */
    private static final List<String> REFUSALS = List.of("08001", "08006", "28P01", "3D000", "53300");

    private static final Pattern EXHAUSTED_OR_OPENING = Pattern.compile("exhausted(, every connection is in use"
            + "|, the limit of \\d+ leases? is reached(, and the pool reports \\d+ active connections?)?"
            + "|: (all \\d+ are|the only connection is) in use, the \\d+(st|nd|rd|th) is still opening"
            + "|: no connection is open, the 1st is still opening"
            + "|: \\d+ of \\d+ connections? (is|are) in use, the others are opening or being handed over"
            + "|: \\d+ of \\d+ connections? (is|are) in use, \\d+ (is|are) idle now"
            + "|: \\d+ leases? (is|are) open, and the pool reports \\d+ active connections?"
            + "|: \\d+ connections? (is|are) in use);");

    final PoolAdapterContract contract;
    final StubDatabase database;
    final Queue<PoolEvent> events;
    /** The timeout of the last created pool. */
    private Duration lastTimeout = Duration.ZERO;

    private int lastMax = 1;

    ContractPart(PoolAdapterContract contract) {
        this.contract = contract;
        this.database = contract.database;
        this.events = contract.events;
    }

    boolean has(PoolQuirk quirk) {
        return contract.quirks().contains(quirk);
    }

    /** Closes a connection whose pool is closed. */
    void closeAfterThePool(Connection connection) throws SQLException {
        if (has(PoolQuirk.CLOSE_THROWS_AFTER_THE_POOLS)) {
            assertThatThrownBy(connection::close).isInstanceOf(SQLException.class);
        } else {
            connection.close();
        }
    }

    /**
     * Closes a connection whose pool was closed directly. A pool whose connections throw then has reclaimed them: the
     * tick ends the lease, after which a close does not reach the pool. Waits for that tick, so that the result is
     * deterministic.
     */
    void closeAfterADirectClose(Connection connection, FlexPoolDataSource pool) throws Exception {
        if (has(PoolQuirk.CLOSE_THROWS_AFTER_THE_POOLS)) {
            assertThat(Crowd.eventually(
                            Duration.ofMinutes(2), () -> pool.state().leased() == 0))
                    .as("taken back by the pool's own close: %s", pool.state())
                    .isTrue();
            assertThat(connection.isClosed()).isTrue();
        }
        connection.close();
    }

    DataSource pool(int max, Duration timeout) {
        lastTimeout = timeout;
        lastMax = max;
        return contract.pool(database.dataSource(), max, timeout);
    }

    /**
     * A pool with a gate at the base that may grow to the ceiling. If the max can change at run time, it starts at the
     * base, so that growth raises it; otherwise it is the ceiling, and only the gate starts lower.
     */
    DataSource growable(int base, int ceiling, Duration timeout) {
        return pool(can(Capability.LIVE_RESIZE) ? base : ceiling, timeout);
    }

    boolean can(Capability capability) {
        return contract.capabilities().contains(capability);
    }

    FlexPoolBuilder wrap(DataSource pool) {
        FlexPoolBuilder builder = contract.wrap(pool);
        return has(PoolQuirk.WAITS_AT_THE_GATE_ONLY) && !lastTimeout.isZero()
                ? builder.set("base", lastMax).set("acquisition-timeout", lastTimeout)
                : builder;
    }

    FlexPoolDataSource build(FlexPoolBuilder builder) {
        return contract.build(builder);
    }

    static void start(DataSource pool) throws SQLException {
        pool.getConnection().close();
    }

    /** Sends requests one after another, because some pools refuse concurrent requests, bare or only watched. */
    static void oneByOne(Crowd crowd, int number, DataSource pool) throws InterruptedException {
        for (int at = 0; at < number; at++) {
            crowd.ask(1, pool);
            crowd.join();
        }
    }

    List<PoolEvent.Resized> resized() {
        return events.stream()
                .filter(PoolEvent.Resized.class::isInstance)
                .map(PoolEvent.Resized.class::cast)
                .toList();
    }

    List<PoolEvent.ConnectFailed> connectFailures() {
        return events.stream()
                .filter(PoolEvent.ConnectFailed.class::isInstance)
                .map(PoolEvent.ConnectFailed.class::cast)
                .toList();
    }

    void isATimeoutOfThePool(Throwable thrown) {
        assertThat(thrown).isExactlyInstanceOf(contract.timeoutClass());
        assertThat(reports(thrown))
                .containsAnyOf("exhausted, every connection is in use", "exhausted, the limit of")
                .doesNotContain("not exhausted");
    }

    /**
     * Like {@link #isATimeoutOfThePool}, for a pool that may not be full: then a colon and the state of its growth
     * follow.
     */
    void isATimeoutOfAPoolThatGrows(Throwable thrown) {
        assertThat(thrown).isExactlyInstanceOf(contract.timeoutClass());
        assertThat(reports(thrown)).containsPattern(EXHAUSTED_OR_OPENING).doesNotContain("not exhausted");
    }

    /** The exception reports a connect failure and contains the driver's SQLState. */
    void isAConnectFailureOfThePool(Throwable thrown) {
        assertThat(thrown).isInstanceOf(SQLException.class);
        if (has(PoolQuirk.HIDES_WHY_A_CONNECT_FAILED)) {
            assertThat(reports(thrown)).containsAnyOf("not exhausted: ", " is still opening");
            return;
        }
        assertThat(reports(thrown)).contains("not exhausted: ");
        assertThat(REFUSALS)
                .as("SQLStates of which one is named in: %s", reports(thrown))
                .anySatisfy(state -> assertThat(reports(thrown)).contains("SQLState " + state));
    }

    static String reports(Throwable thrown) {
        StringBuilder all = new StringBuilder(String.valueOf(thrown.getMessage()));
        for (Throwable suppressed : thrown.getSuppressed()) {
            all.append('\n').append(suppressed.getMessage());
        }
        return all.toString();
    }

    /**
     * Waits until the pool has opened all connections that it opens for a number of served requests. Otherwise a
     * connect could be in progress when the database stops, and would be neither idle nor refused.
     */
    void opened(int requests, FlexPoolDataSource pool) throws InterruptedException {
        int all = contract.opens(requests, lastMax);
        assertThat(Crowd.eventually(Duration.ofSeconds(20), () -> {
                    int idle = pool.state().pool().idle();
                    return database.open() == all && (idle == PoolSnapshot.UNKNOWN || idle == all - requests);
                }))
                .as("%d open for %d requests: %d, %s", all, requests, database.open(), pool.state())
                .isTrue();
    }

    static boolean works(DataSource pool) {
        try (Connection connection = pool.getConnection()) {
            return connection.isValid(1);
        } catch (SQLException down) {
            return false;
        }
    }

    /**
     * Waits until the physical connections have followed the limit down; without that capability, checks only the
     * ceiling.
     */
    void comesDownTo(int limit, int ceiling, Duration within) throws InterruptedException {
        int most = can(Capability.PHYSICAL_FOLLOWS_LIMIT) ? limit : ceiling;
        assertThat(Crowd.eventually(within, () -> database.open() <= most))
                .as("physical connections: %d, wanted at most %d", database.open(), most)
                .isTrue();
    }
}
