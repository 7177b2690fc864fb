// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.context.RequestOwner;
import io.flexpool.internal.record.Recorder;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The slots of open leases, one thread at a time; what threads do to each other is tried by jcstress. */
@Timeout(300)
class LeaseTableTest {
    private static final long SECOND = 1_000_000_000;

    private final LeaseTable table = new LeaseTable(null, new Recorder(), 1, 4);

    private Slot lease(long acquiredNanos) {
        Slot slot = table.claim(Thread.currentThread());
        slot.begin(acquiredNanos, 0, null, false);
        return slot;
    }

    private static void end(Slot slot) {
        slot.vacate();
    }

    private List<Long> open() {
        List<Long> open = new ArrayList<>();
        table.forEach((slot, generation) -> open.add(slot.acquiredNanos));
        return open;
    }

    @Test
    void aLeaseIsSeenFromItsBeginToItsEnd() {
        Slot slot = table.claim(Thread.currentThread());
        assertThat(open()).isEmpty();
        slot.begin(5, 0, null, false);
        assertThat(open()).containsExactly(5L);
        assertThat(slot.owner()).isSameAs(Thread.currentThread());
        end(slot);
        assertThat(open()).isEmpty();
        assertThat(slot.owner()).isNull();
    }

    @Test
    void aFreedSlotIsTakenAgain() {
        Slot first = lease(1);
        end(first);
        assertThat(lease(2)).isSameAs(first);
    }

    @Test
    void aSlotThatWasClaimedAndNeverBeganIsFree() {
        Slot claimed = table.claim(Thread.currentThread());
        end(claimed);
        assertThat(table.heldBy(Thread.currentThread())).isNull();
        assertThat(lease(1)).isSameAs(claimed);
        assertThat(open()).containsExactly(1L);
    }

    /** All of one thread, so that one stripe has to grow many times. */
    @Test
    void theTableGrowsAndEachPlaceLeadsToItsSlot() {
        List<Slot> slots = new ArrayList<>();
        Set<Integer> places = new HashSet<>();
        for (int at = 0; at < 1_000; at++) {
            Slot slot = lease(at);
            slots.add(slot);
            places.add(slot.place);
        }
        assertThat(places).hasSize(1_000);
        assertThat(slots).allSatisfy(slot -> assertThat(table.at(slot.place)).isSameAs(slot));
        assertThat(open()).hasSize(1_000).doesNotHaveDuplicates();
        slots.forEach(LeaseTableTest::end);
        assertThat(open()).isEmpty();
        assertThat(lease(7)).isSameAs(slots.get(0));
    }

    @Test
    void aHolderIsFoundBehindManyOthers() {
        Thread other = new Thread(() -> {});
        assertThat(table.heldBy(other)).isNull();
        for (int at = 0; at < 100; at++) {
            lease(at);
        }
        Thread same = sameStripe();
        Slot far = table.claim(same);
        far.begin(0, 0, null, false);
        assertThat(table.heldBy(same)).isSameAs(far);
        end(far);
        assertThat(table.heldBy(same)).isNull();
        assertThat(table.heldBy(Thread.currentThread())).isNotNull();
    }

    /** A thread whose leases share a stripe with this one's. */
    private static Thread sameStripe() {
        Thread thread;
        do {
            thread = new Thread(() -> {});
        } while ((thread.getId() - Thread.currentThread().getId()) % 4 != 0);
        return thread;
    }

    @Test
    void aReaderNoticesThatALeaseHasEndedAndAnotherHasBegun() {
        Slot slot = lease(1);
        long generation = slot.generation();
        assertThat(slot.unchanged(generation)).isTrue();
        end(slot);
        assertThat(slot.unchanged(generation)).isFalse();
        assertThat(lease(2)).isSameAs(slot);
        assertThat(slot.unchanged(generation)).isFalse();
        assertThat(Slot.isLease(slot.generation())).isTrue();
    }

    @Test
    void anEndedThreadIsKeptByNameOnly() throws InterruptedException {
        Thread ended = new Thread(() -> {}, "gone");
        ended.start();
        ended.join();
        Slot slot = table.claim(ended);
        slot.begin(1, 0, null, false);
        Slot own = lease(2);
        slot.forgetEndedThread();
        own.forgetEndedThread();
        assertThat(slot.owner()).isEqualTo(new ThreadIdentity("gone", ended.getId(), false));
        assertThat(own.owner()).isSameAs(Thread.currentThread());
        WeakReference<Thread> weak = new WeakReference<>(ended);
        ended = null;
        assertForgotten(weak);
        end(slot);
        assertThat(slot.owner()).isNull();
    }

