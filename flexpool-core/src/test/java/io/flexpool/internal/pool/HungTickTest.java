// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static io.flexpool.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.lang.Thread.State;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class HungTickTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long AN_HOUR_AGO = 3_600 * SECOND;
    private static final StackTraceElement POOL = frame("com.example.Pool", "size");
    private static final StackTraceElement TICK = frame("io.flexpool.internal.pool.PoolTick", "look");

    private static StackTraceElement frame(String type, String method) {
        return new StackTraceElement(type, method, "Source.java", 7);
    }

    private static StackTraceElement inNative(String type, String method) {
        return new StackTraceElement(type, method, "Source.java", -2);
    }

    private static void assertReportedFrom(long seconds, HungTick tick) {
        assertThat(tick.isReported(seconds * SECOND, AN_HOUR_AGO)).isTrue();
        assertThat(tick.isReported(seconds * SECOND - 1, AN_HOUR_AGO)).isFalse();
    }

    @Test
    void aPoolThatWaitsForALockOrAnAnswerHangsFromTwoSecondsOn() {
        for (State waiting : new State[] {State.BLOCKED, State.WAITING, State.TIMED_WAITING}) {
            assertReportedFrom(2, new HungTick(waiting, frame("jdk.internal.misc.Unsafe", "park"), POOL, TICK));
        }
        assertReportedFrom(2, new HungTick(State.RUNNABLE, inNative("sun.nio.ch.Net", "poll"), POOL, TICK));
        assertReportedFrom(2, new HungTick(State.RUNNABLE, inNative("org.sqlite.core.NativeDB", "step"), POOL, TICK));
    }

    /** In 7 of 85 starts on a busy machine: "has hung for 1081 ms in io.flexpool…isHidden()". */
    @Test
    void aThreadThatRunsIsLateAndDoesNotHang() {
        assertReportedFrom(10, new HungTick(State.RUNNABLE, POOL, TICK));
        assertReportedFrom(10, new HungTick(State.RUNNABLE, inNative("java.lang.Class", "isHidden"), POOL, TICK));
        assertReportedFrom(
                10, new HungTick(State.RUNNABLE, frame("io.flexpool.internal.lease.ApplicationCode", "isHidden")));
    }

    @Test
    void aThreadThatLoadsClassesIsLate() {
        assertReportedFrom(10, new HungTick(State.BLOCKED, frame("com.example.Loader", "loadClass"), POOL, TICK));
        assertReportedFrom(10, new HungTick(State.WAITING, frame("com.example.Pool", "<clinit>"), TICK));
        assertReportedFrom(
                10, new HungTick(State.BLOCKED, frame("java.lang.invoke.MethodHandleNatives", "linkCallSite"), POOL));
    }

    @Test
    void anInternalClassIsNotNamedBeforeTenSeconds() {
        assertReportedFrom(
                10, new HungTick(State.WAITING, frame("java.util.concurrent.locks.LockSupport", "park"), TICK));
    }

    @Test
    void aPoolsFirstTicksAreLate() {
        HungTick tick = new HungTick(State.BLOCKED, POOL, TICK);
        assertThat(tick.isReported(2 * SECOND, 7 * SECOND))
                .as("begun 5 s after it was added")
                .isTrue();
        assertThat(tick.isReported(2 * SECOND, 7 * SECOND - 1)).isFalse();
        assertThat(tick.isReported(10 * SECOND, 10 * SECOND)).isTrue();
    }

    @Test
    void thePlaceIsTheFirstFrameThatIsNotTheJdks() {
        assertThat(new HungTick(State.WAITING, frame("java.lang.Object", "wait"), POOL, TICK).place())
                .isEqualTo(" in com.example.Pool.size()");
        assertThat(new HungTick(State.WAITING).place()).isEmpty();
    }

    /** A thread that computes for 1.5 s, with the processors of this machine. */
    @Test
    void aTickThatComputesForASecondIsNotReported() throws Exception {
        Housekeeper loop = new Housekeeper();
        Logger logger = (Logger) LoggerFactory.getLogger("io.flexpool");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        AtomicLong beats = new AtomicLong();
        Housekeeper.Watched pool = new Housekeeper.Watched() {
            @Override
            public String name() {
                return "computes";
            }

            @Override
            public void beat(long lateNanos) {
                long end = System.nanoTime() + 3 * SECOND / 2;
                while (beats.get() == 0 && end - System.nanoTime() > 0) {
                    Thread.onSpinWait();
                }
                beats.getAndIncrement();
            }

            @Override
            public void stalled(boolean alone) {}
        };
        loop.add(pool);
        try {
            eventually(() -> beats.get() > 4);
            assertThat(List.copyOf(lines.list))
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .noneMatch(line -> line.startsWith("computes"));
        } finally {
            loop.remove(pool);
            logger.detachAppender(lines);
        }
    }
}
