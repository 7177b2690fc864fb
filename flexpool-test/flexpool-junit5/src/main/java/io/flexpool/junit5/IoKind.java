// SPDX-License-Identifier: Apache-2.0
package io.flexpool.junit5;

import io.flexpool.diagnostics.OpenLease.OtherWork;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The I/O of a thread, by an event of the Flight Recorder and its stack. */
final class IoKind {
    /** The least counted wait outside a known client, milliseconds. Shorter waits depend on the scheduler. */
    static final long WAIT_MILLIS = 100;

    /** A call into the database, or the wait for a second connection. */
    private static final String FLEXPOOL = "io.flexpool.internal.";

    static final String SLEEP = "jdk.ThreadSleep";
    static final String READ = "jdk.SocketRead";
    static final String WRITE = "jdk.SocketWrite";
    static final String PARK = "jdk.ThreadPark";
    static final String WAIT = "jdk.JavaMonitorWait";
    static final String ENTER = "jdk.JavaMonitorEnter";

    /** All events that may be I/O, with the thread's state. */
    static final Map<String, Thread.State> EVENTS = Map.of(
            SLEEP, Thread.State.TIMED_WAITING,
            READ, Thread.State.RUNNABLE,
            WRITE, Thread.State.RUNNABLE,
            PARK, Thread.State.WAITING,
            WAIT, Thread.State.WAITING,
            ENTER, Thread.State.BLOCKED);

    private IoKind() {}

    /**
     * The I/O of an event, in words, with its place.
     *
     * @param event an event of {@link #EVENTS}
     * @param stack the thread's stack, the most recent call first
     * @return the I/O; empty if allowed: a call into the database through flexpool, or too short a wait
     */
    static Optional<String> of(String event, long millis, StackTraceElement[] stack) {
        if (Arrays.stream(stack).anyMatch(frame -> frame.getClassName().startsWith(FLEXPOOL))) {
            return Optional.empty();
        }
        OtherWork seen = OtherWork.of(EVENTS.getOrDefault(event, Thread.State.RUNNABLE), stack);
        OtherWork work = seen == null || !(seen.io() || event.equals(SLEEP)) ? byEvent(event, seen) : seen;
        if (!work.io() && work != OtherWork.SLEEP && millis < WAIT_MILLIS) {
            return Optional.empty();
        }
        StackTraceElement caller = OtherWork.caller(stack);
        return Optional.of(work.words() + (caller == null ? "" : " at " + place(caller)));
    }

    /** The work of an event without a known client, by the event's type. */
    private static OtherWork byEvent(String event, @Nullable OtherWork seen) {
        return switch (event) {
            case SLEEP -> OtherWork.SLEEP;
            case READ, WRITE -> OtherWork.NETWORK;
            case ENTER -> OtherWork.LOCK;
            default -> seen == OtherWork.LOCK ? OtherWork.LOCK : OtherWork.OTHER_THREAD;
        };
    }

    private static String place(StackTraceElement frame) {
        String type = frame.getClassName();
        return type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName()
                + (frame.getLineNumber() > 0 ? ":" + frame.getLineNumber() : "");
    }
}
