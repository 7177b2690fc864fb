// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.StubDatabase;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The requirements on an adapter with many more threads than connections, on a busy machine. A pool's test passes its
 * {@link PoolAdapterContract}, which creates the pool. Runs alone, because it uses the whole machine.
 */
@Isolated("a storm takes the time from tests that wait")
public abstract class StormContract extends ContractPart {
    private static final int CEILING = 50;

    /** The number of physical connections that a test may leave open, because the bare pool does. */
    private int leftByThePool;

    /**
     * Called by a pool's test.
     *
     * @param contract provides the pool and its quirks
     */
    protected StormContract(PoolAdapterContract contract) {
        super(contract);
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        contract.nothingIsLeft(leftByThePool);
    }

    /**
     * With very short leases, nearly every reading finds all permits inside the pool. flexpool once took this for a
     * hanging database, and refused the necessary growth.
     */
    @ParameterizedTest(name = "base {0}, leases of {1} us, timeout {2} ms, {3} threads")
    @CsvSource({"1, 0, 100, 200", "4, 50000, 500, 100"})
    void aCrowdMakesThePoolGrowAndIsNotTakenForAnOutage(int base, int leaseMicros, int timeoutMillis, int threads)
            throws Exception {
        aCrowdGrows(base, leaseMicros, timeoutMillis, threads);
    }

    /** Between the two lengths above. */
    @Tag("scenario")
    @ParameterizedTest(name = "base {0}, leases of {1} us, timeout {2} ms, {3} threads")
    @CsvSource({"1, 100, 100, 200", "2, 1000, 250, 200", "3, 10000, 250, 100"})
    void withLeasesOfOtherLengthsToo(int base, int leaseMicros, int timeoutMillis, int threads) throws Exception {
        aCrowdGrows(base, leaseMicros, timeoutMillis, threads);
    }

    private void aCrowdGrows(int base, int leaseMicros, int timeoutMillis, int threads) throws Exception {
        FlexPoolDataSource pool = build(wrap(growable(base, CEILING, Duration.ofMillis(Math.max(250, timeoutMillis))))
                .set("base", base)
                .set("acquisition-timeout", Duration.ofMillis(timeoutMillis))
                .set("ceiling", CEILING)
                .set("grow-on-wait.enabled", true));
        start(pool);
        AtomicBoolean done = new AtomicBoolean();
        try (OtherWork beside = new OtherWork();
                Crowd crowd = new Crowd()) {
            beside.begin();
            crowd.cycleUntil(threads, pool, Duration.ofNanos(1_000L * leaseMicros), done::get);
            boolean grew;
            try {
                grew = Crowd.eventually(Duration.ofSeconds(20), () -> !resized().isEmpty());
                int enough = answered(crowd) + 10 * threads;
                // Beside such a crowd connects are slow, which is no outage either.
                Crowd.eventually(Duration.ofSeconds(20), () -> answered(crowd) >= enough);
            } finally {
                done.set(true);
            }
            crowd.join();
            assertThat(grew)
                    .as(
                            "grew, with %d served and %d not: %s",
                            crowd.served(), crowd.failures().size(), pool.state())
                    .isTrue();
            assertThat(crowd.failures()).allSatisfy(this::isATimeoutOfAPoolThatGrows);
        }
        assertThat(connectFailures())
                .as("connect failures of a database that is up")
                .isEmpty();
    }

    /** After any number of openings, and any results of its probes, the circuit must close again. */
    @Test
    void afterAStormThePoolServesThroughItsCircuit() throws Exception {
        FlexPoolDataSource pool = build(wrap(growable(2, 6, Duration.ofMillis(500)))
                .set("base", 2)
                .set("acquisition-timeout", Duration.ofMillis(500))
                .set("circuit-breaker.failures", 2)
                .set("ceiling", 6)
                .set("grow-on-wait.enabled", true));
        start(pool);
        AtomicBoolean done = new AtomicBoolean();
        boolean serves;
        try (Crowd crowd = new Crowd()) {
            try {
                for (int at = 0; at < 12; at++) {
                    crowd.call(() -> {
                        while (!done.get()) {
                            askOnce(pool);
                        }
                    });
                }
                for (int round = 0; round < 15; round++) {
                    flap(pool, crowd);
                }
                serves = Crowd.eventually(Duration.ofSeconds(60), () -> works(pool));
            } finally {
                done.set(true);
            }
            crowd.join();
        }
        assertThat(serves).as("serves again: %s", pool.state()).isTrue();
        // One request must be enough.
        assertThat(Crowd.eventually(Duration.ofSeconds(20), () -> works(pool))).isTrue();
    }

