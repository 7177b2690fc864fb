// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.pool.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.BeforeTry;

/** Any crowd at a gate with any resizes: no permit too many, none too few, no waiter forgotten. */
class GateCrowdPropertyTest {
    /** A waiter that waits this long was forgotten. Shows that nothing hangs, not how fast it is. */
    private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final int MOST_LIMIT = 5;

    /** What one thread does next. */
    enum Step {
        PASS_IF_FREE,
        WAIT,
        GIVE_UP_SOON,
        LEAVE_AT_ONCE,
        WAIT_INTERRUPTED
    }

    private Gate gate = gate();
    private final AtomicInteger inside = new AtomicInteger();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private volatile int most;

    Gate gate() {
        return new Gate(1, Ticker.SYSTEM);
    }

    @BeforeTry
    void freshGate() {
        gate = gate();
        inside.set(0);
        wrong.clear();
    }

    /** One phase after the other; within a phase nothing is resized, so that the bound is exact. */
    @Property(tries = 60, shrinking = ShrinkingMode.OFF) // a race does not come back for a shorter script
    void noRequestEntersBeyondThePermits(
            @ForAll @Size(min = 1, max = 3) List<@IntRange(min = 1, max = MOST_LIMIT) Integer> limits,
            @ForAll @IntRange(max = 3) int foreign,
            @ForAll @Size(min = 2, max = 4) List<@Size(min = 1, max = 20) List<Step>> scripts)
            throws InterruptedException {
        for (int limit : limits) {
            gate.limit(limit + foreign, System.nanoTime());
            gate.foreign(foreign, System.nanoTime());
            most = limit;
            end(start(scripts));
            assertThat(wrong).isEmpty();
        }
        assertNothingIsLeft();
    }

    /** The limit moves all the time and may leave no permit at all; only the last one has room for sure. */
    @Property(tries = 100, shrinking = ShrinkingMode.OFF) // as above
    void allWaitersAreServedDespiteResizes(
            @ForAll @Size(max = 30) List<@IntRange(min = 1, max = MOST_LIMIT) Integer> limits,
            @ForAll @Size(max = 30) List<@IntRange(max = MOST_LIMIT + 1) Integer> foreign,
            @ForAll @IntRange(min = 1, max = MOST_LIMIT) int last,
            @ForAll @Size(min = 2, max = 4) List<@Size(min = 1, max = 20) List<Step>> scripts)
            throws InterruptedException {
        most = MOST_LIMIT;
        List<Thread> crowd = start(scripts);
        for (int at = 0; at < Math.max(limits.size(), foreign.size()); at++) {
            if (at < limits.size()) {
                gate.limit(limits.get(at), System.nanoTime());
            }
            if (at < foreign.size()) {
                gate.foreign(foreign.get(at), System.nanoTime());
            }
            look();
            LockSupport.parkNanos(1);
        }
        gate.foreign(0, System.nanoTime());
        gate.limit(last, System.nanoTime());
        end(crowd);
        assertThat(wrong).isEmpty();
        assertNothingIsLeft();
        for (int at = 0; at < last; at++) {
            assertThat(gate.tryEnter(System.nanoTime()))
                    .as("permit %s of %s", at, last)
                    .isTrue();
        }
        assertThat(gate.tryEnter(System.nanoTime()))
                .as("one more than %s", last)
                .isFalse();
    }

    private List<Thread> start(List<List<Step>> scripts) {
        CountDownLatch together = new CountDownLatch(scripts.size());
        List<Thread> crowd = new ArrayList<>();
        for (List<Step> script : scripts) {
            Thread thread = new Thread(() -> {
                together.countDown();
                while (together.getCount() > 0) {
                    Thread.onSpinWait();
                }
                script.forEach(this::step);
            });
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((t, thrown) -> wrong.add(thrown.toString()));
            crowd.add(thread);
        }
        crowd.forEach(Thread::start);
        return crowd;
    }

    private static void end(List<Thread> crowd) throws InterruptedException {
        for (Thread thread : crowd) {
            thread.join();
        }
    }

    private void step(Step step) {
        switch (step) {
            case PASS_IF_FREE -> {
                if (gate.tryEnter(System.nanoTime())) {
                    passThrough();
                }
            }
            case WAIT -> {
                if (waitFor(FORGOTTEN_NANOS)) {
                    passThrough();
                } else {
                    wrong.add("forgotten: " + gate.usedCount() + " used, limit " + gate.limit());
                }
            }
            case GIVE_UP_SOON -> {
                if (waitFor(20_000)) {
                    passThrough();
                }
            }
            case LEAVE_AT_ONCE -> {
                if (!gate.leave(gate.join(System.nanoTime()), System.nanoTime())) {
                    passThrough();
                }
            }
            case WAIT_INTERRUPTED -> {
                Thread.currentThread().interrupt();
                boolean in = waitFor(FORGOTTEN_NANOS);
                if (!Thread.interrupted()) {
                    wrong.add("the interrupt was swallowed");
                }
                if (in) {
                    passThrough();
                }
            }
        }
        look();
    }

    private boolean waitFor(long nanos) {
        long now = System.nanoTime();
        Waiter waiter = gate.join(now);
        return gate.await(waiter, now + nanos) || !gate.leave(waiter, System.nanoTime());
    }

    private void passThrough() {
        int in = inside.incrementAndGet();
        if (in > most) {
            wrong.add(in + " inside, at most " + most + " may");
        }
        LockSupport.parkNanos(1);
        inside.decrementAndGet();
        gate.exit(System.nanoTime());
    }

    private void look() {
        int used = gate.usedCount();
        int waiting = gate.waitingCount();
        if (used < 0 || used > most || waiting < 0) {
            wrong.add(used + " used of " + most + ", " + waiting + " waiting");
        }
    }

    private void assertNothingIsLeft() {
        assertThat(gate.usedCount()).as("permits in use").isZero();
        assertThat(gate.waitingCount()).as("waiters").isZero();
    }
}
