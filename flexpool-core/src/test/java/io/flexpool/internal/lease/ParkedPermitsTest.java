// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.ParkedPermits;
import io.flexpool.internal.gate.Waiter;
import io.flexpool.internal.record.Recorder;
import io.flexpool.pool.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Permits that were given back stay with the slot of their thread, and are everybody's all the same. */
@Timeout(300)
class ParkedPermitsTest {
    private static final long SECOND = 1_000_000_000;

    /** A gate and its slots, used as a pool uses them; threads are only names here, everything runs on one. */
    private static final class Pool {
        final Gate gate;
        final LeaseTable table;

        Pool(int limit, int stripes) {
            gate = new Gate(limit, Ticker.SYSTEM);
            table = new LeaseTable(gate, new Recorder(), 1, stripes);
        }

        /** A lease of a thread; null if it would have to wait. */
        @Nullable
        Slot enter(Thread thread) {
            Slot slot = table.take(thread, 0);
            if (slot == null) {
                if (!gate.tryEnter(0)) {
                    return null;
                }
                slot = table.claim(thread);
            }
            slot.begin(0, 0, null, false);
            return slot;
        }

        void exit(Slot slot) {
            GivenBack.parked(gate, slot, 0, Long.MAX_VALUE);
        }

        void cycle(Thread thread) {
            Slot slot = enter(thread);
            assertThat(slot).isNotNull();
            exit(slot);
        }

        /** One cycle of each of as many threads. */
        void park(int threads) {
            threads(threads).forEach(this::cycle);
        }

        int enterAll(int atMost) {
            int entered = 0;
            while (entered < atMost && enter(new Thread(() -> {})) != null) {
                entered++;
            }
            return entered;
        }
    }

    private static List<Thread> threads(int number) {
        List<Thread> threads = new ArrayList<>();
        for (int at = 0; at < number; at++) {
            threads.add(new Thread(() -> {}));
        }
        return threads;
    }

    /** A permit that is parked while a waiter wakes up is the waiter's once it runs. */
    @Test
    void aWaiterThatWakesFindsWhatWasParkedMeanwhile() {
        Pool pool = new Pool(1, 8);
        Slot slot = Objects.requireNonNull(pool.enter(Thread.currentThread()));
        Waiter waiter = pool.gate.join(0);
        long late = TimeUnit.SECONDS.toNanos(1);
        assertThat(GivenBack.parked(pool.gate, slot, late, 0)).as("parked").isTrue();
        assertThat(waiter.granted()).isFalse();
        assertThat(pool.table.take(Thread.currentThread(), late))
                .as("a newcomer")
                .isSameAs(slot);
        slot.begin(0, 0, null, false);
        assertThat(GivenBack.parked(pool.gate, slot, late + 1, 0)).isTrue();
        assertThat(pool.gate.await(waiter, System.nanoTime())).isTrue();
        assertThat(pool.table.take(Thread.currentThread(), late)).isNull();
        assertThat(pool.gate.usedCount()).isOne();
    }

    @Test
    void aLeaseThatWasNotBriefParksNothingBesideAnOldWaiter() {
        Pool pool = new Pool(1, 8);
        Slot slot = Objects.requireNonNull(pool.enter(Thread.currentThread()));
        Waiter waiter = pool.gate.join(0);
        long late = TimeUnit.SECONDS.toNanos(1);
        assertThat(GivenBack.parked(pool.gate, slot, late, late)).isFalse();
        assertThat(waiter.granted()).isTrue();
    }

    @Test
    void whatIsParkedIsNotInUse() {
        Pool pool = new Pool(4, 8);
        pool.park(9);
        assertThat(pool.gate.usedCount()).isZero();
        assertThat(pool.enter(Thread.currentThread())).isNotNull();
        assertThat(pool.gate.usedCount()).isOne();
    }

    @Test
    void parkedPermitsServeNewcomers() {
        Pool pool = new Pool(4, 8);
        pool.park(9);
        assertThat(pool.enterAll(9)).isEqualTo(4);
        assertThat(pool.gate.usedCount()).isEqualTo(4);
    }

    @Test
    void parkedPermitsServeWaiters() {
        Pool pool = new Pool(4, 8);
        pool.park(9);
        for (int at = 0; at < 4; at++) {
            assertThat(pool.gate.await(pool.gate.join(0), 0)).isTrue();
        }
        assertThat(pool.gate.await(pool.gate.join(0), 0)).isFalse();
    }

    @Test
    void aLowerLimitCountsWhatIsParked() {
        Pool pool = new Pool(4, 8);
        Slot first = pool.enter(new Thread(() -> {}));
        assertThat(first).isNotNull();
        pool.park(9);
        pool.gate.limit(2, 0);
        assertThat(pool.gate.usedCount()).isOne();
        Slot second = pool.enter(new Thread(() -> {}));
        assertThat(second).isNotNull();
        assertThat(pool.enterAll(1)).isZero();
        pool.exit(second);
        pool.gate.limit(1, 0);
        assertThat(pool.enterAll(1)).as("one is leased").isZero();
        pool.exit(first);
        assertThat(pool.enterAll(9)).isOne();
    }

    @Test
    void connectionsPastTheGateCountAgainstWhatIsParked() {
        Pool pool = new Pool(4, 8);
        pool.park(9);
        pool.gate.foreign(3, 0);
        assertThat(pool.enterAll(9)).isOne();
    }

    @Test
    void aGateLimitsAgainDespiteParkedPermits() {
        Pool pool = new Pool(2, 8);
        pool.gate.open(0);
        pool.park(9);
        pool.gate.shut();
        assertThat(pool.gate.usedCount()).isZero();
        assertThat(pool.enterAll(9)).isEqualTo(2);
    }

