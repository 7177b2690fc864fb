// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import io.flexpool.cli.PoolFrames;
import io.flexpool.diagnostics.OpenLease.OtherWork;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Determines from a stack whether and how a thread uses a connection. */
final class Stacks {
    private static final String TRANSACTION = "org.springframework.transaction.interceptor.TransactionAspectSupport";
    private static final String TEMPLATE = "org.springframework.transaction.support.TransactionTemplate";
    private static final String MANAGER = "org.springframework.transaction.support.AbstractPlatformTransactionManager";

    private Stacks() {}

    /** The role of a thread. */
    enum Role {
        /** Requests a connection; the stack shows no other one. */
        WAITS,
        /** Requests a connection while holding another. */
        WAITS_FOR_SECOND,
        /** Requests a connection below another method that takes one, and perhaps still holds that one. */
        MAY_WAIT_FOR_SECOND,
        /** Executes a statement, or another call of its connection. */
        EXECUTES,
        /** Holds a connection for its transaction, and executes no statement. */
        HOLDS,
        /** Is in a method that takes a connection, and perhaps holds one. */
        MAY_HOLD,
        /** The stack shows no connection. */
        NONE
    }

    /** The role of a thread. Uncertain cases are decided by the methods known to acquire connections. */
    static Role role(List<StackTraceElement> stack, Set<String> acquiring) {
        int waits = indexOfRequest(stack);
        if (waits >= 0) {
            if (holdsBelow(stack, waits)) {
                return Role.WAITS_FOR_SECOND;
            }
            return acquiresBelow(stack, acquiring) ? Role.MAY_WAIT_FOR_SECOND : Role.WAITS;
        }
        int application = indexOfApplication(stack, 0);
        if (application < 0) {
            return Role.NONE;
        }
        for (int at = 0; at < application; at++) {
            if (PoolFrames.usesConnection(stack.get(at).getClassName())) {
                return Role.EXECUTES;
            }
        }
        if (transactions(stack) > 0) {
            return Role.HOLDS;
        }
        return stack.stream().anyMatch(frame -> acquiring.contains(method(frame))) ? Role.MAY_HOLD : Role.NONE;
    }

    private static int indexOfWait(List<StackTraceElement> stack) {
        for (int at = 0; at < stack.size(); at++) {
            StackTraceElement frame = stack.get(at);
            if (PoolFrames.waitsIn(frame.getClassName() + "." + frame.getMethodName()) != null) {
                return at;
            }
        }
        return -1;
    }

    /** The frame index of a thread's request for a connection; negative without one. */
    private static int indexOfRequest(List<StackTraceElement> stack) {
        for (int at = 0; at < stack.size(); at++) {
            if (PoolFrames.isRequest(method(stack.get(at)))) {
                return at;
            }
        }
        return indexOfWait(stack);
    }

    /** The kind of pool for whose connection a thread waits; null without one. */
    static @Nullable String pool(DumpedThread thread) {
        List<StackTraceElement> stack = thread.stack();
        int at = indexOfWait(stack);
        if (at >= 0) {
            return PoolFrames.waitsIn(method(stack.get(at)));
        }
        int request = indexOfRequest(stack);
        // While the first request starts the pool, others wait for a lock of the pool.
        boolean locked = request >= 0
                && thread.state() == Thread.State.BLOCKED
                && PoolFrames.isOfPool(stack.get(0).getClassName());
        return locked || (request >= 0 && connects(stack)) ? PoolFrames.requestedOf(method(stack.get(request))) : null;
    }

    /** Whether a pool connects in a thread: in its own, or in a requesting one. */
    static boolean connects(List<StackTraceElement> stack) {
        return stack.stream().anyMatch(frame -> PoolFrames.connects(method(frame)));
    }

    /**
     * Whether a pool's thread pauses before its next connect. HikariCP's thread also pauses after a success, but only
     * 30 ms, and not while requests wait.
     */
    static boolean pausesBetweenConnects(List<StackTraceElement> stack) {
        int caller = 0;
        while (caller < stack.size() && stack.get(caller).getClassName().startsWith("java.")) {
            caller++;
        }
        if (caller == 0 || caller == stack.size()) {
            return false;
        }
        String type = stack.get(caller).getClassName();
        return (type.equals("com.alibaba.druid.pool.DruidDataSource$CreateConnectionThread")
                        && stack.get(caller - 1).getMethodName().equals("sleep"))
                || (method(stack.get(caller)).equals("com.zaxxer.hikari.util.UtilityElf.quietlySleep")
                        && caller + 1 < stack.size()
                        && stack.get(caller + 1).getClassName().startsWith("com.zaxxer.hikari.pool.HikariPool$"));
    }

