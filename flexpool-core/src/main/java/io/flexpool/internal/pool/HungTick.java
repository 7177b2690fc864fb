// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.shared.Words;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A tick that has not returned, judged by its thread's stack. A thread that waits in the pool for a lock or an answer
 * hangs. A thread that runs, loads classes or is in flexpool's code is late: on a starved processor classes take
 * seconds to load, especially in a pool's first ticks.
 */
final class HungTick {
    /** The age from which a tick hangs; the pool counts as stalled from the same age. */
    static final long HANGS_NANOS = 2_000_000_000L;

    static final long LATE_NANOS = 10_000_000_000L;
    static final long NEW_NANOS = 5_000_000_000L;

    private static final String OWN = "io.flexpool.internal.";
    /** Packages where the JDK waits for other programs while the thread's state is RUNNABLE. */
    private static final List<String> INPUT = List.of("java.io.", "java.net.", "sun.net.", "sun.nio.");

    private final Thread.State state;
    private final StackTraceElement[] stack;

    HungTick(Thread thread) {
        this(thread.getState(), thread.getStackTrace());
    }

    HungTick(Thread.State state, StackTraceElement... stack) {
        this.state = state;
        this.stack = stack;
    }

    /** Whether to report a tick of this age, in a pool that was added {@code addedAgoNanos} ago. */
    boolean isReported(long hungNanos, long addedAgoNanos) {
        boolean isNew = addedAgoNanos - hungNanos < NEW_NANOS;
        return hungNanos >= (isNew || !waits() || loads() || isOwn() ? LATE_NANOS : HANGS_NANOS);
    }

    private boolean waits() {
        return state == Thread.State.RUNNABLE
                ? stack.length > 0 && stack[0].isNativeMethod() && isInput(stack[0].getClassName())
                : state != Thread.State.NEW && state != Thread.State.TERMINATED;
    }

    /** Also true for a driver's native method. */
    private static boolean isInput(String className) {
        return !Words.ofTheJdk(className) || INPUT.stream().anyMatch(className::startsWith);
    }

    private boolean loads() {
        return Arrays.stream(stack)
                .anyMatch(frame -> frame.getMethodName().equals("<clinit>")
                        || frame.getMethodName().equals("loadClass")
                        || frame.getClassName().startsWith("java.lang.invoke."));
    }

    private boolean isOwn() {
        return first().map(frame -> frame.getClassName().startsWith(OWN)).orElse(true);
    }

    /** The first frame outside the JDK: it identifies the cause best. */
    private Optional<StackTraceElement> first() {
        return Arrays.stream(stack)
                .filter(frame -> !Words.ofTheJdk(frame.getClassName()))
                .findFirst();
    }

    /** The method in which the tick hangs: {@code " in com.example.Pool.size()"}; empty if unknown. */
    String place() {
        return first().map(frame -> " in " + frame.getClassName() + "." + frame.getMethodName() + "()")
                .orElse("");
    }
}