    /** What a slot refers to goes with the lease. */
    @Test
    void anEndedLeaseLeavesNothingBehind() {
        Slot slot = lease(1);
        String statement = "select " + slot.place;
        slot.statement = statement;
        WeakReference<String> weak = new WeakReference<>(statement);
        statement = null;
        end(slot);
        assertForgotten(weak);
        assertThat(slot.site).isNull();
        assertThat(slot.lease).isNull();
        assertThat(slot.suspect).isNull();
    }

    @SuppressWarnings("SystemGc") // what is not referred to is seen only by the collector
    private static void assertForgotten(WeakReference<? extends @Nullable Object> weak) {
        for (int times = 0; times < 50 && weak.get() != null; times++) {
            System.gc();
        }
        assertThat(weak.get()).isNull();
    }

    /** A thread whose stack ended between its claim and its lease. */
    @Test
    void aLeftoverSlotIsFreedAfterTwoScans() throws InterruptedException {
        List<Slot> claimed = new ArrayList<>();
        Thread ended = new Thread(() -> claimed.add(table.claim(Thread.currentThread())));
        ended.start();
        ended.join();
        table.scan(0);
        assertThat(claimed.get(0).owner()).as("seen once").isSameAs(ended);
        table.scan(1_000);
        assertThat(claimed.get(0).owner())
                .as("another thread may be ending the lease: a permit got lost")
                .isSameAs(ended);
        table.scan(SECOND);
        table.takeAbandoned(Slot::vacate);
        assertThat(claimed.get(0).owner()).isNull();
    }

    @Test
    void aSlotThatIsTakenByALivingThreadStaysTaken() {
        Slot beginning = table.claim(Thread.currentThread());
        assertThat(table.heldBy(Thread.currentThread())).isNull();
        table.scan(0);
        table.scan(SECOND);
        table.takeAbandoned(Slot::vacate);
        assertThat(beginning.owner()).as("it may be about to begin").isSameAs(Thread.currentThread());
    }

    @Test
    void aSlotThatWasUsedBetweenTwoWalksIsNotLeftOver() {
        Slot slot = table.claim(Thread.currentThread());
        table.scan(0);
        slot.begin(1, 0, null, false);
        end(slot);
        Slot claimed = table.claim(Thread.currentThread());
        table.scan(SECOND);
        assertThat(claimed).isSameAs(slot);
        table.takeAbandoned(Slot::vacate);
        assertThat(claimed.owner()).isNotNull();
    }

    /** A request that is inside the pool may last; only one that no thread is in any more is left over. */
    @Test
    void aSlotOfAnOwnerIsGivenBackOnlyWhenNoThreadCarriesIt() {
        RequestOwner owner = RequestOwner.create("coroutine");
        Runnable lay = owner.makeCurrent();
        Slot entering = table.claim(Thread.currentThread());
        table.scan(0);
        table.scan(SECOND);
        table.takeAbandoned(Slot::vacate);
        assertThat(entering.owner()).isSameAs(owner);
        lay.run();
        table.scan(2 * SECOND);
        table.scan(3 * SECOND);
        table.scan(4 * SECOND);
        table.takeAbandoned(Slot::vacate);
        assertThat(entering.owner()).isNull();
    }

    /** The other thread was taken for the one that the request is on: the slot went to another request while this one had it. */
    @Test
    void aSlotOfAnOwnerStaysTakenThoughAnotherThreadHasLaidItDown() throws InterruptedException {
        RequestOwner owner = RequestOwner.create("coroutine");
        Runnable lay = owner.makeCurrent();
        try {
            Slot entering = table.claim(Thread.currentThread());
            onAnotherThread(() -> owner.makeCurrent().run());
            for (int at = 0; at < 4; at++) {
                table.scan(at * SECOND);
                table.takeAbandoned(Slot::vacate);
            }
            assertThat(entering.owner()).isSameAs(owner);
        } finally {
            lay.run();
        }
    }

    private static void onAnotherThread(Runnable work) throws InterruptedException {
        Thread other = new Thread(work);
        other.start();
        other.join();
    }

    @Test
    void anOwnersLeaseIsFoundOnAnyThreadThatCarriesIt() throws InterruptedException {
        RequestOwner owner = RequestOwner.create("coroutine");
        Runnable lay = owner.makeCurrent();
        Slot slot = lease(1);
        lay.run();
        assertThat(table.heldBy(Thread.currentThread())).isNull();
        List<Object> found = new ArrayList<>();
        Thread other = new Thread(() -> {
            Runnable end = owner.makeCurrent();
            found.add(table.heldBy(Thread.currentThread()));
            found.add(table.longestHeldBy(Thread.currentThread()));
            end.run();
        });
        other.start();
        other.join();
        assertThat(found).containsExactly(slot, slot);
        end(slot);
        table.scan(SECOND);
        table.scan(2 * SECOND);
    }
}
