// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Permits of a {@link Gate} that were given back while there were more, and stay counted as used: at most one for each
 * stripe, and each thread has a stripe, found by its id. A thread that opens and closes over and over takes its permit
 * from memory that no other processor writes; passing the gate's one word to and fro cost two processors 30 ns a cycle.
 */
public final class ParkedPermits {
    /** Two cache lines, as processors fetch them in pairs. */
    private static final int PAD = 32;

    private static final int NONE = 0;
    private static final int ONE = 1;

    private final AtomicIntegerArray stripes;
    private final int mask;

    /** @param stripes a power of two */
    ParkedPermits(int stripes) {
        this.stripes = new AtomicIntegerArray((stripes + 1) * PAD);
        this.mask = stripes - 1;
    }

    private int own() {
        return (((int) Thread.currentThread().getId() & mask) + 1) * PAD;
    }

    /**
     * Leaves a permit for this thread's next request, or for whoever finds it first.
     *
     * @return false if there is one already
     */
    boolean park() {
        int at = own();
        return stripes.get(at) == NONE && stripes.compareAndSet(at, NONE, ONE);
    }

    /** Takes the permit that this thread has left, if it is still there. */
    boolean take() {
        int at = own();
        // A look first: one in vain costs nothing, a compare-and-set in vain as much as one that succeeds.
        return stripes.get(at) == ONE && stripes.compareAndSet(at, ONE, NONE);
    }

    /** Takes a permit that anybody has left. */
    boolean takeAny() {
        for (int at = PAD; at < stripes.length(); at += PAD) {
            if (stripes.get(at) == ONE && stripes.compareAndSet(at, ONE, NONE)) {
                return true;
            }
        }
        return false;
    }

    /** How many there are, counted one after the other. */
    int count() {
        int count = 0;
        for (int at = PAD; at < stripes.length(); at += PAD) {
            count += stripes.get(at);
        }
        return count;
    }
}
