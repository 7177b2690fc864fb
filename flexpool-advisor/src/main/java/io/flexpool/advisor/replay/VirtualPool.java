// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor.replay;

import java.util.Arrays;

/**
 * A pool in virtual time: which request is served next, and which one gives up. First come, first served; all wait equally
 * long at most, so the first also gives up first. The advisor's replay and the benchmarks' simulator use it and define
 * what a lease is and when it ends.
 *
 * <p>Times are in any unit that all calls share; whole nanoseconds are exact up to 104 days. For one thread.
 */
public final class VirtualPool {
    private static final double NEVER = Double.POSITIVE_INFINITY;
    private static final int FIRST = 64;

    private final double timeout;
    private final Leases leases;
    private double[] asked = new double[FIRST];
    private int[] request = new int[FIRST];
    private int head;
    private int waiting;

    /** What a pool leases. */
    public interface Leases {
        /** {@return whether one more lease may begin now} */
        boolean free();

        /**
         * A request is served: its lease begins.
         *
         * @param request its number
         * @param waited for how long it has waited since it was added
         * @param now the time
         */
        void begin(int request, double waited, double now);
    }

    /**
     * A pool in which no request waits.
     *
     * @param timeout for how long a request waits at most
     * @param leases what it leases
     */
    public VirtualPool(double timeout, Leases leases) {
        this.timeout = timeout;
        this.leases = leases;
    }

    /**
     * A request comes, and is served at once if it may be.
     *
     * @param number its number; what it is belongs to the caller
     * @param now the time
     */
    public void arrive(int number, double now) {
        if (waiting == asked.length) {
            grow();
        }
        int at = (head + waiting++) & (asked.length - 1);
        asked[at] = now;
        request[at] = number;
        serve(now);
    }

    /**
     * Serves those that wait, as long as a lease may begin: to be called after a lease has ended, or more may begin.
     *
     * @param now the time
     */
    public void serve(double now) {
        while (waiting > 0 && leases.free()) {
            double waited = now - asked[head];
            leases.begin(remove(), waited, now);
        }
    }

    /** {@return when the first one gives up; infinite if none waits} */
    public double givesUp() {
        return waiting == 0 ? NEVER : asked[head] + timeout;
    }

    /**
     * The first one gives up.
     *
     * @return its number
     */
    public int giveUp() {
        return remove();
    }

    /** {@return how many wait} */
    public int waiting() {
        return waiting;
    }

    /**
     * For how long the first one has waited.
     *
     * @param now the time
     * @return 0 if none waits
     */
    public double longestWait(double now) {
        return waiting == 0 ? 0 : now - asked[head];
    }

    private int remove() {
        int number = request[head];
        head = (head + 1) & (asked.length - 1);
        waiting--;
        return number;
    }

    /** What is before the head goes behind what is after it. */
    private void grow() {
        int length = asked.length;
        asked = Arrays.copyOf(asked, 2 * length);
        request = Arrays.copyOf(request, 2 * length);
        System.arraycopy(asked, 0, asked, length, head);
        System.arraycopy(request, 0, request, length, head);
    }
}