    /** Two threads that came first kept the parked permits for good; eight that followed never got one in 1,000 cycles. */
    @Test
    void permitsFollowTheThreadsThatUseThem() {
        assertTakesParked(4, 8);
        assertTakesParked(10, 64);
    }

    private static void assertTakesParked(int limit, int stripes) {
        Pool pool = new Pool(limit, stripes);
        pool.park(limit);
        for (Thread thread : threads(stripes)) {
            pool.cycle(thread);
            for (int at = 0; at < 100; at++) {
                Slot slot = pool.table.take(thread, 0);
                assertThat(slot).as("cycle %s of %s", at, thread).isNotNull();
                slot.begin(0, 0, null, false);
                pool.exit(slot);
            }
        }
    }

    @Test
    void whoHoldsALeaseFindsNoneParked() {
        Pool pool = new Pool(4, 1);
        Thread holder = new Thread(() -> {});
        Thread other = new Thread(() -> {});
        pool.park(1);
        Slot first = pool.enter(other);
        Slot held = pool.enter(holder);
        assertThat(first).isNotNull();
        assertThat(held).isNotNull().isNotSameAs(first);
        pool.exit(first);
        // The stripe's first slot is parked, and belongs to both threads.
        assertThat(pool.table.take(holder, 0)).isNull();
        assertThat(pool.table.heldBy(holder)).isSameAs(held);
        assertThat(pool.table.heldBy(other)).isNull();
        pool.exit(held);
        assertThat(pool.table.take(holder, 0)).isSameAs(first);
    }

    @Test
    void aSlotThatItsThreadCouldNotGiveBackIsTakenOnce() {
        Pool pool = new Pool(2, 1);
        pool.park(1);
        Slot slot = pool.table.take(Thread.currentThread(), 0);
        assertThat(slot).isNotNull();
        slot.abandoned = true;
        assertThat(pool.table.heldBy(Thread.currentThread())).isNull();
        List<Slot> taken = new ArrayList<>();
        pool.table.takeAbandoned(taken::add);
        pool.table.takeAbandoned(taken::add);
        assertThat(taken).containsExactly(slot);
        pool.exit(slot);
        assertThat(pool.enterAll(9)).isEqualTo(2);
    }

    @Test
    void anIdleSlotForgetsItsThreadAndKeepsItsPermit() {
        Pool pool = new Pool(2, 1);
        Thread thread = new Thread(() -> {});
        pool.cycle(thread);
        pool.table.scan(0);
        pool.table.scan(SECOND);
        assertThat(pool.gate.usedCount()).isZero();
        Slot slot = pool.table.take(thread, 0);
        assertThat(slot).isNotNull();
        assertThat(slot.owner()).isSameAs(thread);
    }

    /**
     * A thread that moves a parked permit reads the slot's word, then its class, and takes the permit if the word is the same. Requests
     * that fail in the pool park a permit of another class meanwhile, and began no lease.
     */
    @Test
    void aPermitThatWasTakenIsParkedUnderAnotherNumberAlsoWithoutALease() {
        Pool pool = new Pool(2, 1);
        Thread thread = new Thread(() -> {});
        pool.cycle(thread);
        Slot slot = Objects.requireNonNull(pool.table.take(thread, 0));
        slot.withdraw();
        pool.exit(slot);
        long parked = slot.generation();
        assertThat(pool.table.take(thread, 0)).isSameAs(slot);
        slot.requestClass = 1;
        slot.withdraw();
        pool.exit(slot);
        long parkedAgain = slot.generation();
        assertThat(parkedAgain).as("parked by the next request").isNotEqualTo(parked);
        assertThat(slot.takePermit(ParkedPermits.ANY)).isOne();
        assertThat(pool.table.claim(thread)).isSameAs(slot);
        slot.requestClass = 0;
        slot.withdraw();
        pool.exit(slot);
        assertThat(slot.generation()).as("claimed for a permit of the gate").isNotIn(parked, parkedAgain);
    }

    /** A stack that ended between the number and the slot. */
    @Test
    void aWrongNumberOfFurtherSlotsIsCorrectedAfterTwoScans() {
        Pool pool = new Pool(4, 1);
        Thread thread = new Thread(() -> {});
        pool.cycle(thread);
        Slot first = pool.table.take(thread, 0);
        assertThat(first).isNotNull();
        first.overflows(1);
        pool.exit(first);
        assertThat(pool.table.take(thread, 0)).isNull();
        pool.table.scan(0);
        pool.table.scan(1_000);
        assertThat(pool.table.take(thread, 0)).isNull();
        pool.table.scan(SECOND);
        assertThat(pool.table.take(thread, 0)).isSameAs(first);
    }

    /** Without a stack for it; the lease of a thread that had ended stayed open. */
    @Test
    void onlyALeaseWhoseEndWasCutShortIsAbandoned() {
        Pool pool = new Pool(2, 1);
        Slot slot = pool.enter(new Thread(() -> {}));
        assertThat(slot).isNotNull();
        pool.table.scan(0);
        pool.table.scan(SECOND);
        pool.table.takeAbandoned(pool::exit);
        assertThat(pool.table.openCount(ParkedPermits.ANY))
                .as("an ordinary lease stays")
                .isOne();
        slot.abandoned = true;
        pool.table.takeAbandoned(pool::exit);
        assertThat(pool.table.openCount(ParkedPermits.ANY)).isZero();
        assertThat(slot.owner()).isNull();
    }
}
