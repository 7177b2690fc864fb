// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** How many permits each class of a {@link ClassGate} uses, parked ones included, and how many it may. Thread-safe. */
final class ClassUse {
    /** Numbers that different threads write are so many apart: two cache lines. */
    private static final int APART = 32;

    private final int[] most;
    private final AtomicIntegerArray used;

    ClassUse(List<ClassShare> shares) {
        most = shares.stream().mapToInt(ClassShare::most).toArray();
        used = new AtomicIntegerArray((most.length + 1) * APART);
    }

    int of(int ofClass) {
        return used.get((ofClass + 1) * APART);
    }

    int most(int ofClass) {
        return most[ofClass];
    }

    /** Whether a class has as many as it may. */
    boolean full(int ofClass) {
        return of(ofClass) >= most[ofClass];
    }

    void count(int ofClass, int more) {
        used.getAndAdd((ofClass + 1) * APART, more);
    }

    /** Counts one more, unless the class has as many as it may; in any case if no most is in force. */
    boolean raise(int ofClass, boolean inAnyCase) {
        int at = (ofClass + 1) * APART;
        if (inAnyCase || most[ofClass] == Integer.MAX_VALUE) {
            used.getAndAdd(at, 1);
            return true;
        }
        int seen;
        do {
            seen = used.get(at);
            if (seen >= most[ofClass]) {
                return false;
            }
        } while (!used.compareAndSet(at, seen, seen + 1));
        return true;
    }
}
