// SPDX-License-Identifier: Apache-2.0
package io.flexpool.strategy;

import io.flexpool.adapter.AcquisitionFailure.Kind;
import io.flexpool.internal.context.StateReader;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import io.flexpool.strategy.AcquisitionStrategy.AcquisitionSituation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A situation of any figures. */
record Asked(
        Duration waited,
        Duration remaining,
        Duration timeout,
        int attempt,
        @Nullable Kind failure,
        boolean queued,
        int ahead,
        int connectFailures,
        PoolState state)
        implements AcquisitionSituation {
    static PoolState state(int waiting) {
        return new StateReader.State(5, 5, 20, 5, 0, waiting, 0, Duration.ZERO, PoolSnapshot.NOTHING_KNOWN);
    }
}
