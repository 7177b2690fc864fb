// SPDX-License-Identifier: Apache-2.0
package io.flexpool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.ResizeCause;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.pool.FakePool;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.pool.PoolMode;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Base and ceiling, moved while the pool runs. */
@Timeout(300)
class LimitsTest {
    private final FakePool fake = new FakePool();
    private final List<PoolEvent.Resized> resized = new ArrayList<>();

    private FlexPoolDataSource pool() {
        return builder().build();
    }

    private FlexPoolBuilder builder() {
        return FlexPool.wrap(fake.dataSource)
                .name("limits")
                .adapter(fake)
                .set("base", 4)
                .set("ceiling", 8)
                .set("grow-on-wait.enabled", true)
                .listener(new PoolListener() {
                    @Override
                    public void onEvent(PoolEvent event) {
                        if (event instanceof PoolEvent.Resized resizedEvent) {
                            resized.add(resizedEvent);
                        }
                    }
                });
    }

    @Test
    void aHigherBaseTakesTheLimitAlong() {
        try (FlexPoolDataSource pool = pool()) {
            pool.limits(6, 8);
            assertThat(pool.state().limit()).isEqualTo(6);
            assertThat(pool.state().base()).isEqualTo(6);
            assertThat(fake.max).isEqualTo(6);
            assertThat(resized).singleElement().satisfies(event -> {
                assertThat(event.from()).isEqualTo(4);
                assertThat(event.to()).isEqualTo(6);
                assertThat(event.cause()).isEqualTo(ResizeCause.MANUAL);
            });
            assertThat(pool.statistics().total().counter(PoolMetric.GROWTHS)).isEqualTo(1);
        }
    }

    @Test
    void aLowerCeilingLowersTheLimitAndKeepsLeases() throws Exception {
        try (FlexPoolDataSource pool = pool();
                Connection first = pool.getConnection();
                Connection second = pool.getConnection()) {
            assertThat(first).isNotSameAs(second);
            pool.limits(1, 1);
            assertThat(pool.state().limit()).isEqualTo(1);
            assertThat(pool.state().ceiling()).isEqualTo(1);
            assertThat(pool.state().leased()).isEqualTo(2);
            assertThat(fake.max).isEqualTo(1);
            assertThat(first.isClosed()).isFalse();
        }
    }

    @Test
    void theCeilingMayRiseAgainUpToTheConfiguredOne() {
        try (FlexPoolDataSource pool = pool()) {
            pool.limits(4, 5);
            pool.limits(4, 7);
            assertThat(pool.state().ceiling()).isEqualTo(7);
            assertThat(fake.preparedFor).isEqualTo(8);
            assertThat(pool.state().limit()).isEqualTo(4);
            assertThat(fake.max).as("the pool's max stays with the limit").isEqualTo(4);
            assertThat(resized).isEmpty();
        }
    }

    @Test
    void valuesOutOfRangeAreRefusedWithoutAnyChange() {
        try (FlexPoolDataSource pool = pool()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pool.limits(0, 8))
                    .withMessage("limits: base = 0: must be from 1 to 10000");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pool.limits(5, 4))
                    .withMessage("limits: ceiling = 4: must not be below the base, 5");
            assertThat(pool.state().base()).isEqualTo(4);
            assertThat(pool.state().ceiling()).isEqualTo(8);
        }
    }

    /** A limit of 2,147,483,647 was once set by JMX or the endpoint, for a database that has 100 connections. */
    @Test
    void aCeilingAboveTheConfiguredOneIsRefused() {
        try (FlexPoolDataSource pool = pool()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> pool.limits(4, 9))
                    .withMessage("limits: ceiling = 9: must not be above the configured ceiling, 8");
            pool.limits(1, 5);
            pool.limits(4, 8);
            assertThat(pool.state().ceiling()).isEqualTo(8);
            assertThat(fake.preparedFor).isEqualTo(8);
        }
    }

    @Test
    void noCeilingIsAboveWhatTheBuilderTakes() {
        try (FlexPoolDataSource pool = builder().set("ceiling", 10_000).build()) {
            for (int ceiling : new int[] {10_001, Integer.MAX_VALUE}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> pool.limits(4, ceiling))
                        .withMessage("limits: ceiling = " + ceiling + ": must be at most 10000");
            }
            pool.limits(10_000, 10_000);
            assertThat(pool.state().ceiling()).isEqualTo(10_000);
        }
    }

    @Test
    void aPoolWithoutLimitsHasNoneToMove() {
        try (FlexPoolDataSource watched =
                FlexPool.wrap(fake.dataSource).name("watched").adapter(fake).build()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> watched.limits(1, 2))
                    .withMessage("watched: flexpool does not change this pool, so it has no limits");
        }
    }

    @Test
    void theMovedBaseIsTheOneToComeBackTo() {
        try (FlexPoolDataSource pool = pool()) {
            pool.limits(6, 8);
            pool.mode(PoolMode.MONITOR);
            pool.mode(PoolMode.RECOMMEND);
            assertThat(pool.state().limit()).isEqualTo(6);
            assertThat(pool.state().base()).isEqualTo(6);
        }
    }
}
