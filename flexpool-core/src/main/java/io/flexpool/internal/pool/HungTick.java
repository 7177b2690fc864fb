// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.internal.shared.Words;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A tick that has not returned, as the watchdog sees its thread. A thread that waits for a lock or an answer in the pool hangs. One that
 * runs, loads classes or is in flexpool's own code is late: on a starved processor classes take seconds to load, most of all in a
 * pool's first ticks.
 */
final class HungTick {
    /** From when on the pool counts as stalled too. */
    static final long HANGS_NANOS = 2_000_000_000L;

    static final long LATE_NANOS = 10_000_000_000L;
    /** How long a pool is new. */
    static final long NEW_NANOS = 5_000_000_000L;

    private static final String OWN = "io.flexpool.internal.";
    /** Where the JDK waits for other programs without a state that shows it. */
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

    /** Whether it is to be reported after that time, of a pool that was added at another time before. */
    boolean isReported(long hungNanos, long addedAgoNanos) {
        boolean isNew = addedAgoNanos - hungNanos < NEW_NANOS;
        return hungNanos >= (isNew || !waits() || loads() || isOwn() ? LATE_NANOS : HANGS_NANOS);
    }

    private boolean waits() {
        return state == Thread.State.RUNNABLE
                ? stack.length > 0 && stack[0].isNativeMethod() && isInput(stack[0].getClassName())
                : state != Thread.State.NEW && state != Thread.State.TERMINATED;
    }

    /** A driver's native method too. */
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

    /** JDK frames say less than the first one of another. */
    private Optional<StackTraceElement> first() {
        return Arrays.stream(stack)
                .filter(frame -> !Words.ofTheJdk(frame.getClassName()))
                .findFirst();
    }

    /** Where it is, as far as it can be seen: {@code " in com.example.Pool.size()"}. */
    String place() {
        return first().map(frame -> " in " + frame.getClassName() + "." + frame.getMethodName() + "()")
                .orElse("");
    }
}