    /** The application's method that requests the awaited connection; null without one. */
    static @Nullable StackTraceElement requester(List<StackTraceElement> stack) {
        int at = indexOfApplication(stack, Math.max(0, indexOfRequest(stack)));
        return at < 0 ? null : stack.get(at);
    }

    /**
     * The application's method that requests a connection directly from the pool, and so must return it; null if a
     * framework does both, or if unknown.
     */
    static @Nullable StackTraceElement acquirer(List<StackTraceElement> stack) {
        int waits = indexOfWait(stack);
        int application = waits < 0 ? -1 : indexOfApplication(stack, waits);
        for (int at = Math.max(0, waits); at < application; at++) {
            String type = stack.get(at).getClassName();
            if (!PoolFrames.isOfPool(type) && !type.startsWith("java.") && !type.startsWith("jdk.")) {
                return null;
            }
        }
        return application < 0 ? null : stack.get(application);
    }

    private static int indexOfApplication(List<StackTraceElement> stack, int from) {
        for (int at = from; at < stack.size(); at++) {
            if (PoolFrames.isApplication(stack.get(at).getClassName())) {
                return at;
            }
        }
        return -1;
    }

    /**
     * Whether the stack below a request shows a held connection. A beginning transaction has none yet, but a
     * surrounding one has.
     */
    private static boolean holdsBelow(List<StackTraceElement> stack, int waits) {
        boolean begins = false;
        int transactions = 0;
        for (int at = waits; at < stack.size(); at++) {
            String type = stack.get(at).getClassName();
            begins = begins || (transactions == 0 && type.equals(MANAGER));
            if (isTransaction(stack.get(at))) {
                transactions++;
            }
        }
        return transactions > (begins ? 1 : 0);
    }

    /** Whether a method that acquires a connection has called the requesting method, perhaps recursively. */
    private static boolean acquiresBelow(List<StackTraceElement> stack, Set<String> acquiring) {
        StackTraceElement requester = requester(stack);
        if (requester == null) {
            return false;
        }
        String own = method(requester);
        // A method that calls an overload of itself has acquired no connection in between.
        boolean left = false;
        for (StackTraceElement frame : stack.subList(stack.indexOf(requester), stack.size())) {
            String method = method(frame);
            if (acquiring.contains(method) && (left || !method.equals(own))) {
                return true;
            }
            left = left || (!method.equals(own) && PoolFrames.isApplication(frame.getClassName()));
        }
        return false;
    }

    private static int transactions(List<StackTraceElement> stack) {
        return (int) stack.stream().filter(Stacks::isTransaction).count();
    }

    private static boolean isTransaction(StackTraceElement frame) {
        return (frame.getClassName().equals(TRANSACTION)
                        && frame.getMethodName().equals("invokeWithinTransaction"))
                || (frame.getClassName().equals(TEMPLATE)
                        && frame.getMethodName().startsWith("execute"));
    }

    /** The application's frame of a thread; for a possible holder, the frame that acquires the connection. */
    static @Nullable StackTraceElement site(List<StackTraceElement> stack, Role role, Set<String> acquiring) {
        if (role == Role.MAY_HOLD) {
            return stack.stream()
                    .filter(frame -> acquiring.contains(method(frame)))
                    .findFirst()
                    .orElse(null);
        }
        StackTraceElement caller = OtherWork.caller(stack.toArray(StackTraceElement[]::new));
        if (caller != null && PoolFrames.isApplication(caller.getClassName())) {
            return caller;
        }
        return requester(stack);
    }

    /** The work of a thread that holds a connection but executes no statement; null if unknown. */
    static @Nullable OtherWork work(DumpedThread thread) {
        return OtherWork.of(thread.state(), thread.stack().toArray(StackTraceElement[]::new));
    }

    static String method(StackTraceElement frame) {
        return frame.getClassName() + "." + frame.getMethodName();
    }

    /** A frame in words, for example {@code Orders.find(Orders.java:12)}. */
    static String words(StackTraceElement frame) {
        String type = frame.getClassName();
        String file = frame.getFileName();
        String place = file == null
                ? ""
                : file.isEmpty()
                        ? "(line " + frame.getLineNumber() + ")"
                        : "(" + file + (frame.getLineNumber() < 0 ? "" : ":" + frame.getLineNumber()) + ")";
        return type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName() + place;
    }
}
