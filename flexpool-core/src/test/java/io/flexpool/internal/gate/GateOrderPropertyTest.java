// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.pool.ManualTicker;
import io.flexpool.pool.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.BeforeTry;

/** Once all waiters have waited longer than {@link Gate#ORDER_AFTER_NANOS}, the oldest is served first. */
class GateOrderPropertyTest {
    private static final long MOST_NANOS = 3 * Gate.ORDER_AFTER_NANOS;

    /** How the next permit comes to be free. */
    enum Freed {
        BY_A_RELEASE,
        BY_A_RAISE,
        BY_A_FOREIGN_CONNECTION_THAT_CAME_BACK
    }

    private static final int LEASED = 3;
    private static final int FOREIGN = 20;

    private ManualTicker ticker = new ManualTicker();
    private Gate gate = gate(1, ticker);

    Gate gate(int limit, Ticker clock) {
        return new Gate(limit, clock);
    }

    @BeforeTry
    void fullGate() {
        ticker = new ManualTicker();
        gate = gate(LEASED + FOREIGN, ticker);
        gate.foreign(FOREIGN, ticker.nanos());
        for (int at = 0; at < LEASED; at++) {
            assertThat(gate.tryEnter(ticker.nanos())).isTrue();
        }
    }

    @Property(tries = 300)
    void theOldestIsServedFirst(
            @ForAll @Size(min = 1, max = 8) List<@LongRange(max = MOST_NANOS) Long> pauses,
            @ForAll @Size(min = 1, max = 12) List<Freed> freed) {
        List<Waiter> waiting = join(pauses);
        ticker.advance(Duration.ofNanos(Gate.ORDER_AFTER_NANOS + 1));
        for (Freed how : freed) {
            free(how);
            assertThat(gate.tryEnter(ticker.nanos()))
                    .as("a newcomer passes only those who do not wait")
                    .isEqualTo(waiting.isEmpty());
            if (!waiting.isEmpty()) {
                assertThat(waiting.remove(0).granted()).as("the oldest").isTrue();
            }
            assertThat(waiting).as("the others").noneMatch(Waiter::granted);
        }
    }

    @Property(tries = 300)
    void leavingWaitersAreSkippedInOrder(
            @ForAll @Size(min = 2, max = 8) List<@LongRange(max = MOST_NANOS) Long> pauses,
            @ForAll @Size(max = 6) List<@IntRange(max = 7) Integer> leaving) {
        List<Waiter> waiting = join(pauses);
        ticker.advance(Duration.ofNanos(Gate.ORDER_AFTER_NANOS + 1));
        for (int which : leaving) {
            if (which < waiting.size()) {
                assertThat(gate.leave(waiting.remove(which), ticker.nanos())).isTrue();
            }
        }
        for (int served = 0; served < waiting.size(); served++) {
            gate.exit(ticker.nanos());
            for (int at = 0; at < waiting.size(); at++) {
                assertThat(waiting.get(at).granted())
                        .as("waiter %s of %s", at, waiting.size())
                        .isEqualTo(at <= served);
            }
        }
        assertThat(gate.waitingCount()).isZero();
    }

    private List<Waiter> join(List<Long> pauses) {
        List<Waiter> waiting = new ArrayList<>();
        for (long pause : pauses) {
            ticker.advance(Duration.ofNanos(pause));
            waiting.add(gate.join(ticker.nanos()));
        }
        return waiting;
    }

    private void free(Freed how) {
        switch (how) {
            case BY_A_RELEASE -> gate.exit(ticker.nanos());
            case BY_A_RAISE -> gate.limit(gate.limit() + 1, ticker.nanos());
            case BY_A_FOREIGN_CONNECTION_THAT_CAME_BACK -> gate.foreign(gate.foreign() - 1, ticker.nanos());
        }
    }
}
