// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.internal.gate.Gate;
import io.flexpool.internal.gate.ParkedPermits;
import io.flexpool.internal.record.Recorder;
import io.flexpool.pool.Ticker;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.BeforeTry;
import org.jspecify.annotations.Nullable;

/** Any requests of any threads: each permit is in one place, each lease in one slot, and each is counted once. */
class SlotPropertyTest {
    private static final int STRIPES = 4;
    private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private Gate gate = new Gate(2, Ticker.SYSTEM);
    private Recorder recorder = new Recorder();
    private LeaseTable table = new LeaseTable(gate, recorder, 1, STRIPES);

    @BeforeTry
    void fresh() {
        gate = new Gate(2, Ticker.SYSTEM);
        recorder = new Recorder();
        table = new LeaseTable(gate, recorder, 1, STRIPES);
    }

    enum Kind {
        ENTER,
        FAIL,
        EXIT,
        LIMIT,
        FOREIGN,
        SCAN
    }

    private @Nullable Slot enter(Thread thread) {
        Slot slot = table.take(thread, 0);
        return slot != null ? slot : gate.tryEnter(0) ? table.claim(thread) : null;
    }

    private static void begin(Slot slot) {
        slot.acquired(1_000);
        slot.begin(0, 0, null, false);
    }

    private void end(Slot slot) {
        slot.released(2_000);
        GivenBack.parked(gate, slot, 0, Long.MAX_VALUE);
    }

    /** Six threads share four stripes; each step is done to a plain model too. */
    @Property(tries = 500)
    void slotsDoWhatAPlainModelDoes(
            @ForAll @Size(max = 80) List<Kind> kinds,
            @ForAll @Size(value = 80) List<@IntRange(max = 5) Integer> numbers) {
        List<Thread> threads = new ArrayList<>();
        for (int at = 0; at < 6; at++) {
            threads.add(new Thread(() -> {}));
        }
        List<Deque<Slot>> open = new ArrayList<>();
        threads.forEach(thread -> open.add(new ArrayDeque<>()));
        int limit = 2;
        int foreign = 0;
        int used = 0;
        long leases = 0;
        for (int at = 0; at < kinds.size(); at++) {
            int number = numbers.get(at);
            Thread thread = threads.get(number);
            Deque<Slot> held = open.get(number);
            switch (kinds.get(at)) {
                case ENTER -> {
                    Slot slot = enter(thread);
                    assertThat(slot != null).as("a permit, step %s", at).isEqualTo(used < limit - foreign);
                    if (slot != null) {
                        begin(slot);
                        held.push(slot);
                        used++;
                        leases++;
                    }
                }
                case FAIL -> {
                    Slot slot = enter(thread);
                    if (slot != null) {
                        slot.vacate();
                        gate.exit(0);
                    }
                }
                case EXIT -> {
                    if (!held.isEmpty()) {
                        end(held.pop());
                        used--;
                    }
                }
                case LIMIT -> {
                    limit = 1 + number;
                    gate.limit(limit, 0);
                }
                case FOREIGN -> {
                    foreign = number / 2;
                    gate.foreign(foreign, 0);
                }
                case SCAN -> table.scan(TimeUnit.SECONDS.toNanos(at));
            }
            assertThat(gate.usedCount()).as("permits in use, step %s", at).isEqualTo(used);
            assertThat(table.openCount(ParkedPermits.ANY)).isEqualTo(used);
            for (int who = 0; who < threads.size(); who++) {
                assertThat(table.heldBy(threads.get(who)) != null)
                        .isEqualTo(!open.get(who).isEmpty());
            }
        }
        assertThat(recorder.acquired()).isEqualTo(leases);
        assertThat(recorder.released()).isEqualTo(leases - used);
    }

    /** Threads with slots of their own and in common, nested leases, leases that another thread ends, and resizes. */
    @Property(tries = 40, shrinking = ShrinkingMode.OFF) // a race does not come back for a shorter script
    void nothingIsLostInACrowd(
            @ForAll @IntRange(min = 1, max = 6) int last,
            @ForAll @Size(min = 2, max = 4) List<@IntRange(min = 200, max = 2_000) Integer> cycles)
            throws InterruptedException {
        AtomicInteger leases = new AtomicInteger();
        Queue<Slot> handedOver = new ConcurrentLinkedQueue<>();
        List<Thread> crowd = new ArrayList<>();
        for (int number : cycles) {
            Thread thread = new Thread(() -> {
                for (int at = 0; at < number; at++) {
                    Slot slot = entered();
                    begin(slot);
                    leases.incrementAndGet();
                    Slot other = at % 3 == 0 ? handedOver.poll() : null;
                    if (other != null) {
                        end(other);
                    }
                    if (at % 5 == 0 && handedOver.isEmpty()) {
                        handedOver.add(slot);
                    } else {
                        end(slot);
                    }
                }
            });
            crowd.add(thread);
            thread.start();
        }
        for (int at = 0; crowd.stream().anyMatch(Thread::isAlive); at++) {
            gate.limit(6 + at % 4, System.nanoTime());
            table.scan(System.nanoTime());
        }
        for (Thread thread : crowd) {
            thread.join();
        }
        handedOver.forEach(this::end);
        gate.limit(last, System.nanoTime());
        assertThat(recorder.acquired()).isEqualTo(leases.get());
        assertThat(recorder.released()).isEqualTo(leases.get());
        assertThat(recorder.acquisitionNanos()).isEqualTo(leases.get() * 1_000L);
        assertThat(recorder.leaseNanos()).isEqualTo(leases.get() * 2_000L);
        assertThat(gate.usedCount()).isZero();
        assertThat(gate.waitingCount()).isZero();
        assertThat(table.openCount(ParkedPermits.ANY)).isZero();
        int entered = 0;
        while (enter(new Thread(() -> {})) != null) {
            entered++;
        }
        assertThat(entered).isEqualTo(last);
    }

    private Slot entered() {
        Slot slot = enter(Thread.currentThread());
        if (slot != null) {
            return slot;
        }
        long now = System.nanoTime();
        assertThat(gate.await(gate.join(now), now + FORGOTTEN_NANOS))
                .as("a permit")
                .isTrue();
        return table.claim(Thread.currentThread());
    }
}
