// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.OtherWork;
import io.flexpool.internal.context.OpenInView;
import io.flexpool.internal.lease.ThreadIdentity;
import io.flexpool.internal.shared.PlainText;
import io.flexpool.internal.shared.Words;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The place of a lease's thread, by its stack. flexpool's own classes are between the application and the driver, so
 * they show a call into the database with any driver, without a list of drivers' classes. Whether a connection is in
 * the database or held idle decides the advice, and is measured only with {@code time-in-database}, which is off by
 * default because of its two clock readings per call.
 *
 * <p>A stack does not show whether a thread calls another pool's connection, or has handed its connection on.
 *
 * @param work its work in the application; null at other places, or if unknown
 * @param viewEnds the setting that would have returned the connection, if it stays open with the view
 * @param frames the classes and methods on its stack, in the form of call sites; empty if unknown
 * @param lockOwner the thread that has the lock for which it waits; null without such a wait, or if unknown
 */
record ThreadSample(
        Place place,
        String words,
        @Nullable OtherWork work,
        @Nullable String viewEnds,
        Set<String> frames,
        @Nullable LockOwner lockOwner) {
    ThreadSample(Place place, String words) {
        this(place, words, null, null);
    }

    ThreadSample(Place place, String words, @Nullable OtherWork work, @Nullable String viewEnds) {
        this(place, words, work, viewEnds, Set.of(), null);
    }

    /** The thread that has a lock of the JVM. If it waits for a connection itself, there is a deadlock. */
    record LockOwner(String thread, boolean waitsForConnection) {}

    /** Whether the thread has left the method that acquired a connection; certain only for a captured call site. */
    boolean hasLeft(@Nullable String callSite) {
        if (callSite == null || frames.isEmpty()) {
            return false;
        }
        int end = callSite.indexOf('(');
        return end > 0 && !frames.contains(callSite.substring(0, end));
    }

    /** Whether the thread waits for a lock, and the lock's owner waits for a connection. */
    boolean inverted() {
        return lockOwner != null && lockOwner.waitsForConnection();
    }

    enum Place {
        /** Inside a JDBC call. */
        IN_DATABASE,
        IN_APPLICATION,
        /** Waits for a connection of this pool or another wrapped pool. */
        WAITS_FOR_CONNECTION,
        /** A worker without work: the code that acquired the connection has returned. */
        WAITS_FOR_WORK,
        ENDED;

        /** Whether the thread does not use its connection, as a thread after the end of its lease. */
        boolean elsewhere() {
            return abandoned() || this == WAITS_FOR_CONNECTION;
        }

        /** Whether no code remains to close the connection, unless it was handed to another thread. */
        boolean abandoned() {
            return this == WAITS_FOR_WORK || this == ENDED;
        }
    }

    /** The number of sampled threads: each costs 0.05 ms at a hundred frames. The place of other threads is unknown. */
    static final int MOST = 3;

    private static final ThreadSample GONE = new ThreadSample(Place.ENDED, "its thread has ended");
    private static final String CALLS = "io.flexpool.internal.jdbc.";
    /**
     * A frame of this class's {@link #ACQUIRE} shows that a thread waits for a connection. A name instead of a class
     * literal, because frames have names, and the class is in a higher package.
     */
    static final String POOL = "io.flexpool.internal.pool.AcquiringPool";

    static final String ACQUIRE = "acquire";

    /**
     * Samples the threads of the first {@value #MOST} leases: each stops one thread, on JDK 17 all threads, for 20 to
     * 150 µs, which grows with the depth of the stack. So only on failure, and without threads known to be in the
     * database. Virtual threads are not sampled: they cannot be found by number. Threads of owners that change threads
     * are not sampled either: their work may not hold the connection. The leases must be ordered by age, oldest first;
     * the samples are by thread number.
     */
    static Map<Long, ThreadSample> ofOldest(List<OpenLease> leases) {
        Map<Long, ThreadSample> seen = new HashMap<>();
        for (OpenLease lease : leases.subList(0, Math.min(MOST, leases.size()))) {
            if (lease.threadId() > 0 && !lease.virtualThread() && lease.activity() != OpenLease.Activity.IN_DATABASE) {
                seen.put(lease.threadId(), GONE);
            }
        }
        if (!seen.isEmpty()) {
            Thread[] all = platformThreads();
            for (Thread thread : all) {
                seen.computeIfPresent(thread.getId(), (id, gone) -> of(thread));
            }
            try {
                lockOwners(seen, all);
            } catch (LinkageError withoutTheModule) {
                // java.management is not in every image of the JDK. The owners stay unknown.
            }
        }
        return seen;
    }

    /** Finds the owners of the locks for which the sampled threads wait. */
    private static void lockOwners(Map<Long, ThreadSample> seen, Thread[] all) {
        seen.replaceAll((id, sample) -> {
            if (sample.work() != OtherWork.LOCK) {
                return sample;
            }
            ThreadInfo info = ManagementFactory.getThreadMXBean().getThreadInfo(id);
            long owner = info == null ? -1 : info.getLockOwnerId();
            for (Thread thread : all) {
                if (thread.getId() == owner) {
                    // The requesting thread counts as waiting: it has just waited in vain.
                    boolean waits =
                            thread == Thread.currentThread() || of(thread).place() == Place.WAITS_FOR_CONNECTION;
                    return sample.with(new LockOwner(ThreadIdentity.of(thread).name(), waits));
                }
            }
            return sample;
        });
    }

    private ThreadSample with(LockOwner owner) {
        return new ThreadSample(place, words, work, viewEnds, frames, owner);
    }

    private static Thread[] platformThreads() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] all = new Thread[root.activeCount() + 32];
        int found;
        while ((found = root.enumerate(all, true)) == all.length) {
            // The JVM silently omits threads that do not fit.
            all = new Thread[2 * all.length];
        }
        return Arrays.copyOf(all, found);
    }

    private static ThreadSample of(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return of(thread.getState(), stack);
    }

    /** The sample of a stack, read from its top; an ended thread has an empty stack. */
    static ThreadSample of(Thread.State state, StackTraceElement[] stack) {
        if (stack.length == 0) {
            return GONE;
        }
        for (StackTraceElement frame : stack) {
            String type = frame.getClassName();
            if (type.startsWith(CALLS)) {
                return new ThreadSample(Place.IN_DATABASE, "inside " + frame.getMethodName());
            }
            if (type.equals(POOL) && frame.getMethodName().equals(ACQUIRE)) {
                return new ThreadSample(
                        Place.WAITS_FOR_CONNECTION, "waits for a connection itself", null, null, frames(stack), null);
            }
            if (waitsForWork(type, frame.getMethodName())) {
                return new ThreadSample(Place.WAITS_FOR_WORK, "its thread waits for work");
            }
        }
        return new ThreadSample(
                Place.IN_APPLICATION,
                "at " + words(nearest(stack)),
                OtherWork.of(state, stack),
                OpenInView.endedBy(stack),
                frames(stack),
                null);
    }

    private static Set<String> frames(StackTraceElement[] stack) {
        Set<String> frames = new HashSet<>();
        for (StackTraceElement frame : stack) {
            frames.add(method(frame));
        }
        return frames;
    }

    /** The method in the form of {@code CallSites}. */
    private static String method(StackTraceElement frame) {
        String type = frame.getClassName();
        return type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName();
    }

    /** The application's own frame, otherwise a framework's frame, otherwise the top. */
    private static StackTraceElement nearest(StackTraceElement[] stack) {
        StackTraceElement own = OtherWork.caller(stack);
        if (own != null) {
            return own;
        }
        return Arrays.stream(stack)
                .filter(frame -> !Words.ofTheJdk(frame.getClassName()))
                .findFirst()
                .orElse(stack[0]);
    }

    private static boolean waitsForWork(String type, String method) {
        return switch (method) {
            case "getTask" -> type.endsWith("ThreadPoolExecutor");
            case "awaitWork" -> type.equals("java.util.concurrent.ForkJoinPool");
            case "idleJobPoll" -> type.endsWith("QueuedThreadPool");
            default -> false;
        };
    }

    private static String words(StackTraceElement frame) {
        String file = frame.getFileName();
        return PlainText.line(method(frame) + (file == null ? "" : "(" + file + ":" + frame.getLineNumber() + ")"));
    }
}
