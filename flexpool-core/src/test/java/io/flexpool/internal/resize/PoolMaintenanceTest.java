// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.pool.TestContext;
import io.flexpool.pool.PoolSnapshot;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PoolMaintenanceTest {
    private final TestContext part = new TestContext(settings -> settings.set(CoreKey.BASE, 3));
    private final PoolMaintenance maintenance = new PoolMaintenance(part.context, part.gate());

    @AfterEach
    void close() {
        maintenance.close();
    }

    private void tick() {
        maintenance.tick(part.ticker.nanos(), part.context.state());
    }

    private static int next(BlockingQueue<Integer> calls) throws InterruptedException {
        Integer next = calls.poll(3, TimeUnit.MINUTES);
        return next == null ? -1 : next;
    }

    @Test
    void aPoolIsWokenForAllThatAreInside() throws Exception {
        part.fake.can(Capability.WAKE);
        part.lease(2);
        maintenance.wake();
        assertThat(next(part.fake.woken)).isEqualTo(2);
    }

    @Test
    void withoutTheCapabilityItIsNotWoken() {
        maintenance.wake();
        maintenance.close();
        assertThat(part.fake.woken).isEmpty();
    }

    @Test
    void idleConnectionsAboveTheLimitAreTrimmed() throws Exception {
        part.fake.total = 5;
        part.fake.idle = 1;
        tick();
        assertThat(next(part.fake.trimmed)).isEqualTo(3);
    }

    @Test
    void nothingIsTrimmedAtTheLimitOrWithoutIdleOnes() {
        part.fake.idle = 1;
        tick();
        part.fake.total = 5;
        part.fake.idle = 0;
        tick();
        maintenance.close();
        assertThat(part.fake.trimmed).isEmpty();
    }

    @Test
    void whatTwoTicksSeeBesideTheLeasesIsForeign() {
        part.lease(1);
        part.fake.active = 3;
        tick();
        assertThat(part.gate().foreign()).as("one tick may be a hand-over").isZero();
        tick();
        assertThat(part.gate().foreign()).isEqualTo(2);
        part.fake.active = 1;
        tick();
        assertThat(part.gate().foreign()).isZero();
    }

    @Test
    void requestsOnTheirWayAreNotForeign() {
        assertThat(part.gate().tryEnter(part.ticker.nanos())).isTrue();
        part.fake.active = 1;
        tick();
        tick();
        assertThat(part.gate().foreign()).isZero();
    }

    @Test
    void anUnknownCountLeavesTheForeignOnes() {
        part.fake.active = 2;
        tick();
        tick();
        part.fake.active = PoolSnapshot.UNKNOWN;
        tick();
        assertThat(part.gate().foreign()).isEqualTo(2);
    }
}
