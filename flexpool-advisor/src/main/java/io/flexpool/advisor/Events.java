// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.util.Arrays;

/** The future events of a replay, ordered by time, then by code. A binary heap. For one thread. */
final class Events {
    private static final int FIRST = 64;

    private long[] nanos = new long[FIRST];
    private long[] code = new long[FIRST];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /** The time of the first event. The heap must not be empty. */
    long firstNanos() {
        return nanos[0];
    }

    /** The code of the first event. The heap must not be empty. */
    long firstCode() {
        return code[0];
    }

    void add(long atNanos, long what) {
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * size);
            code = Arrays.copyOf(code, 2 * size);
        }
        int at = size++;
        while (at > 0 && before(atNanos, what, (at - 1) / 2)) {
            move((at - 1) / 2, at);
            at = (at - 1) / 2;
        }
        nanos[at] = atNanos;
        code[at] = what;
    }

    /** Removes the first event. */
    void removeFirst() {
        long lastNanos = nanos[--size];
        long lastCode = code[size];
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && before(nanos[child + 1], code[child + 1], child)) {
                child++;
            }
            if (before(lastNanos, lastCode, child)) {
                break;
            }
            move(child, at);
            at = child;
        }
        nanos[at] = lastNanos;
        code[at] = lastCode;
    }

    private boolean before(long atNanos, long what, int other) {
        return atNanos < nanos[other] || (atNanos == nanos[other] && what < code[other]);
    }

    private void move(int from, int to) {
        nanos[to] = nanos[from];
        code[to] = code[from];
    }
}
