// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.internal.pool.Faults;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request whose stack ends while it joins the queue is uncounted once, by itself or by the tick. */
@Timeout(300)
class UnqueuedWaitersTest {
    /** More than the tick waits for a waiter that does not settle. */
    private static final int TICKS = 20;

    /** Changing some fifty classes in place takes seconds: once for all tests. */
    private static Faults faults;

    @BeforeAll
    static void instrument() {
        faults = new Faults();
    }

    @AfterAll
    static void restore() {
        faults.close();
    }

    /** As a limit that is raised in that moment does. */
    @Test
    void aWaiterThatIsGrantedBeforeItIsCountedUncountsItself() {
        Gate[] gate = new Gate[1];
        WaitQueue queue = new WaitQueue() {
            @Override
            void add(Waiter waiter) {
                super.add(waiter);
                gate[0].limit(2, 0);
            }
        };
        gate[0] = new Gate(1, () -> 0, AcquisitionOrder.FAIR, new WaitLine.OneQueue(queue));
        assertThat(gate[0].tryEnter(0)).isTrue();
        assertThat(gate[0].join(0).granted()).isTrue();
        assertThat(gate[0].waitingCount()).isZero();
        assertThat(gate[0].line.all()).isEmpty();
        assertThat(gate[0].usedCount()).isEqualTo(2);
        assertThat(gate[0].queuedNanos(1_000_000)).isZero();
    }

    /** Before it is counted, while it is counted, or afterwards. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aWaiterWhoseStackEndsOnceItIsInTheQueueIsNotCountedForGood(int call) {
        WaitQueue queue = new WaitQueue() {
            @Override
            void add(Waiter waiter) {
                super.add(waiter);
                faults.failAt(call, StackOverflowError::new);
            }
        };
        Gate gate = new Gate(1, () -> 0, AcquisitionOrder.FAIR, new WaitLine.OneQueue(queue));
        assertThat(gate.tryEnter(0)).isTrue();
        assertThatThrownBy(() -> gate.join(0)).isInstanceOf(StackOverflowError.class);
        faults.disarm();
        gate.repair(0);
        assertThat(gate.waitingCount()).isZero();
        assertThat(gate.usedCount()).isOne();
        for (Waiter held : queue) {
            assertThat(held.settled())
                    .as("its place is removed by the next one that leaves")
                    .isTrue();
        }
    }

    /** With two calls of room the waiter was uncounted, its queue time was not ended, and it was uncounted again. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aWaiterThatIsInTheQueueAlreadyIsUncountedOnce(int room) {
        WaitQueue queue = new WaitQueue() {
            @Override
            void add(Waiter waiter) {
                super.add(waiter);
                faults.stackOf(room);
                throw new StackOverflowError();
            }
        };
        Gate gate = new Gate(1, () -> 0, AcquisitionOrder.FAIR, new WaitLine.OneQueue(queue));
        assertThatThrownBy(() -> gate.join(0)).isInstanceOf(StackOverflowError.class);
        faults.disarm();
        for (int at = 0; at < TICKS; at++) {
            gate.repair(0);
        }
        assertThat(gate.waitingCount()).isZero();
        assertThat(gate.usedCount()).isZero();
    }
}
