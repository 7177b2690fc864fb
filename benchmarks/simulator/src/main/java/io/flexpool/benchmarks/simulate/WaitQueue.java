// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.Arrays;

/** The requests that wait, first come, first served. All wait equally long at most, so the first also gives up first. */
final class WaitQueue {
    private static final double NEVER = Double.POSITIVE_INFINITY;

    private double[] arrived = new double[1024];
    private double[] asked = new double[1024];
    private double[] work = new double[1024];
    private double[] hold = new double[1024];
    private int[] attempt = new int[1024];
    private final double timeout;
    private int head;
    private int size;

    /** Empty; a request that has waited so many seconds gives up. */
    WaitQueue(double timeout) {
        this.timeout = timeout;
    }

    int size() {
        return size;
    }

    void add(double arrival, double now, double seconds, double held, int attempts) {
        if (size == arrived.length) {
            grow();
        }
        int at = (head + size++) & (arrived.length - 1);
        arrived[at] = arrival;
        asked[at] = now;
        work[at] = seconds;
        hold[at] = held;
        attempt[at] = attempts;
    }

    /** When the first gives up. */
    double givesUp() {
        return size == 0 ? NEVER : asked[head] + timeout;
    }

    /** How long the first has waited. */
    double headAge(double now) {
        return size == 0 ? 0 : now - asked[head];
    }

    double headArrived() {
        return arrived[head];
    }

    double headWork() {
        return work[head];
    }

    double headHold() {
        return hold[head];
    }

    int headAttempt() {
        return attempt[head];
    }

    void removeHead() {
        head = (head + 1) & (arrived.length - 1);
        size--;
    }

    private void grow() {
        arrived = unrolled(arrived);
        asked = unrolled(asked);
        work = unrolled(work);
        hold = unrolled(hold);
        int[] attempts = Arrays.copyOfRange(attempt, head, head + 2 * attempt.length);
        System.arraycopy(attempt, 0, attempts, attempt.length - head, head);
        attempt = attempts;
        head = 0;
    }

    private double[] unrolled(double[] ring) {
        double[] straight = Arrays.copyOfRange(ring, head, head + 2 * ring.length);
        System.arraycopy(ring, 0, straight, ring.length - head, head);
        return straight;
    }
}
