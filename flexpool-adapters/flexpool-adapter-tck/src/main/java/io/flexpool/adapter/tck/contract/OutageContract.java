// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.event.PoolEvent;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A database that is down, refuses or hangs is never reported as an exhausted pool. */
abstract class OutageContract extends ContractPart {
    OutageContract(PoolAdapterContract contract) {
        super(contract);
    }

    @Test
    void whileTheDatabaseIsDownTheLimitNeverMoves() throws Exception {
        int base = 5;
        FlexPoolDataSource pool = build(wrap(growable(base, 20, Duration.ofSeconds(1)))
                .set("base", base)
                .set("ceiling", 20)
                .set("grow-on-wait.enabled", true)
                .set("retry.deadline", Duration.ofSeconds(3))
                .set("circuit-breaker.failures", 1_000));
        pool.getConnection().close();
        database.stop();
        try (Crowd crowd = new Crowd()) {
            crowd.cycle(3 * base, pool, Duration.ZERO, Duration.ofSeconds(6));
            crowd.join();
            assertThat(crowd.failures()).isNotEmpty().allSatisfy(this::isAConnectFailureOfThePool);
        }
        assertThat(resized()).isEmpty();
        assertThat(pool.state().limit()).isEqualTo(base);
        assertThat(pool.statistics().total().counter(PoolMetric.CONNECT_FAILURES))
                .isPositive();
        noTimeoutWasCounted(pool);
        database.start();
        assertThat(Crowd.eventually(Duration.ofSeconds(20), () -> works(pool))).isTrue();
    }

