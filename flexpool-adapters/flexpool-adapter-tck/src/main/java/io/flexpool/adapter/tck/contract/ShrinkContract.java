// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.OpenPools;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.event.PoolEvent;
import io.flexpool.pool.PoolMode;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The decrease: the limit returns to its base and is enforced there, without affecting leases. */
abstract class ShrinkContract extends ContractPart {
    ShrinkContract(PoolAdapterContract contract) {
        super(contract);
    }

    @Test
    void afterCalmThePoolReturnsToItsBase() throws Exception {
        FlexPoolDataSource pool = build(wrap(growable(2, 6, Duration.ofSeconds(1)))
                .set("base", 2)
                .set("ceiling", 6)
                .set("grow-on-wait.enabled", true));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(6, pool);
            crowd.join();
            assertThat(pool.state().limit()).isEqualTo(6);
        }
        assertThat(Crowd.eventually(Duration.ofSeconds(25), () -> pool.state().limit() == 2))
                .isTrue();
        comesDownTo(2, 6, Duration.ofSeconds(10));
        // Waits, because the event follows the resize, which takes long in UCP.
        Crowd.eventually(Duration.ofSeconds(10), () -> {
            List<PoolEvent.Resized> moves = resized();
            return moves.get(moves.size() - 1).to() == 2;
        });
        assertThat(resized()).last().satisfies(last -> {
            assertThat(last.cause()).isEqualTo(PoolEvent.ResizeCause.CALM);
            assertThat(last.to()).isEqualTo(2);
        });
        try (Crowd crowd = new Crowd()) {
            crowd.ask(2, pool);
            crowd.join();
            assertThat(pool.state().leased()).isEqualTo(2);
            comesDownTo(2, 6, Duration.ofSeconds(1));
            if (can(Capability.PHYSICAL_FOLLOWS_LIMIT)) {
                assertThat(database.open()).as("kept for the base").isEqualTo(2);
            }
        }
    }

    /** The limit falls from six to two with six leases: these continue, and afterwards at most two are lent. */
    @Test
    void aLowerLimitWaitsForOpenLeases() throws Exception {
        FlexPoolDataSource pool = build(
                wrap(pool(6, Duration.ofSeconds(2))).set("base", 2).set("acquisition-timeout", Duration.ofSeconds(2)));
        pool.mode(PoolMode.MONITOR);
        try (Crowd crowd = new Crowd()) {
            // One after another, because some watched pools refuse concurrent requests although they are not full.
            for (int request = 0; request < 6; request++) {
                crowd.ask(1, pool).join();
            }
            assertThat(crowd.served()).isEqualTo(6);
            pool.mode(PoolMode.RECOMMEND);
            assertThat(Crowd.eventually(Duration.ofSeconds(1), () -> database.open() < 6))
                    .as("a leased connection was closed: %d open", database.open())
                    .isFalse();
            assertThat(crowd.broken()).isZero();
        }
        comesDownTo(2, 6, Duration.ofSeconds(5));
        try (Crowd again = new Crowd()) {
            again.ask(6, pool);
            again.join();
            assertThat(again.served()).isEqualTo(2);
            assertThat(again.failures()).hasSize(4).allSatisfy(this::isATimeoutOfThePool);
            comesDownTo(2, 6, Duration.ZERO);
        }
    }

    @Test
    void atRestThePoolHasTheBasePhysically() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(20, Duration.ofSeconds(2)))
                .set("base", 5)
                .set("ceiling", 20)
                .set("grow-on-wait.enabled", true));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(5, pool);
            crowd.join();
            int most = can(Capability.PHYSICAL_FOLLOWS_LIMIT) ? 5 : 20;
            assertThat(Crowd.within(contract.housekeeping(), () -> database.open() > most || database.open() < 5))
                    .as("the pool's housekeeping moved the physical connections: %d", database.open())
                    .isFalse();
            assertThat(database.peak()).isBetween(5, most);
        }
    }

    @Test
    void aStartedPoolIsLoweredToItsBaseAtOnce() throws Exception {
        DataSource pool = pool(8, Duration.ofSeconds(2));
        try (Crowd crowd = new Crowd()) {
            oneByOne(crowd, 8, pool);
            assertThat(database.open()).isEqualTo(8);
        }
        FlexPoolDataSource bound =
                build(wrap(pool).set("base", 3).set("ceiling", 8).set("grow-on-wait.enabled", true));
        comesDownTo(3, 8, Duration.ofSeconds(5));
        assertThat(bound.state().limit()).isEqualTo(3);
    }

    /** Wraps a pool that an application already uses. */
    @Test
    void wrappingKeepsTheActiveConnections() throws Exception {
        DataSource raw = pool(4, Duration.ofSeconds(10));
        try (Crowd before = new Crowd()) {
            oneByOne(before, 3, raw);
            FlexPoolDataSource pool =
                    build(wrap(raw).set("base", 2).set("acquisition-timeout", Duration.ofSeconds(10)));
            assertThat(Crowd.eventually(Duration.ofSeconds(1), () -> database.open() < 3))
                    .as("a leased connection was closed: %d open", database.open())
                    .isFalse();
            try (Crowd after = new Crowd()) {
                if (contract.adapter(raw).snapshot().active() >= 0) {
                    // The active connections of a pool that reports nothing are unknown.
                    assertThat(Crowd.eventually(
                                    Duration.ofSeconds(5), () -> pool.state().foreign() == 3))
                            .as("%s", pool.state())
                            .isTrue();
                    after.ask(2, pool);
                    assertThat(Crowd.eventually(Duration.ofMillis(500), () -> after.served() > 0))
                            .isFalse();
                    before.letGo();
                } else {
                    before.letGo();
                    after.ask(2, pool);
                }
                after.join();
                assertThat(after.failures()).isEmpty();
            }
        }
    }

    @Test
    void backToWatchedRestoresThePoolsSizes() throws Exception {
        FlexPoolDataSource pool = build(wrap(pool(6, Duration.ofSeconds(10))).set("base", 1));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(6, pool);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> pool.state().waiting() == 5))
                    .isTrue();
            assertThat(pool.mode(PoolMode.MONITOR)).isTrue();
            crowd.join();
            assertThat(crowd.failures()).isEmpty();
            assertThat(pool.state().bound()).isFalse();
            assertThat(database.peak()).isEqualTo(6);
        }
        assertThat(pool.mode(PoolMode.RECOMMEND)).isTrue();
        comesDownTo(1, 6, Duration.ofSeconds(10));
        assertThat(pool.state().limit()).isEqualTo(1);
    }

    /** The connections once stayed open until the pool's idle timeout: eight with a max of two. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatFlexpoolHadOpenedIsClosedWhenItOnlyWatches(boolean leased) throws Exception {
        FlexPoolDataSource pool = build(wrap(growable(2, 6, Duration.ofSeconds(1)))
                .set("base", 2)
                .set("ceiling", 6)
                .set("grow-on-wait.enabled", true)
                .set("grow-on-wait.keep", Duration.ofMinutes(1)));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(6, pool);
            crowd.join();
            assertThat(pool.state().limit()).isEqualTo(6);
            if (!leased) {
                crowd.letGo();
            }
            assertThat(pool.mode(PoolMode.MONITOR)).isTrue();
            if (leased) {
                assertThat(crowd.alive()).as("leased connections").isEqualTo(6);
            }
        }
        comesDownTo(can(Capability.LIVE_RESIZE) ? 2 : 6, 6, Duration.ofSeconds(30));
    }

    @Test
    void whatFlexpoolHadOpenedIsClosedWhenItLetsGo() throws Exception {
        DataSource raw = growable(2, 6, Duration.ofSeconds(1));
        PoolAdapter owner = contract.adapter(raw);
        FlexPoolDataSource pool = build(wrap(raw)
                .set("base", 2)
                .set("ceiling", 6)
                .set("grow-on-wait.enabled", true)
                .set("grow-on-wait.keep", Duration.ofMinutes(1)));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(6, pool);
            crowd.join();
            assertThat(pool.state().limit()).isEqualTo(6);
        }
        OpenPools.release(pool, null);
        comesDownTo(can(Capability.LIVE_RESIZE) ? 2 : 6, 6, Duration.ofSeconds(30));
        owner.close();
    }

    /** An application may set the max of the running pool, for example when its configuration is rebound. */
    @Test
    void theBaseFollowsTheMaxThatTheApplicationSets() throws Exception {
        assumeTrue(can(Capability.LIVE_RESIZE) && !has(PoolQuirk.WAITS_AT_THE_GATE_ONLY));
        DataSource raw = pool(4, Duration.ofSeconds(20));
        FlexPoolDataSource pool = build(wrap(raw).set("ceiling", 8).set("grow-on-wait.enabled", true));
        start(pool);
        PoolAdapter application = contract.adapter(raw);
        application.resize(6);
        assertThat(Crowd.eventually(Duration.ofSeconds(60), () -> pool.state().limit() == 6))
                .as("%s", pool.state())
                .isTrue();
        assertThat(pool.state().base()).isEqualTo(6);
        try (Crowd crowd = new Crowd()) {
            crowd.ask(6, pool).join();
            assertThat(crowd.served()).isEqualTo(6);
            assertThat(pool.state().limit()).as("without growth").isEqualTo(6);
        }
        application.resize(3);
        assertThat(Crowd.eventually(Duration.ofSeconds(60), () -> pool.state().limit() == 3))
                .as("%s", pool.state())
                .isTrue();
        pool.mode(PoolMode.MONITOR);
        assertThat(application.snapshot().max()).as("its own").isEqualTo(3);
        application.resize(5);
        pool.mode(PoolMode.RECOMMEND);
        assertThat(pool.state().base()).isEqualTo(5);
        assertThat(pool.state().limit()).isEqualTo(5);
    }

    @Test
    void aConfiguredBaseIsKeptWhenTheApplicationSetsTheMax() throws Exception {
        assumeTrue(can(Capability.LIVE_RESIZE));
        DataSource raw = pool(4, Duration.ofSeconds(20));
        FlexPoolDataSource pool =
                build(wrap(raw).set("base", 4).set("ceiling", 8).set("grow-on-wait.enabled", true));
        start(pool);
        PoolAdapter application = contract.adapter(raw);
        for (int set : new int[] {6, 2}) {
            application.resize(set);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(60), () -> application.snapshot().max() == 4))
                    .as("%s", application.snapshot())
                    .isTrue();
            assertThat(pool.state().limit()).isEqualTo(4);
            assertThat(pool.state().base()).isEqualTo(4);
        }
    }

    /** A trim runs on flexpool's helper thread, whose other work would wait for it. */
    @Test
    void aTrimDoesNotWaitForLeases() throws Exception {
        DataSource raw = pool(3, Duration.ofMinutes(5));
        PoolAdapter adapter = contract.adapter(raw);
        build(wrap(raw));
        try (Crowd crowd = new Crowd()) {
            oneByOne(crowd, 3, raw);
            adapter.resize(1);
            Crowd.ends(() -> adapter.trim(1));
            assertThat(database.open()).isEqualTo(3);
            assertThat(crowd.alive()).isEqualTo(3);
            adapter.resize(3);
        }
    }
}
