// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.List;

/**
 * How much of the permits' time each class of a {@link ClassGate} has had since requests began to wait, in relation to its
 * guarantee and an equal part of what is guaranteed to no class. Used by one thread at a time.
 */
final class ClassTime {
    /** Of a class without a guarantee and without a part of a rest. */
    private static final double LEAST_WEIGHT = 0.01;

    private final double[] weight;
    private final double[] usedNanos;
    private final boolean[] queued;
    /** The permits of each class when the time was last counted. */
    private final int[] held;
    /** Whether requests have waited since then. */
    private boolean started;

    private long countedNanos;

    ClassTime(List<ClassShare> shares) {
        int classes = shares.size();
        double rest = 1 - shares.stream().mapToDouble(ClassShare::guarantee).sum();
        weight = shares.stream()
                .mapToDouble(share -> Math.max(LEAST_WEIGHT, share.guarantee() + rest / classes))
                .toArray();
        usedNanos = new double[classes];
        queued = new boolean[classes];
        held = new int[classes];
    }

    /**
     * Counts the time until now, of the permits that each class had when it was last counted: one that has just come back
     * was its class's until now.
     */
    void count(long nowNanos) {
        long passed = started ? Math.max(0, nowNanos - countedNanos) : 0;
        for (int requestClass = 0; requestClass < usedNanos.length; requestClass++) {
            usedNanos[requestClass] =
                    started ? usedNanos[requestClass] + held[requestClass] * (double) passed / weight[requestClass] : 0;
            queued[requestClass] &= started;
        }
        countedNanos = passed > 0 || !started ? nowNanos : countedNanos;
    }

    /** From now on each class has so many permits; {@code waiting} says whether any request waits. */
    void since(Gate gate, boolean waiting) {
        started = waiting;
        for (int requestClass = 0; requestClass < usedNanos.length; requestClass++) {
            held[requestClass] = gate.usedBy(requestClass);
        }
    }

    /** Whether requests of a class wait. One that begins to is not credited for the time before, in which it did not ask. */
    void queues(int requestClass, boolean now) {
        if (now && !queued[requestClass]) {
            double least = Double.MAX_VALUE;
            for (int other = 0; other < usedNanos.length; other++) {
                least = queued[other] ? Math.min(least, usedNanos[other]) : least;
            }
            usedNanos[requestClass] =
                    least == Double.MAX_VALUE ? usedNanos[requestClass] : Math.max(usedNanos[requestClass], least);
        }
        queued[requestClass] = now;
    }

    /** Whether one class has had less than another. */
    boolean less(int one, int other) {
        return usedNanos[one] < usedNanos[other];
    }
}