    /** Stops the server for the time of fifty requests, then starts it for a moment. */
    private void flap(FlexPoolDataSource pool, Crowd crowd) throws InterruptedException {
        database.errorsInUse(true);
        database.stop();
        long before = outcomes(pool);
        Crowd.eventually(Duration.ofMillis(200), () -> outcomes(pool) > before + 50);
        crowd.interrupt();
        database.start();
        Crowd.eventually(Duration.ofMillis(60), () -> false);
        database.errorsInUse(false);
    }

    /** Tests the bare pool: some pools never connect again after a driver has thrown an Error. */
    @Test
    void whatADriversErrorDuringAConnectLeavesOfTheBarePool() throws Exception {
        assumeFalse(has(PoolQuirk.A_DRIVERS_ERROR_MAY_BREAK_IT), "nothing is certain of this pool");
        DataSource raw = pool(2, Duration.ofMillis(500));
        start(raw);
        database.stop();
        database.fault(StubDatabase.Fault.BROKEN_DRIVER);
        try (Crowd crowd = new Crowd()) {
            for (int at = 0; at < 4; at++) {
                crowd.call(() -> {
                    while (true) {
                        raw.getConnection().close();
                    }
                });
            }
            crowd.join();
            assertThat(crowd.failures()).as("the first failure of each").hasSize(4);
        }
        database.start();
        boolean lasts = has(PoolQuirk.A_DRIVERS_ERROR_BREAKS_IT);
        assertThat(
                        lasts
                                ? Crowd.within(Duration.ofSeconds(3), () -> works(raw))
                                : Crowd.eventually(Duration.ofSeconds(30), () -> works(raw)))
                .as("connects again")
                .isEqualTo(!lasts);
        contract.adapter(raw).close();
    }

    private static long outcomes(FlexPoolDataSource pool) {
        Figures total = pool.statistics().total();
        return Arrays.stream(AcquisitionOutcome.values())
                .mapToLong(outcome -> total.acquisition(outcome).count())
                .sum();
    }

    private static void askOnce(FlexPoolDataSource pool) {
        try (Connection connection = pool.getConnection()) {
            connection.prepareCall("storm").close();
        } catch (SQLException | RuntimeException | Error thrown) {
            // Ignores failures of the storm; the test checks the time after it.
        } finally {
            Thread.interrupted();
        }
        LockSupport.parkNanos(200_000);
    }

    /** Each request gets a connection or an exception; no thread and no physical connection is left. */
    @Test
    void aPoolThatIsClosedUnderFullLoadLetsEveryRequestGo() throws Exception {
        int max = 4;
        FlexPoolDataSource pool = build(wrap(pool(max, Duration.ofSeconds(5))));
        leftByThePool = has(PoolQuirk.MAY_LEAVE_OPEN_WHAT_COMES_BACK_WHILE_IT_CLOSES) ? max : 0;
        try (Crowd crowd = new Crowd()) {
            for (int at = 0; at < 16; at++) {
                crowd.call(() -> untilClosed(pool));
            }
            boolean loaded = Crowd.eventually(Duration.ofSeconds(20), () -> outcomes(pool) > 500);
            // Closes the pool, which also ends the crowd.
            pool.close();
            assertThat(loaded).isTrue();
            crowd.join();
            assertThat(crowd.failures())
                    .hasSize(16)
                    .allSatisfy(thrown -> assertThat(thrown)
                            .isInstanceOfAny(
                                    SQLException.class,
                                    has(PoolQuirk.THROWS_RUNTIME_EXCEPTIONS_WHILE_IT_CLOSES)
                                            ? RuntimeException.class
                                            : SQLException.class));
        }
    }

    private static void untilClosed(FlexPoolDataSource pool) throws SQLException {
        while (true) {
            Connection connection = pool.getConnection();
            try {
                connection.close();
            } catch (SQLException closedMeanwhile) {
                // Expected: the next request is refused.
            }
        }
    }

    private static int answered(Crowd crowd) {
        return crowd.served() + crowd.failures().size();
    }

    /** Runs as many busy threads as there are processors. */
    private static final class OtherWork implements AutoCloseable {
        private volatile boolean over;

        void begin() {
            IntStream.range(0, Math.max(1, Runtime.getRuntime().availableProcessors() / 2))
                    .forEach(at -> {
                        Thread busy = new Thread(this::work, "other-work-" + at);
                        busy.setDaemon(true);
                        busy.start();
                    });
        }

        private void work() {
            while (!over) {
                Thread.onSpinWait();
            }
        }

        @Override
        public void close() {
            over = true;
        }
    }
}
