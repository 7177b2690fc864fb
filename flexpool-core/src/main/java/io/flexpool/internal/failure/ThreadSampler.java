// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.failure;

import io.flexpool.diagnostics.OpenLease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks at what the threads of some leases do, by their stacks: a stop of one thread each, on JDK 17 of all threads,
 * for 20 to 150 µs, which grows with the depth of the stack. Only on failure, only of the oldest leases, and of none
 * that is known to be in the database. Virtual threads are not looked at: they cannot be found by their number.
 */
final class ThreadSampler {
    /** How many threads are looked at. */
    static final int MOST = 3;

    private ThreadSampler() {}

    /**
     * Looks at the threads of the first {@value #MOST} leases.
     *
     * @param leases oldest first
     * @return by thread number; nothing for those that were not looked at
     */
    static Map<Long, ThreadSample> of(List<OpenLease> leases) {
        List<OpenLease> wanted = new ArrayList<>(MOST);
        for (OpenLease lease : leases.subList(0, Math.min(MOST, leases.size()))) {
            if (!lease.virtualThread() && lease.activity() != OpenLease.Activity.IN_DATABASE) {
                wanted.add(lease);
            }
        }
        if (wanted.isEmpty()) {
            return Map.of();
        }
        Map<Long, Thread> threads = threads();
        Map<Long, ThreadSample> seen = new HashMap<>();
        for (OpenLease lease : wanted) {
            Thread thread = threads.get(lease.threadId());
            seen.computeIfAbsent(
                    lease.threadId(),
                    id -> thread == null ? ThreadSample.GONE : ThreadSample.of(thread.getStackTrace()));
        }
        return seen;
    }

    /** All platform threads that live, by number. */
    private static Map<Long, Thread> threads() {
        ThreadGroup root = root();
        Thread[] all = new Thread[root.activeCount() + 32];
        int found = root.enumerate(all, true);
        while (found == all.length) {
            // What does not fit is left out without a word.
            all = new Thread[2 * all.length];
            found = root.enumerate(all, true);
        }
        Map<Long, Thread> byNumber = new HashMap<>(2 * found);
        for (int at = 0; at < found; at++) {
            byNumber.put(all[at].getId(), all[at]);
        }
        return byNumber;
    }

    private static ThreadGroup root() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        for (ThreadGroup parent; (parent = parent(group)) != null; ) {
            group = parent;
        }
        return group;
    }

    private static @Nullable ThreadGroup parent(ThreadGroup group) {
        return group.getParent();
    }
}
