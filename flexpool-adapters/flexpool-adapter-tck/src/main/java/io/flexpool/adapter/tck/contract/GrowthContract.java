// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.PoolAdapter;
import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.pool.PoolMode;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Growth of the limit by n serves n waiting requests, and none fails because of the growth. */
abstract class GrowthContract extends ContractPart {
    private static final int LOADS = 10;
    /** The wait for a request that must be served, also on a busy machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    GrowthContract(PoolAdapterContract contract) {
        super(contract);
    }

    @Test
    void growthServesThreadsThatAlreadyWait() throws Exception {
        growthServes(20, growable(4, 24, PATIENCE));
    }

    /**
     * Needs a wake: without it, a pool that opens a few connections per housekeeping (HikariCP here: each second) would
     * serve these requests too late.
     */
    @Test
    void growthOfAStartedPoolServesThreadsThatAlreadyWait() throws Exception {
        DataSource pool = growable(4, 44, Duration.ofSeconds(5));
        start(pool);
        growthServes(40, pool);
    }

    private void growthServes(int more, DataSource raw) throws Exception {
        int all = 4 + more;
        FlexPoolDataSource pool =
                build(wrap(raw).set("base", 4).set("ceiling", all).set("grow-on-wait.enabled", true));
        database.connectTakes(Duration.ofMillis(5));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(4, pool);
            assertThat(Crowd.eventually(Duration.ofSeconds(10), () -> crowd.served() == 4))
                    .isTrue();
            crowd.ask(more, pool);
            crowd.join();
            assertThat(crowd.failures()).isEmpty();
            assertThat(crowd.served()).isEqualTo(all);
            assertThat(pool.state().limit()).isEqualTo(all);
            assertThat(database.peak()).isLessThanOrEqualTo(all);
            // Each growth covers at least the requests that wait at that time; on a slow machine they arrive one after
            // another.
            assertThat(resized())
                    .isNotEmpty()
                    .allSatisfy(grown -> assertThat(grown.to() - grown.from())
                            .isGreaterThanOrEqualTo(Math.min(grown.state().waiting(), all - grown.from())));
        }
    }

    /** Threads that wait inside a pool may sleep through a raised max size. */
    @Test
    void aWakeServesThreadsThatWaitInsideThePool() throws Exception {
        if (!can(Capability.LIVE_RESIZE) || !can(Capability.WAKE)) {
            return;
        }
        DataSource raw = pool(1, PATIENCE);
        PoolAdapter adapter = contract.adapter(raw);
        build(wrap(raw));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(4, raw);
            assertThat(Crowd.eventually(
                            Duration.ofSeconds(5), () -> adapter.snapshot().pending() == 3))
                    .isTrue();
            adapter.resize(3);
            adapter.wake(3);
            assertThat(Crowd.eventually(Duration.ofSeconds(5), () -> crowd.served() == 3))
                    .as("served: %d", crowd.served())
                    .isTrue();
            assertThat(adapter.snapshot().pending()).isOne();
            assertThat(database.open()).isEqualTo(3);
        }
    }

    @Test
    void growthStopsAtTheCeiling() throws Exception {
        FlexPoolDataSource pool = build(wrap(growable(2, 5, Duration.ofSeconds(3)))
                .set("base", 2)
                .set("ceiling", 5)
                .set("grow-on-wait.enabled", true));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(9, pool);
            crowd.join();
            assertThat(crowd.served()).isEqualTo(5);
            assertThat(crowd.failures()).hasSize(4).allSatisfy(this::isATimeoutOfThePool);
            assertThat(pool.state().limit()).isEqualTo(5);
            assertThat(database.peak()).isLessThanOrEqualTo(5);
        }
    }

    @Test
    void growthComesOnDemandOnly() throws Exception {
        FlexPoolDataSource pool = build(wrap(growable(4, 20, PATIENCE))
                .set("base", 4)
                .set("ceiling", 20)
                .set("grow-on-wait.enabled", true));
        try (Crowd crowd = new Crowd()) {
            crowd.ask(7, pool);
            crowd.join();
            assertThat(crowd.failures()).as("failed, with %s", pool.state()).isEmpty();
            assertThat(crowd.served()).isEqualTo(7);
            assertThat(pool.state().limit()).isEqualTo(7);
        }
    }

    /** The base stays leased all the time, so only growth serves requests; the other requests wait and do not fail. */
    @Test
    void growthByKServesKRequestsAndFailsNone() throws Exception {
        FlexPoolDataSource pool = build(
                wrap(growable(2, 5, PATIENCE)).set("base", 2).set("ceiling", 5).set("grow-on-wait.enabled", true));
        try (Crowd base = new Crowd();
                Crowd waiting = new Crowd()) {
            base.ask(2, pool);
            base.join();
            waiting.ask(10, pool);
            assertThat(Crowd.eventually(Duration.ofSeconds(10), () -> waiting.served() == 3))
                    .as("served by growth: %d, %s", waiting.served(), pool.state())
                    .isTrue();
            assertThat(pool.state().leased()).isEqualTo(5);
            assertThat(Crowd.eventually(Duration.ofMillis(300), () -> waiting.served() > 3))
                    .isFalse();
            base.letGo();
            assertThat(Crowd.eventually(Duration.ofSeconds(10), () -> {
                        waiting.letGo();
                        return waiting.served() == 10;
                    }))
                    .as("served in the end: %d", waiting.served())
                    .isTrue();
            assertThat(waiting.failures()).isEmpty();
            assertThat(database.peak()).isLessThanOrEqualTo(5);
        }
    }

    /** Some pools fail every waiter when a size is set. */
    @Test
    void noRequestFailsWhileTheLimitMoves() throws Exception {
        FlexPoolDataSource pool = build(wrap(growable(2, 6, Duration.ofSeconds(20)))
                .set("base", 2)
                .set("ceiling", 6)
                .set("grow-on-wait.enabled", true));
        try (Crowd crowd = new Crowd()) {
            // In mode monitor, a pool that fails requests in place of queueing them needs connections for all threads.
            int threads = has(PoolQuirk.WAITS_AT_THE_GATE_ONLY) ? 4 : 10;
            if (has(PoolQuirk.REFUSES_ALTHOUGH_THERE_IS_ROOM)) {
                threads = 1;
            }
            int loads = 0;
            do {
                crowd.cycle(threads, pool, Duration.ofMillis(2), Duration.ofSeconds(2));
                for (int round = 0; round < 8; round++) {
                    Crowd.eventually(Duration.ofMillis(120), () -> false);
                    pool.mode(PoolMode.MONITOR);
                    Crowd.eventually(Duration.ofMillis(60), () -> false);
                    pool.mode(PoolMode.RECOMMEND);
                }
                crowd.join();
                // Repeats, because UCP serves no request during a resize, and on a busy machine any pool serves few.
            } while (crowd.served() <= 2 * threads && ++loads < LOADS);
            assertThat(crowd.failures()).isEmpty();
            assertThat(crowd.served()).as("that there was a load").isGreaterThan(2 * threads);
            assertThat(database.peak()).isLessThanOrEqualTo(6);
        }
    }
}
