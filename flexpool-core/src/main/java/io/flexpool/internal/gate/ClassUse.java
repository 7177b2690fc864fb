// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** How many permits each class of a {@link ClassGate} uses, parked ones included. Thread-safe. */
final class ClassUse {
    /** Numbers that different threads write are so many apart: two cache lines. */
    private static final int APART = 32;

    private final AtomicIntegerArray used;

    ClassUse(int classes) {
        used = new AtomicIntegerArray((classes + 1) * APART);
    }

    int of(int ofClass) {
        return used.get((ofClass + 1) * APART);
    }

    void count(int ofClass, int more) {
        used.getAndAdd((ofClass + 1) * APART, more);
    }

    /** Counts one more, unless the class has as many as it may. */
    boolean raise(int ofClass, int most) {
        int at = (ofClass + 1) * APART;
        if (most == Integer.MAX_VALUE) {
            used.getAndAdd(at, 1);
            return true;
        }
        int seen;
        do {
            seen = used.get(at);
            if (seen >= most) {
                return false;
            }
        } while (!used.compareAndSet(at, seen, seen + 1));
        return true;
    }
}
