// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.record;

/** The highest of some numbers in the last 55 to 60 seconds, in spans of five. Not thread-safe. */
final class Peaks {
    private static final long SPAN_NANOS = 5_000_000_000L;
    private static final int SPANS = 12;

    private final long originNanos;
    private final int[] highest = new int[SPANS];
    /** The number of the last span; later spans have higher numbers. */
    private long last;

    Peaks(long nowNanos) {
        this.originNanos = nowNanos;
    }

    void add(long nowNanos, int number) {
        forget(nowNanos);
        int at = (int) (last % SPANS);
        highest[at] = Math.max(highest[at], number);
    }

    int highest(long nowNanos) {
        forget(nowNanos);
        int most = 0;
        for (int one : highest) {
            most = Math.max(most, one);
        }
        return most;
    }

    private void forget(long nowNanos) {
        long span = Math.max(last, (nowNanos - originNanos) / SPAN_NANOS);
        for (int gone = 0; gone < SPANS && last < span; gone++) {
            last++;
            highest[(int) (last % SPANS)] = 0;
        }
        last = span;
    }
}
