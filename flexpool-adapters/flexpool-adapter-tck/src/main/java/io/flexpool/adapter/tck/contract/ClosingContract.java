// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolMode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The close: no later request gets a connection. */
abstract class ClosingContract extends ContractPart {
    ClosingContract(PoolAdapterContract contract) {
        super(contract);
    }

    @Test
    void afterCloseEveryRequestIsRefused() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(2, Duration.ofSeconds(30)))
                .set("base", 1)
                .set("acquisition-timeout", Duration.ofSeconds(30)));
        Connection held = pool.getConnection();
        try (Crowd crowd = new Crowd()) {
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> pool.state().waiting() == 1))
                    .isTrue();
            pool.close();
            crowd.join();
            assertThat(crowd.failures()).singleElement().isInstanceOf(SQLException.class);
        }
        closeAfterThePool(held);
        long first = connects(() -> refused(pool));
        assertThat(first == 0 || connects(() -> refused(pool)) == 0)
                .as("a closed pool was opened again")
                .isTrue();
        assertThat(Crowd.eventually(Duration.ofSeconds(30), () -> database.open() == 0))
                .as("open after the close: %d", database.open())
                .isTrue();
    }

    private static void refused(FlexPoolDataSource pool) {
        assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        pool.close();
    }

    /**
     * Counts the connects of a call. One more than the call's is possible once, because a pool's thread may begin to
     * connect before the close. Druid's thread also connects if a connection is returned between the thread's interrupt
     * and its wake-up.
     */
    private long connects(Runnable call) {
        long attempts = database.connectAttempts();
        call.run();
        return database.connectAttempts() - attempts;
    }

    /** The requests end long before their timeout, and without a returned connection. */
    @Test
    void aCloseReleasesRequestsInsideThePool() throws Exception {
        boolean letsGo = !has(PoolQuirk.LEAVES_REQUESTS_WAITING);
        Duration timeout = Duration.ofSeconds(letsGo ? 30 : 5);
        FlexPoolDataSource pool = build(wrap(pool(1, timeout)));
        try (Crowd crowd = new Crowd()) {
            Connection held = pool.getConnection();
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> pool.state().pending() == 1 && crowd.asleep()))
                    .isTrue();
            pool.close();
            assertThat(Crowd.eventually(timeout.dividedBy(letsGo ? 3 : 10), () -> !crowd.working()))
                    .as("released by the close")
                    .isEqualTo(letsGo);
            closeAfterThePool(held);
            crowd.join();
            // Also refuses the request that would get the returned connection. H2 throws an IllegalStateException then,
            // which flexpool passes on.
            assertThat(crowd.failures()).hasSize(1);
            assertThat(pool.statistics()
                            .total()
                            .acquisition(AcquisitionOutcome.REJECTED)
                            .count())
                    .isOne();
        }
    }

    /**
     * The requests once waited for their timeout, and were reported as exhaustion. Also, growth must not reopen a
     * closed pool.
     */
    @Test
    void aDirectCloseReleasesRequestsAtTheGate() throws Exception {
        assumeFalse(has(PoolQuirk.REPORTS_NOTHING), "nothing shows that this pool is closed");
        DataSource raw = growable(1, 4, Duration.ofSeconds(60));
        PoolAdapter adapter = contract.adapter(raw);
        FlexPoolDataSource pool = build(wrap(raw)
                .set("base", 1)
                .set("acquisition-timeout", Duration.ofSeconds(60))
                .set("ceiling", 4)
                .set("grow-on-wait.enabled", true)
                .set("grow-on-wait.after", Duration.ofSeconds(50)));
        Connection held = pool.getConnection();
        try (Crowd crowd = new Crowd()) {
            crowd.ask(3, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(10), () -> pool.state().waiting() == 3))
                    .isTrue();
            long attempts = database.connectAttempts();
            // Like flexpool's adapter, this one detects the close only by the pool's state.
            PoolAdapter witness = contract.adapter(raw);
            witness.snapshot();
            adapter.close();
            if (!witness.isClosed()) {
                crowd.interrupt();
                crowd.join();
                closeAfterADirectClose(held, pool);
                return;
            }
            assertThat(Crowd.eventually(Duration.ofSeconds(20), () -> !crowd.working()))
                    .as("released long before the timeout of 60 s: %s", pool.state())
                    .isTrue();
            assertThat(crowd.failures())
                    .hasSize(3)
                    .allSatisfy(thrown -> assertThat(reports(thrown)).contains("closed"));
            assertThat(database.connectAttempts())
                    .as("connects of a closed pool")
                    .isEqualTo(attempts);
            assertThat(pool.state().limit()).isOne();
        }
        closeAfterADirectClose(held, pool);
        assertThat(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.REJECTED)
                        .count())
                .isEqualTo(3);
    }

    /** The application closes the pool directly, not through flexpool. */
    @Test
    void aDirectCloseIsReported() throws Exception {
        DataSource raw = pool(2, Duration.ofSeconds(1));
        FlexPoolDataSource pool = build(wrap(raw));
        start(pool);
        PoolAdapter adapter = contract.adapter(raw);
        adapter.close();
        if (!contract.staysClosed()) {
            start(pool);
            return;
        }
        if (has(PoolQuirk.REPORTS_NOTHING)) {
            assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
            assertThat(pool.statistics()
                            .total()
                            .acquisition(AcquisitionOutcome.ERROR)
                            .count())
                    .isOne();
            return;
        }
        assertThat(adapter.isClosed()).isTrue();
        assertThatThrownBy(pool::getConnection)
                .satisfies(thrown -> assertThat(reports(thrown)).contains("the pool is closed"));
        assertThat(pool.statistics()
                        .total()
                        .acquisition(AcquisitionOutcome.REJECTED)
                        .count())
                .isOne();
    }

    /** Many pools hold a lock during the connects of their start, and some pools' setters wait for that lock. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStartThatHangsKeepsNeitherASwitchNorTheEndWaiting(boolean release) throws Exception {
        // Such a request waits on after the close, and the test for it. The lock is held until the release, however
        // long that is.
        Duration timeout = Duration.ofSeconds(has(PoolQuirk.LEAVES_REQUESTS_WAITING) ? 10 : 60);
        DataSource raw = growable(2, 4, timeout);
        PoolAdapter owner = contract.adapter(raw);
        FlexPoolDataSource pool = build(wrap(raw)
                .set("base", 2)
                .set("acquisition-timeout", timeout)
                .set("ceiling", 4)
                .set("grow-on-wait.enabled", true));
        database.fault(StubDatabase.Fault.HANGING);
        try (Crowd crowd = new Crowd()) {
            // One request is enough to hold the lock; more would continue to wait inside some pools after the close.
            crowd.ask(has(PoolQuirk.LEAVES_REQUESTS_WAITING) ? 1 : 3, pool);
            try {
                assertThat(Crowd.eventually(Duration.ofSeconds(60), () -> database.connectAttempts() > 0))
                        .as("connects")
                        .isTrue();
                Crowd.ends(() -> pool.mode(PoolMode.MONITOR));
                assertThat(pool.mode()).isEqualTo(PoolMode.MONITOR);
                Crowd.ends(release ? () -> OpenPools.release(pool, null) : pool::close);
                assertThat(pool.closed()).isTrue();
            } finally {
                database.release();
                crowd.interrupt();
            }
            crowd.join();
        }
        if (release) {
            owner.close();
        }
    }
}
