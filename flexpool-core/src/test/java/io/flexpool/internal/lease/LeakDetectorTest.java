// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.Kind;
import io.flexpool.event.PoolListener;
import io.flexpool.internal.config.CoreKey;
import io.flexpool.internal.pool.TestContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class LeakDetectorTest {
    private final List<Kind> seen = new ArrayList<>();
    private final TestContext part = new TestContext(settings -> {
        settings.set(CoreKey.LEAK_THRESHOLD, Duration.ofSeconds(30));
        settings.listeners.add(new PoolListener() {
            @Override
            public void onEvent(PoolEvent event) {
                seen.add(event.kind());
            }
        });
    });
    private final LeaseTable table = new LeaseTable(null, part.context.recorder(), 1, 1);
    private final LeakDetector detector = new LeakDetector(part.context, table);

    private Slot lease() {
        Slot slot = table.claim(Thread.currentThread());
        slot.begin(part.ticker.nanos(), 0, null, false);
        return slot;
    }

    private void tick(Duration after, Duration late) {
        part.ticker.advance(after);
        detector.tick(part.ticker.nanos(), late.toNanos(), part.context.state(), slot -> mock(OpenLease.class));
        part.context.listeners().deliver();
        part.context.listeners().settle();
    }

    @Test
    void aLeaseBeyondTheThresholdIsSuspectedOnce() {
        lease();
        tick(Duration.ofSeconds(30), Duration.ZERO);
        assertThat(seen).isEmpty();
        tick(Duration.ofSeconds(1), Duration.ZERO);
        tick(Duration.ofSeconds(1), Duration.ZERO);
        assertThat(seen).containsExactly(Kind.LEAK_SUSPECTED);
    }

    @Test
    void whatEndsBetweenTwoWalksIsResolvedOnce() {
        Slot slot = lease();
        tick(Duration.ofSeconds(31), Duration.ZERO);
        slot.vacate();
        lease();
        tick(Duration.ofSeconds(1), Duration.ZERO);
        tick(Duration.ofSeconds(1), Duration.ZERO);
        assertThat(seen).containsExactly(Kind.LEAK_SUSPECTED, Kind.LEAK_RESOLVED);
    }

    @Test
    void aPauseOfTheMachineDoesNotCount() {
        lease();
        tick(Duration.ofMinutes(1), Duration.ofMinutes(1));
        assertThat(seen).isEmpty();
        tick(Duration.ofSeconds(31), Duration.ZERO);
        assertThat(seen).containsExactly(Kind.LEAK_SUSPECTED);
    }

    @Test
    void aSuspectIsFreshForTenMinutes() {
        lease();
        assertThat(detector.fresh(part.ticker.nanos())).isFalse();
        tick(Duration.ofSeconds(31), Duration.ZERO);
        assertThat(detector.fresh(part.ticker.nanos())).isTrue();
        part.ticker.advance(Duration.ofMinutes(10));
        assertThat(detector.fresh(part.ticker.nanos())).isFalse();
    }

    @Nested
    class Pauses {
        private static final long SECOND = 1_000_000_000L;

        private final LeakDetector.PauseWatch pauses = new LeakDetector.PauseWatch(60 * SECOND);

        @Test
        void aPauseCountsForNoLeaseThatItWasSlept() {
            pauses.tick(100 * SECOND, 10 * SECOND);
            assertThat(pauses.ageNanos(85 * SECOND, 101 * SECOND))
                    .as("from before")
                    .isEqualTo(6 * SECOND);
            assertThat(pauses.ageNanos(95 * SECOND, 101 * SECOND))
                    .as("from within")
                    .isEqualTo(SECOND);
            assertThat(pauses.ageNanos(100 * SECOND, 101 * SECOND))
                    .as("from after")
                    .isEqualTo(SECOND);
        }

        @Test
        void aTickThatIsOnlyALittleLateIsNoPause() {
            pauses.tick(100 * SECOND, LeakDetector.PauseWatch.LATE_NANOS);
            assertThat(pauses.ageNanos(85 * SECOND, 101 * SECOND)).isEqualTo(16 * SECOND);
            pauses.tick(100 * SECOND, LeakDetector.PauseWatch.LATE_NANOS + 1);
            assertThat(pauses.ageNanos(85 * SECOND, 101 * SECOND)).isEqualTo(14 * SECOND - 1);
        }

        @Test
        void pausesAddUp() {
            pauses.tick(100 * SECOND, 10 * SECOND);
            pauses.tick(120 * SECOND, 5 * SECOND);
            assertThat(pauses.ageNanos(85 * SECOND, 121 * SECOND)).isEqualTo(21 * SECOND);
        }

        @Test
        void oldPausesAreForgotten() {
            pauses.tick(100 * SECOND, 10 * SECOND);
            pauses.tick(120 * SECOND, 5 * SECOND);
            pauses.tick(170 * SECOND, 5 * SECOND);
            assertThat(pauses.ageNanos(85 * SECOND, 171 * SECOND)).isEqualTo((86 - 10) * SECOND);
        }

        @Test
        void theClockMayOverflow() {
            long begin = Long.MAX_VALUE - 5 * SECOND;
            pauses.tick(begin + 12 * SECOND, 10 * SECOND);
            assertThat(pauses.ageNanos(begin, begin + 13 * SECOND)).isEqualTo(3 * SECOND);
        }
    }
}