    private static void noTimeoutWasCounted(FlexPoolDataSource pool) {
        assertThat(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.TIMEOUT)
                        .count())
                .as("timeouts in an outage are connect failures")
                .isZero();
    }

    @Test
    void growthIsTakenBackWhenTheDatabaseTurnsOutToBeDown() throws Exception {
        FlexPoolDataSource pool = build(wrap(growable(2, 10, Duration.ofSeconds(1)))
                .set("base", 2)
                .set("ceiling", 10)
                .set("grow-on-wait.enabled", true));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(2, pool);
            crowd.join();
            if (has(PoolQuirk.LENDS_DEAD_CONNECTIONS)) {
                opened(2, pool);
            }
            // The outage breaks the connections beyond the base too.
            database.stop();
            int idle = has(PoolQuirk.LENDS_DEAD_CONNECTIONS) ? Math.min(4, database.open() - 2) : 0;
            crowd.ask(4, pool);
            crowd.join();
            assertThat(crowd.served()).isEqualTo(2 + idle);
            assertThat(crowd.failures()).hasSize(4 - idle);
            if (idle > 0) {
                assertThat(crowd.alive()).as("alive in an outage").isZero();
                assertThat(crowd.failures()).allSatisfy(this::isAConnectFailureOfThePool);
                noTimeoutWasCounted(pool);
                return;
            }
            // If the pool hides refusals, growth may be reverted only at low load.
            boolean hidden = has(PoolQuirk.HIDES_WHY_A_CONNECT_FAILED);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(hidden ? 30 : 5),
                            () -> pool.state().limit() == 2))
                    .isTrue();
            assertThat(resized()).hasSizeLessThanOrEqualTo(hidden ? 6 : 2);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = StubDatabase.Fault.class,
            names = {"REFUSED", "WRONG_PASSWORD", "NO_SUCH_DATABASE", "TOO_MANY_CONNECTIONS"})
    void aConnectFailureIsNamedOnAnUnstartedPool(StubDatabase.Fault fault) {
        database.fault(fault);
        FlexPoolDataSource pool = build(wrap(pool(4, Duration.ofSeconds(1))));
        isNamedAConnectFailure(pool, fault);
    }

    @ParameterizedTest
    @EnumSource(
            value = StubDatabase.Fault.class,
            names = {"REFUSED", "WRONG_PASSWORD", "NO_SUCH_DATABASE", "TOO_MANY_CONNECTIONS"})
    void aConnectFailureIsNamedAsSuchDuringLeases(StubDatabase.Fault fault) throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(4, Duration.ofSeconds(1))));
        try (Crowd out = new Crowd()) {
            out.ask(2, pool).join();
            if (nothingIsLeftToConnect(out, pool, 4)) {
                aRequestFindsAllOutAndDead(out, pool, fault);
                return;
            }
            // All other connections are broken. HikariCP does not validate connections used within the last half
            // second.
            database.stop();
            database.fault(fault);
            Crowd.eventually(Duration.ofMillis(600), () -> false);
            isNamedAConnectFailure(pool, fault);
        }
    }

    /**
     * Takes the idle connections of a pool that lends dead ones. Returns whether the pool has opened all connections,
     * so that no request will connect.
     */
    private boolean nothingIsLeftToConnect(Crowd out, FlexPoolDataSource pool, int max) throws InterruptedException {
        if (has(PoolQuirk.LENDS_DEAD_CONNECTIONS)) {
            opened(out.served(), pool);
            out.ask(database.open() - out.served(), pool).join();
        }
        return database.open() == max && out.served() == max;
    }

    /** A request of a fully leased pool is exhausted independently of the database, because it would not connect. */
    private void aRequestFindsAllOutAndDead(Crowd out, FlexPoolDataSource pool, StubDatabase.Fault fault)
            throws SQLException {
        database.stop();
        database.fault(fault);
        long attempts = database.connectAttempts();
        assertThat(out.alive()).as("alive in an outage").isZero();
        assertThatThrownBy(pool::getConnection).satisfies(this::isATimeoutOfThePool);
        assertThat(database.connectAttempts()).as("connects").isEqualTo(attempts);
    }

    private void isNamedAConnectFailure(FlexPoolDataSource pool, StubDatabase.Fault fault) {
        assertThatThrownBy(pool::getConnection)
                .as("%s", fault)
                .satisfies(this::isAConnectFailureOfThePool)
                .satisfies(thrown ->
                        assertThat(connectFailures()).anySatisfy(event -> isTheOneInTheReport(event, reports(thrown))));
        assertThat(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.CONNECT_FAILURE)
                        .count())
                .isOne();
        noTimeoutWasCounted(pool);
    }

    private void isTheOneInTheReport(PoolEvent.ConnectFailed event, String reports) {
        String state = event.sqlState();
        if (state == null) {
            assertThat(contract.quirks()).contains(PoolQuirk.HIDES_WHY_A_CONNECT_FAILED);
        } else {
            assertThat(reports).contains(state);
        }
    }

    /**
     * Some pools are created with the ceiling as their max, which direct users of the pool would otherwise get
     * permanently.
     */
    @ParameterizedTest
    @EnumSource(
            value = StubDatabase.Fault.class,
            names = {"REFUSED", "WRONG_PASSWORD", "HANGING"})
    void aPoolThatHasGivenNoConnectionYetIsHeldToTheLimit(StubDatabase.Fault fault) throws Exception {
        assumeTrue(can(Capability.LIVE_RESIZE), "the max of this pool stays the ceiling");
        database.fault(fault);
        FlexPoolDataSource pool = build(wrap(growable(2, 6, Duration.ofMillis(500)))
                .set("base", 2)
                .set("acquisition-timeout", Duration.ofMillis(500))
                .set("ceiling", 6)
                .set("grow-on-wait.enabled", true));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(3, pool);
            boolean held = Crowd.eventually(
                    Duration.ofSeconds(10), () -> pool.state().pool().max() == 2);
            database.release();
            assertThat(held)
                    .as("max while the database is down: %s", pool.state().pool())
                    .isTrue();
            crowd.join();
            assertThat(crowd.failures()).hasSize(3);
        }
        database.start();
        assertThat(Crowd.eventually(Duration.ofSeconds(20), () -> works(pool))).isTrue();
        assertThat(Crowd.eventually(
                        Duration.ofSeconds(5), () -> pool.state().pool().max() == 2))
                .as("max of the pool that works: %s", pool.state().pool())
                .isTrue();
    }

    /**
     * The report was once "exhausted, every connection is in use" with 0 active connections, because no connect had
     * failed yet.
     */
    @Test
    void aPoolWithoutLeasesIsNeverCalledExhausted() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(2, Duration.ofMillis(500)))
                .set("base", 1)
                .set("acquisition-timeout", Duration.ofMillis(500)));
        if (!has(PoolQuirk.LENDS_DEAD_CONNECTIONS)) {
            start(pool);
        }
        database.stop();
        database.fault(StubDatabase.Fault.HANGING);
        // The pool's connection is broken now, and the next connect hangs.
        Crowd.eventually(Duration.ofSeconds(1), () -> false);
        hangingConnectsAreConnectFailures(pool, 3);
    }

    @Test
    void aHangingConnectDuringLeasesIsNotExhaustion() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(4, Duration.ofMillis(500))));
        try (Crowd out = new Crowd()) {
            out.ask(2, pool).join();
            if (nothingIsLeftToConnect(out, pool, 4)) {
                aRequestFindsAllOutAndDead(out, pool, StubDatabase.Fault.HANGING);
                return;
            }
            database.stop();
            database.fault(StubDatabase.Fault.HANGING);
            Crowd.eventually(Duration.ofSeconds(1), () -> false);
            hangingConnectsAreConnectFailures(pool, 2);
        }
    }

    /** Some pools count a connect in progress as a connection, and so report a full pool while the database hangs. */
    @Test
    void aHangingDatabaseIsNoExhaustion() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(2, Duration.ofMillis(500))));
        database.fault(StubDatabase.Fault.HANGING);
        hangingConnectsAreConnectFailures(pool, 4);
    }

    /** If a pool connects in the caller's thread, the request ends only when the stub releases its hanging connects. */
    private void hangingConnectsAreConnectFailures(FlexPoolDataSource pool, int requests) throws Exception {
        try (Crowd crowd = new Crowd()) {
            crowd.ask(requests, pool);
            Crowd.eventually(Duration.ofSeconds(2), () -> crowd.failures().size() == requests);
            database.release();
            crowd.join();
            assertThat(crowd.failures())
                    .hasSize(requests)
                    // Without a reported refusal, either all connections are in use, or none has opened.
                    .allSatisfy(thrown -> assertThat(reports(thrown))
                            .containsAnyOf("not exhausted", " is still opening")
                            .doesNotContain("every connection is in use"));
        }
        noTimeoutWasCounted(pool);
        assertThat(connectFailures())
                .as("each of the requests is reported, also the ones that gave up at the gate")
                .hasSize(requests);
    }

    /** Connections are returned broken or found broken, and no new one can be opened. */
    @Test
    void aDatabaseDyingUnderAFullPoolIsNoExhaustion() throws Exception {
        FlexPoolDataSource pool = build(
                wrap(pool(2, Duration.ofSeconds(2))).set("base", 2).set("acquisition-timeout", Duration.ofSeconds(2)));
        try (Crowd holders = new Crowd();
                Crowd waiting = new Crowd()) {
            holders.ask(2, pool);
            holders.join();
            waiting.ask(4, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(1), () -> pool.state().pending() == 4))
                    .isTrue();
            database.stop();
            holders.letGo();
            waiting.join();
            if (has(PoolQuirk.LENDS_DEAD_CONNECTIONS) && waiting.served() > 0) {
                // Some pools lend returned connections again without validation: then the report is that all are
                // leased.
                assertThat(waiting.alive()).as("alive in an outage").isZero();
                assertThat(waiting.failures()).hasSize(2).allSatisfy(this::isATimeoutOfThePool);
                return;
            }
            assertThat(waiting.served()).as("served from a dead database").isZero();
            // A request that times out at the gate before the first request inside the pool may lack the reason.
            assertThat(waiting.failures())
                    .hasSize(4)
                    .allSatisfy(thrown -> assertThat(reports(thrown)).contains("not exhausted: "))
                    .anySatisfy(this::isAConnectFailureOfThePool);
        }
        noTimeoutWasCounted(pool);
    }

    /** A wake runs on flexpool's only helper thread, which reports any exception as a defect. */
    @Test
    void aWakeInVainEndsAndThrowsNothing() throws Exception {
        // Longer than the test's patience, so that a wake does not end because the waiting request has.
        DataSource raw = pool(1, Duration.ofMinutes(5));
        PoolAdapter adapter = contract.adapter(raw);
        FlexPoolDataSource pool = build(wrap(raw));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(1, pool).join();
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> pool.state().pending() == 1 && crowd.asleep()))
                    .isTrue();
            Crowd.ends(() -> adapter.wake(1));
            assertThat(crowd.served()).as("of a full pool").isOne();
            database.fault(StubDatabase.Fault.REFUSED);
            adapter.resize(2);
            Crowd.ends(() -> adapter.wake(1));
            assertThat(crowd.served()).as("of an outage").isOne();
            adapter.resize(1);
        }
    }
}
