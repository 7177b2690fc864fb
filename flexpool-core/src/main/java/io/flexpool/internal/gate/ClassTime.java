// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.gate;

import java.util.List;

/**
 * The permits' time that each class of a {@link ClassGate} has used since requests began to wait, relative to its
 * guarantee and an equal part of the unguaranteed rest. Used by one thread at a time.
 */
final class ClassTime {
    /** The weight of a class without a guarantee and without a part of the rest. */
    private static final double LEAST_WEIGHT = 0.01;

    private final double[] weight;
    private final double[] usedNanos;
    private final boolean[] queued;
    /** The permits of each class when the time was last counted. */
    private final int[] used;
    /** Whether requests waited then. */
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
        used = new int[classes];
    }

    /**
     * Counts the time until now for the permits of the last count: a permit just returned was its class's until now.
     */
    void count(long nowNanos) {
        long passed = started ? Math.max(0, nowNanos - countedNanos) : 0;
        for (int requestClass = 0; requestClass < usedNanos.length; requestClass++) {
            usedNanos[requestClass] =
                    started ? usedNanos[requestClass] + used[requestClass] * (double) passed / weight[requestClass] : 0;
            queued[requestClass] &= started;
        }
        countedNanos = passed > 0 || !started ? nowNanos : countedNanos;
    }

    /** Reads the permits of each class for the next count; {@code waiting} is true if any request waits. */
    void since(Gate gate, boolean waiting) {
        started = waiting;
        for (int requestClass = 0; requestClass < usedNanos.length; requestClass++) {
            used[requestClass] = gate.usedBy(requestClass);
        }
    }

    /** Sets whether requests of a class wait. A class that begins to wait gets no credit for the time before. */
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

    /** Whether one class has used less time than another. */
    boolean less(int one, int other) {
        return usedNanos[one] < usedNanos[other];
    }
}
