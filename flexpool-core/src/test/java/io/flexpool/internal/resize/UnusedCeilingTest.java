// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.Decision.RefusedGrowth;
import io.flexpool.diagnostics.Decision.RefusedGrowth.Reason;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.config.GrowOnWait;
import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.pool.TestContext;
import io.flexpool.pool.PoolMode;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Who sets a ceiling and nothing else once waited for growth that never came, without a word of why. */
class UnusedCeilingTest {
    private final TestContext part = new TestContext(settings -> settings.set(CoreKey.CEILING, 9));
    private final UnusedCeiling ceiling = Objects.requireNonNull(UnusedCeiling.of(part.context));

    private static PoolState watched(int max, int leased, int entering) {
        int none = PoolSnapshot.UNKNOWN;
        return new StateReader.State(
                none, none, none, leased, entering, 0, 0, Duration.ZERO, new PoolSnapshot(max, 0, leased, 0, max, 0));
    }

    private void tick(PoolState state) {
        ceiling.tick(part.ticker.nanos(), state);
    }

    @Test
    void requestsThatWaitInTwoTicksAreReportedOnce() {
        tick(watched(2, 2, 1));
        assertThat(part.context.refusedGrowths().all()).isEmpty();
        tick(watched(2, 2, 1));
        tick(watched(2, 2, 1));
        assertThat(part.context.refusedGrowths().all())
                .extracting(RefusedGrowth::reason)
                .containsExactly(Reason.NOT_ENABLED);
        assertThat(part.context.refusedGrowths().all())
                .extracting(RefusedGrowth::count)
                .containsExactly(1L);
    }

    @Test
    void notWhileAConnectionIsFreeOrNobodyWaitsOrTheCeilingLeavesNoRoom() {
        for (int at = 0; at < 3; at++) {
            tick(watched(2, 1, 1));
        }
        for (int at = 0; at < 3; at++) {
            tick(watched(2, 2, 0));
        }
        for (int at = 0; at < 3; at++) {
            tick(watched(9, 9, 1));
        }
        tick(watched(2, 2, 1));
        tick(watched(2, 2, 0));
        tick(watched(2, 2, 1));
        assertThat(part.context.refusedGrowths().all()).isEmpty();
    }

    @Test
    void notInAnotherMode() {
        part.context.mode().switched(PoolMode.ADAPT);
        tick(watched(2, 2, 1));
        tick(watched(2, 2, 1));
        assertThat(part.context.refusedGrowths().all()).isEmpty();
    }

    @Test
    void ofNoPoolThatGrowsOrHasNoCeiling() {
        TestContext grows = new TestContext(settings -> settings.strategies.add(GrowOnWait.upTo(9)));
        assertThat(UnusedCeiling.of(grows.context)).isNull();
        assertThat(UnusedCeiling.of(new TestContext(settings -> {}).context)).isNull();
    }
}
