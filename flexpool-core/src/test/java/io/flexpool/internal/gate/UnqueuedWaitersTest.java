// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.internal.Faults;
import io.flexpool.pool.AcquisitionOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request whose stack ends while it joins the queue is uncounted once, by itself or by the tick. */
@Timeout(60)
class UnqueuedWaitersTest {
    /** More than the tick waits for a waiter that does not settle. */
    private static final int TICKS = 20;

    /** With two calls of room the waiter was uncounted, its queue time was not ended, and it was uncounted again. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aWaiterThatIsInTheQueueAlreadyIsUncountedOnce(int room) {
        try (Faults faults = new Faults()) {
            WaitQueue queue = new WaitQueue() {
                @Override
                void add(Waiter waiter) {
                    super.add(waiter);
                    faults.stackOf(room);
                    throw new StackOverflowError();
                }
            };
            Gate gate = new Gate(1, () -> 0, AcquisitionOrder.FAIR, queue);
            assertThatThrownBy(() -> gate.join(0)).isInstanceOf(StackOverflowError.class);
            faults.disarm();
            for (int at = 0; at < TICKS; at++) {
                gate.repair(0);
            }
            assertThat(gate.waitingCount()).isZero();
            assertThat(gate.usedCount()).isZero();
        }
    }
}
