// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import java.util.Arrays;

/** What the requests of one run are, by their numbers in the order in which they came. */
final class Requests {
    private double[] arrived = new double[1024];
    private double[] work = new double[1024];
    private double[] hold = new double[1024];
    private int[] attempt = new int[1024];
    private int[] requestClass = new int[1024];
    private int size;

    /**
     * One that comes now.
     *
     * @param seconds its work
     * @param held for how long it keeps its connection beside that, seconds
     * @param its class
     * @return its number
     */
    int add(double now, double seconds, double held, int its) {
        if (size == arrived.length) {
            arrived = Arrays.copyOf(arrived, 2 * size);
            work = Arrays.copyOf(work, 2 * size);
            hold = Arrays.copyOf(hold, 2 * size);
            attempt = Arrays.copyOf(attempt, 2 * size);
            requestClass = Arrays.copyOf(requestClass, 2 * size);
        }
        arrived[size] = now;
        work[size] = seconds;
        hold[size] = held;
        attempt[size] = 1;
        requestClass[size] = its;
        return size++;
    }

    double arrived(int request) {
        return arrived[request];
    }

    double work(int request) {
        return work[request];
    }

    double hold(int request) {
        return hold[request];
    }

    /** Its class: of the long ones, or of the others. */
    int requestClass(int request) {
        return requestClass[request];
    }

    /** How often it has asked. */
    int attempt(int request) {
        return attempt[request];
    }

    void tryAgain(int request) {
        attempt[request]++;
    }
}
