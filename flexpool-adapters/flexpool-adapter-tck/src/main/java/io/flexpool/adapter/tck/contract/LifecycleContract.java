// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.pool.PoolPhase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Warm-up, pause and resume, eviction, and drain, for every pool, bound or only watched. */
abstract class LifecycleContract extends ContractPart {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int EVICTIONS = 40;
    private static final String DRAINING = "57P03";

    LifecycleContract(PoolAdapterContract contract) {
        super(contract);
    }

    private FlexPoolDataSource pool(int max, boolean bound) {
        FlexPoolBuilder builder = wrap(pool(max, LONG));
        return build(bound ? builder.set("base", max).set("acquisition-timeout", LONG) : builder);
    }

    @Test
    void aWarmUpOpensConnectionsBeforeTheyAreAskedFor() {
        FlexPoolDataSource pool = pool(3, true);
        assertThat(pool.warmUp(2, LONG)).isEqualTo(2);
        assertThat(database.open()).isGreaterThanOrEqualTo(2);
        assertThat(pool.warmUp(50, LONG)).as("more than the limit").isEqualTo(3);
        assertThat(pool.phase()).isEqualTo(PoolPhase.OPEN);
        assertThat(pool.state().leased()).isZero();
        assertThat(pool.statistics().total().acquisition(AcquisitionOutcome.OK).count())
                .as("2 requests and 3: none for what the limit does not allow")
                .isEqualTo(5);
    }

    @Test
    void aWarmUpOfADatabaseThatIsDownEndsInTime() throws Exception {
        Duration brief = Duration.ofSeconds(1);
        FlexPoolDataSource pool = build(wrap(pool(2, brief)).set("base", 2).set("acquisition-timeout", brief));
        database.stop();
        assertThat(pool.warmUp(2, Duration.ofMillis(300))).isZero();
        assertThat(pool.phase()).isEqualTo(PoolPhase.OPEN);
        database.start();
    }

    /** Two connections are leased, two are idle: idle ones close at once, leased ones on return. */
    @Test
    void anEvictionClosesWhatIsOlder() throws Exception {
        FlexPoolDataSource pool = pool(4, true);
        try (Crowd stay = new Crowd();
                Crowd leave = new Crowd()) {
            oneByOne(stay, 2, pool);
            oneByOne(leave, 2, pool);
            leave.letGo();
            long before = database.opened();
            boolean can = can(Capability.EVICT);
            assertThat(pool.evict("for a test")).isEqualTo(can);
            if (!can) {
                return;
            }
            assertThat(Crowd.eventually(LONG, () -> database.openOfTheFirst(before) == 2))
                    .as("%d of the first %d are open, two are leased", database.openOfTheFirst(before), before)
                    .isTrue();
            assertThat(stay.alive()).as("a leased connection").isEqualTo(2);
            assertThat(works(pool)).as("a new connection").isTrue();
            stay.letGo();
            assertThat(Crowd.eventually(LONG, () -> database.openOfTheFirst(before) == 0))
                    .as("%d of the first %d came back and are open", database.openOfTheFirst(before), before)
                    .isTrue();
            assertThat(works(pool)).isTrue();
            assertThat(pool.statistics().total().counter(PoolMetric.LISTENER_ERRORS))
                    .isZero();
        }
    }

