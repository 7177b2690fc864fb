// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.resize;

import io.flexpool.internal.gate.ClassGate;
import io.flexpool.internal.sizing.PoolWindow.OfClass;
import java.util.ArrayList;
import java.util.List;

/** The requests and leases of each class between two readings, as differences. Used by the loop's thread alone. */
final class ClassWindows {
    /** The most waiters counted: more waiters would not change the size. */
    private static final int COUNTED = 1000;

    private final ClassGate gate;
    private long[] before;
    private final int[] present;

    ClassWindows(ClassGate gate) {
        this.gate = gate;
        this.before = new long[2 * gate.classes()];
        this.present = new int[gate.classes()];
    }

    /**
     * The differences since the last call. Failed requests are not counted by class: only requests that got a
     * connection or wait are known.
     *
     * @param ended for each class the number of ended leases, and their total time, nanoseconds
     */
    List<OfClass> next(long[] ended) {
        List<OfClass> classes = new ArrayList<>();
        for (int at = 0; at < present.length; at++) {
            int there = gate.gate().usedCount(at) + gate.waitingCount(at, COUNTED);
            long completions = ended[2 * at] - before[2 * at];
            long leaseNanos = ended[2 * at + 1] - before[2 * at + 1];
            long arrivals = Math.max(0, completions + there - present[at]);
            classes.add(new OfClass(arrivals, completions, leaseNanos, there));
            present[at] = there;
        }
        before = ended;
        return classes;
    }
}
