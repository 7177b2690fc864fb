// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who ticks what, in real time: without a bound on any of it. */
@Timeout(300)
class HousekeeperTest {
    private final Housekeeper loop = new Housekeeper();
    private final List<Counted> all = new ArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void end() {
        released.countDown();
        all.forEach(loop::remove);
    }

    private final class Counted implements Housekeeper.Watched {
        private final String name;
        private final AtomicLong beats = new AtomicLong();
        private volatile boolean hangs;
        private volatile boolean alone;
        private volatile Thread last = Thread.currentThread();
        private volatile long late;

        Counted(String name) {
            this.name = name;
            all.add(this);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public void beat(long lateNanos) {
            last = Thread.currentThread();
            late = Math.max(late, lateNanos);
            if (hangs) {
                try {
                    released.await();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            }
            beats.getAndIncrement();
        }

        @Override
        public void stalled(boolean left) {
            alone = left;
        }

        void awaitBeat() throws InterruptedException {
            long before = beats.get();
            eventually(() -> beats.get() > before + 1);
        }
    }

    private static Set<Thread> threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .collect(Collectors.toSet());
    }

    /** Nothing that flexpool calls can end the threads; a stop can, on the JDKs that have it. */
    @ParameterizedTest
    @ValueSource(strings = {"flexpool-loop", "flexpool-watchdog"})
    void aThreadThatDiedIsReplaced(String name) throws Exception {
        assumeTrue(Runtime.version().feature() < 20);
        Set<Thread> others = threads(name);
        Counted pool = new Counted("orders");
        loop.add(pool);
        pool.awaitBeat();
        Set<Thread> own = threads(name);
        own.removeAll(others);
        for (Thread thread : own) {
            thread.setUncaughtExceptionHandler((any, death) -> {});
            // The one way to end a thread that catches everything; by name, for it is forbidden everywhere else. Again,
            // because the thread may have caught it: it does during a look or a tick.
            while (thread.isAlive()) {
                Thread.class.getMethod("stop").invoke(thread);
                thread.join(100);
            }
        }
        pool.awaitBeat();
        eventually(() -> threads(name).stream().anyMatch(thread -> !own.contains(thread) && !others.contains(thread)));
        pool.awaitBeat();
    }

    @Test
    void hangingTasksDoNotStopTheOthers() throws Exception {
        Counted first = new Counted("first");
        Counted second = new Counted("second");
        Counted third = new Counted("third");
        Counted last = new Counted("last");
        first.hangs = true;
        third.hangs = true;
        for (Counted pool : all) {
            loop.add(pool);
        }
        eventually(() -> first.alone && third.alone);
        second.awaitBeat();
        last.awaitBeat();
        assertThat(first.beats).hasValue(0);
        assertThat(first.last).isNotSameAs(third.last);
        assertThat(threads("flexpool-loop-first")).containsExactly(first.last);
        assertThat(threads("flexpool-loop-third")).containsExactly(third.last);
        first.hangs = false;
        third.hangs = false;
        released.countDown();
        eventually(() -> !first.alone && !third.alone);
        eventually(() -> threads("flexpool-loop-first").isEmpty()
                && threads("flexpool-loop-third").isEmpty());
        first.awaitBeat();
        third.awaitBeat();
    }

    /** Its hang is no pause of the machine: who held a connection meanwhile could have given it back. */
    @Test
    void whatAPoolTakesIsNotCountedAsLate() throws Exception {
        Counted pool = new Counted("hanging");
        pool.hangs = true;
        loop.add(pool);
        Counted other = new Counted("other");
        loop.add(other);
        eventually(() -> pool.alone);
        long hangs = System.nanoTime();
        long before = other.beats.get();
        eventually(() -> other.beats.get() > before + 10);
        pool.late = 0;
        pool.hangs = false;
        long hung = System.nanoTime() - hangs;
        released.countDown();
        eventually(() -> !pool.alone);
        assertThat(pool.late).as("of a hang of %d ns", hung).isLessThan(hung);
    }

    @Test
    void aPoolThatHangsAndIsRemovedLeavesNoThread() throws Exception {
        Set<Thread> others = threads("flexpool-watchdog");
        Counted pool = new Counted("gone");
        pool.hangs = true;
        loop.add(pool);
        eventually(() -> pool.alone);
        loop.remove(pool);
        eventually(() -> others.containsAll(threads("flexpool-watchdog")));
        assertThat(pool.last.isAlive()).isTrue();
        released.countDown();
        pool.last.join();
        assertThat(pool.beats).hasValue(1);
    }
}