    /** Agroal wakes no waiting request when it removes a connection on return. */
    @Test
    void aWaitingRequestGetsThePlaceOfAnEvictedConnection() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(1, Duration.ofSeconds(30))));
        try (Crowd crowd = new Crowd()) {
            Connection held = pool.getConnection();
            crowd.ask(1, pool);
            assertThat(Crowd.eventually(LONG, () -> pool.state().pending() == 1 && crowd.asleep()))
                    .isTrue();
            assertThat(pool.evict("for a test")).isEqualTo(can(Capability.EVICT));
            held.close();
            crowd.join();
            assertThat(crowd.failures()).as("with %s", pool.state()).isEmpty();
        }
    }

    /**
     * Evicts while the pool validates a connection to lend it. A pool that marks evicted connections closes this one on
     * return; other pools lend it again until the next eviction.
     */
    @Test
    void anEvictionAndAConnectionThatIsBeingLent() throws Exception {
        FlexPoolDataSource pool = pool(2, true);
        boolean missed = has(PoolQuirk.ITS_EVICTION_MISSES_WHAT_IT_IS_LENDING);
        if (!can(Capability.EVICT)) {
            assertThat(missed).isFalse();
            return;
        }
        long before = evictsWhileOneIsBeingLent(pool, () -> pool.evict("for a test"));
        assertThat(Crowd.eventually(
                        LONG, () -> pool.state().leased() == 0 && database.openOfTheFirst(before) == (missed ? 1 : 0)))
                .as("%d of the first %d are open: %s", database.openOfTheFirst(before), before, pool.state())
                .isTrue();
        if (missed) {
            assertThat(pool.evict("once more")).isTrue();
            assertThat(Crowd.eventually(LONG, () -> database.openOfTheFirst(before) == 0))
                    .as("%d of the first %d are open", database.openOfTheFirst(before), before)
                    .isTrue();
        }
        try (Crowd all = new Crowd()) {
            all.ask(2, pool).join();
            assertThat(all.failures()).isEmpty();
            assertThat(all.alive()).isEqualTo(2);
        }
    }

    /** The proof of the quirk: the pool does the same without flexpool. */
    @Test
    void whatAnEvictionMissesTheBarePoolMissesToo() throws Exception {
        if (!has(PoolQuirk.ITS_EVICTION_MISSES_WHAT_IT_IS_LENDING)) {
            return;
        }
        DataSource bare = pool(2, LONG);
        try {
            long before = evictsWhileOneIsBeingLent(bare, () -> {
                contract.evictByItself(bare);
                // Waits, because Agroal evicts in its own thread, and closes connections after it has visited all.
                return Crowd.eventually(LONG, () -> database.open() == 1);
            });
            assertThat(Crowd.eventually(LONG, () -> database.openOfTheFirst(before) == 1))
                    .as("%d of the first %d are open", database.openOfTheFirst(before), before)
                    .isTrue();
            contract.evictByItself(bare);
            assertThat(Crowd.eventually(LONG, () -> database.openOfTheFirst(before) == 0))
                    .as("after an eviction at rest %d of the first %d", database.openOfTheFirst(before), before)
                    .isTrue();
        } finally {
            contract.adapter(bare).close();
        }
    }

    /**
     * Evicts while one connection is idle and another is validated for a request, which then returns it.
     *
     * @return the number of connections opened before the eviction
     */
    private long evictsWhileOneIsBeingLent(DataSource pool, Callable<Boolean> eviction) throws Exception {
        try (Crowd crowd = new Crowd()) {
            oneByOne(crowd, 2, pool);
        }
        // HikariCP validates a connection only if it has been idle for half a second.
        TimeUnit.MILLISECONDS.sleep(600);
        try (Crowd crowd = new Crowd()) {
            long before;
            try {
                database.nextValidationHangs();
                crowd.ask(1, pool);
                assertThat(Crowd.eventually(Duration.ofMinutes(1), database::validationHangs))
                        .as("a connection is validated before it is lent")
                        .isTrue();
                before = database.opened();
                // Evicts in a thread, so that an eviction that waits for the validation fails the test.
                CompletableFuture<Boolean> evicted = new CompletableFuture<>();
                Thread evicts = new Thread(() -> {
                    try {
                        evicted.complete(eviction.call());
                    } catch (Throwable thrown) {
                        evicted.completeExceptionally(thrown);
                    }
                });
                evicts.setDaemon(true);
                evicts.start();
                assertThat(evicted.get(1, TimeUnit.MINUTES))
                        .as("evicted, %d are open", database.open())
                        .isTrue();
            } finally {
                database.release();
            }
            crowd.join();
            assertThat(crowd.failures()).isEmpty();
            return before;
        }
    }

    /** c3p0 counts a connection for ever as leased if it is evicted during its return. */
    @Test
    void evictionsUnderLoadCostNoPermit() throws Exception {
        int max = 4;
        FlexPoolDataSource pool = pool(max, true);
        AtomicBoolean done = new AtomicBoolean();
        try (Crowd users = new Crowd()) {
            // More threads than connections, so that connections are always being lent or returned.
            users.cycleUntil(2 * max, pool, Duration.ZERO, done::get);
            for (int at = 1; at <= EVICTIONS; at++) {
                int served = users.served() + max;
                assertThat(Crowd.eventually(LONG, () -> users.served() >= served))
                        .as("served before eviction %d: %s", at, pool.state())
                        .isTrue();
                pool.evict("under load");
            }
            done.set(true);
            users.join();
            assertThat(users.failures().stream().map(ContractPart::reports)).isEmpty();
        }
        assertThat(Crowd.eventually(
                        LONG, () -> pool.state().leased() == 0 && pool.state().foreign() == 0))
                .as("%s", pool.state())
                .isTrue();
        try (Crowd all = new Crowd()) {
            all.ask(max, pool).join();
            assertThat(all.failures()).isEmpty();
            assertThat(all.alive()).isEqualTo(max);
            // flexpool counts a foreign connection at the second tick that finds it.
            assertThat(Crowd.eventually(
                            Duration.ofMillis(800), () -> pool.state().foreign() > 0))
                    .as("borrowed past flexpool: %s", pool.state())
                    .isFalse();
            assertThat(Crowd.eventually(LONG, () -> database.open() <= max))
                    .as("physical connections: %d", database.open())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHoldHasRequestsWaitUntilItIsResumed(boolean bound) throws Exception {
        FlexPoolDataSource pool = pool(3, bound);
        start(pool);
        try (Connection before = pool.getConnection();
                Crowd crowd = new Crowd()) {
            assertThat(pool.pause()).isTrue();
            assertThat(pool.pause()).as("a second time").isFalse();
            assertThat(pool.phase()).isEqualTo(PoolPhase.PAUSED);
            crowd.ask(2, pool);
            assertThat(Crowd.eventually(Duration.ofMillis(150), () -> crowd.served() > 0))
                    .as("served while held")
                    .isFalse();
            assertThat(before.isValid(1)).isTrue();
            try (Connection nested = pool.getConnection()) {
                assertThat(nested.isValid(1)).as("of a thread that holds one").isTrue();
            }
            assertThat(pool.resume()).isTrue();
            assertThat(pool.resume()).as("a second time").isFalse();
            crowd.join();
            assertThat(crowd.failures()).isEmpty();
            assertThat(crowd.served()).isEqualTo(2);
        }
    }

    @Test
    void aHeldRequestWaitsWithinItsTimeout() throws Exception {
        FlexPoolDataSource pool =
                build(wrap(pool(2, LONG)).set("base", 2).set("acquisition-timeout", Duration.ofMillis(100)));
        start(pool);
        pool.pause();
        assertThatThrownBy(pool::getConnection)
                .isExactlyInstanceOf(contract.timeoutClass())
                .satisfies(thrown -> assertThat(reports(thrown)).contains("the pool is paused"));
        pool.resume();
        start(pool);
    }

    @Test
    void aCloseAnswersWhatIsHeld() throws Exception {
        FlexPoolDataSource pool = pool(2, true);
        start(pool);
        pool.pause();
        try (Crowd crowd = new Crowd()) {
            crowd.ask(2, pool);
            assertThat(Crowd.eventually(LONG, () -> pool.state().waiting() == 2))
                    .as("%s", pool.state())
                    .isTrue();
            pool.close();
            crowd.join();
            assertThat(crowd.failures())
                    .hasSize(2)
                    .allSatisfy(thrown -> assertThat(thrown).hasMessageContaining("is closed"));
        }
    }

    /** Open leases continue to their end; new requests are refused; then the pool is closed. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aDrainWaitsForLeasesAndRefusesNewcomers(boolean bound) throws Exception {
        FlexPoolDataSource pool = pool(3, bound);
        start(pool);
        Connection held = pool.getConnection();
        CompletableFuture<Integer> drain = CompletableFuture.supplyAsync(() -> pool.drain(LONG));
        assertThat(Crowd.eventually(LONG, () -> pool.phase() == PoolPhase.DRAINING))
                .isTrue();
        try (Crowd newcomer = new Crowd()) {
            newcomer.ask(1, pool).join();
            assertThat(newcomer.failures())
                    .singleElement()
                    // Allows a subclass: if the pool's exception takes no SQLState, the adapter throws a subclass with
                    // it.
                    .isInstanceOf(contract.timeoutClass())
                    .satisfies(thrown -> assertThat(((SQLException) thrown).getSQLState())
                            .isEqualTo(has(PoolQuirk.ITS_TIMEOUTS_HAVE_NO_STATE) ? null : DRAINING))
                    .extracting(thrown ->
                            (SQLException) (has(PoolQuirk.ITS_TIMEOUTS_HAVE_NO_STATE) ? thrown.getCause() : thrown))
                    .satisfies(thrown -> assertThat(thrown.getSQLState()).isEqualTo(DRAINING));
        }
        try (Connection nested = pool.getConnection()) {
            assertThat(nested.isValid(1)).as("of a thread that holds one").isTrue();
        }
        assertThat(drain).isNotDone();
        assertThat(held.isValid(1)).isTrue();
        held.close();
        assertThat(drain.get(LONG.toSeconds(), TimeUnit.SECONDS)).isZero();
        assertThat(pool.phase()).isEqualTo(PoolPhase.CLOSED);
        assertThat(pool.closed()).isTrue();
    }

    @Test
    void aDrainWhoseTimeIsOverSaysWhatIsLeft() throws Exception {
        FlexPoolDataSource pool = pool(2, true);
        Connection held = pool.getConnection();
        assertThat(pool.drain(Duration.ofMillis(50))).isEqualTo(1);
        closeAfterThePool(held);
    }
}
