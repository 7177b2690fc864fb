// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor.replay;

import java.util.Arrays;

/**
 * A pool in virtual time, which decides the next request to serve or to time out. First come, first served. All
 * requests have the same timeout, so the first also times out first. The users, the advisor's replay and the
 * benchmarks' simulator, define the leases and their ends.
 *
 * <p>Times are in any unit that all calls share; whole nanoseconds are exact up to 104 days. For one thread.
 */
public final class VirtualPool {
    private static final double NEVER = Double.POSITIVE_INFINITY;
    private static final int FIRST = 64;

    private final double timeout;
    private final Leases leases;
    private double[] arrivals = new double[FIRST];
    private int[] request = new int[FIRST];
    private int head;
    private int waiting;

    /** The leases of a pool. */
    public interface Leases {
        /** {@return whether another lease may begin now} */
        boolean free();

        /**
         * Begins the lease of a served request.
         *
         * @param request its number
         * @param waited the request's wait since its arrival
         * @param now the time
         */
        void begin(int request, double waited, double now);
    }

    /**
     * Creates a pool without waiting requests.
     *
     * @param timeout the longest wait of a request
     * @param leases the pool's leases
     */
    public VirtualPool(double timeout, Leases leases) {
        this.timeout = timeout;
        this.leases = leases;
    }

    /**
     * Adds a request, and serves it at once if a lease may begin.
     *
     * @param number its number, chosen by the caller
     * @param now the time
     */
    public void arrive(int number, double now) {
        if (waiting == arrivals.length) {
            grow();
        }
        int at = (head + waiting++) & (arrivals.length - 1);
        arrivals[at] = now;
        request[at] = number;
        serve(now);
    }

    /**
     * Serves waiting requests while a lease may begin: call it after a lease has ended, or the limit has grown.
     *
     * @param now the time
     */
    public void serve(double now) {
        while (waiting > 0 && leases.free()) {
            double waited = now - arrivals[head];
            leases.begin(remove(), waited, now);
        }
    }

    /** {@return when the first request times out; infinite if none waits} */
    public double givesUp() {
        return waiting == 0 ? NEVER : arrivals[head] + timeout;
    }

    /**
     * Removes the first request, which times out.
     *
     * @return its number
     */
    public int giveUp() {
        return remove();
    }

    /** {@return the number of waiting requests} */
    public int waiting() {
        return waiting;
    }

    /**
     * The wait of the first request so far.
     *
     * @param now the time
     * @return 0 if none waits
     */
    public double longestWait(double now) {
        return waiting == 0 ? 0 : now - arrivals[head];
    }

    private int remove() {
        int number = request[head];
        head = (head + 1) & (arrivals.length - 1);
        waiting--;
        return number;
    }

    /** Doubles the ring, and moves the elements before the head behind the last one. */
    private void grow() {
        int length = arrivals.length;
        arrivals = Arrays.copyOf(arrivals, 2 * length);
        request = Arrays.copyOf(request, 2 * length);
        System.arraycopy(arrivals, 0, arrivals, length, head);
        System.arraycopy(request, 0, request, length, head);
    }
}
