// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.diagnostics.OpenLease;
import io.flexpool.diagnostics.OpenLease.Activity;
import io.flexpool.diagnostics.OpenLease.OtherWork;
import io.flexpool.spi.Texts;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A lease in one log line: its holder, call site, age and statement, and the other work of its thread. */
final class LeaseWords {
    private LeaseWords() {}

    /**
     * Formats a lease.
     *
     * @param statements whether SQL may be shown; its literals are left out
     */
    static String of(OpenLease lease, boolean statements) {
        StringBuilder words = new StringBuilder(Texts.line(lease.thread(), 100));
        words.append(lease.callSite() == null ? " (call site not captured)" : " at " + lease.callSite());
        words.append(", held for ").append(lease.age().toMillis()).append(" ms");
        String statement = statements ? lease.statement() : null;
        if (statement != null) {
            words.append(lease.activity() == Activity.IDLE ? ", last statement \"" : ", statement \"")
                    .append(StatementText.shown(statement))
                    .append('"');
        }
        // Only platform threads can be found by number: virtual threads cannot, and an owner token is no thread.
        String work = lease.threadId() > 0 && !lease.virtualThread() ? work(lease.threadId()) : null;
        return words.append(work == null ? "" : ", " + work).toString();
    }

    /** The work of a platform thread; null if unknown. */
    private static @Nullable String work(long threadId) {
        for (Thread thread : platformThreads()) {
            if (thread.getId() == threadId) {
                return work(thread.getState(), thread.getStackTrace());
            }
        }
        return "its thread has ended";
    }

    private static @Nullable String work(Thread.State state, StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            if (frame.getClassName().startsWith("io.flexpool.internal.jdbc.")) {
                return "its thread is inside " + frame.getMethodName();
            }
        }
        OtherWork other = OtherWork.of(state, stack);
        StackTraceElement caller = OtherWork.caller(stack);
        if (caller == null) {
            return null;
        }
        String type = caller.getClassName();
        return "its thread is at "
                + Texts.line(
                        type.substring(type.lastIndexOf('.') + 1) + "." + caller.getMethodName() + "("
                                + caller.getFileName() + ":" + caller.getLineNumber() + ")",
                        200)
                + (other == null ? "" : " " + other.words());
    }

    private static Thread[] platformThreads() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] all = new Thread[2 * root.activeCount() + 32];
        return Arrays.copyOf(all, root.enumerate(all, true));
    }
}
