// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.diagnostics.Decision.RefusedGrowth;
import io.flexpool.diagnostics.Decision.RefusedGrowth.Reason;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.context.StateReader;
import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.pool.PoolSnapshot;
import io.flexpool.pool.PoolState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** "Growths refused 13" once had no reason, neither in the log nor anywhere else. */
class RefusedGrowthsTest {
    private static final PoolState STATE =
            new StateReader.State(4, 2, 4, 4, 0, 7, 0, Duration.ZERO, new PoolSnapshot(4, 0, 4, 0, 4, 0));

    private final ManualTicker ticker = new ManualTicker();
    private final List<PoolEvent.GrowthRefused> seen = new ArrayList<>();
    private final PoolListener listener = new PoolListener() {
        @Override
        public void onEvent(PoolEvent event) {
            if (event instanceof PoolEvent.GrowthRefused refused) {
                seen.add(refused);
            }
        }
    };
    private final ListenerGuard listeners = new ListenerGuard("orders", List.of(listener), ticker);
    private final RefusedGrowths refused = new RefusedGrowths("orders", listeners);

    private void refuse(Reason reason) {
        refused.add(reason, STATE, ticker.nanos());
        listeners.deliver();
    }

    @Test
    void eachReasonIsReportedOnceAMinute() {
        refuse(Reason.CEILING);
        refuse(Reason.OUTAGE);
        ticker.advance(Duration.ofMillis(59_999));
        refuse(Reason.CEILING);
        assertThat(seen).extracting(event -> event.refused().reason()).containsExactly(Reason.CEILING, Reason.OUTAGE);
        ticker.advance(Duration.ofMillis(1));
        refuse(Reason.CEILING);
        assertThat(seen).hasSize(3);
        assertThat(listeners.recentEvents()).hasSize(3);
    }

    @Test
    void theSentenceSaysWhyAndWhichKeyChangesIt() {
        refuse(Reason.CEILING);
        refuse(Reason.OUTAGE);
        assertThat(seen)
                .extracting(PoolEvent::describe)
                .containsExactly(
                        "orders: not growing while 7 requests wait: the ceiling of 4 is reached"
                                + " (flexpool.ceiling)",
                        "orders: not growing while 7 requests wait: connects fail or are still running");
    }

    @Test
    void allAreCountedByReason() {
        for (int at = 0; at < 57; at++) {
            refuse(Reason.CEILING);
        }
        refuse(Reason.NOT_ENABLED);
        assertThat(refused.all()).extracting(RefusedGrowth::reason).containsExactly(Reason.CEILING, Reason.NOT_ENABLED);
        assertThat(refused.all()).extracting(RefusedGrowth::count).containsExactly(57L, 1L);
        assertThat(refused.all().get(0).describe())
                .startsWith("57 times because the ceiling is reached (flexpool.ceiling), last at 20");
        assertThat(new RefusedGrowths("other", listeners).all()).isEmpty();
    }
}
