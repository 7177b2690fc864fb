// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.internal.sizing.PoolWindow.OfClass;
import java.util.Arrays;
import java.util.List;

/**
 * The low-load lease time of each class of requests. One mean for all is wrong if a hundred requests take 1.5 ms and
 * one takes 2 s. The mean then rises when by chance another long lease ends, and the database seems slow.
 */
final class CalmClasses {
    /** Leases above this are counted while open: their arrivals within a second show too little. */
    private static final double LONG_SECONDS = 1;

    private static final double NANOS = 1e9;

    private double[] samples = {};
    private double[] seconds = {};

    /** A tick outside episodes. */
    void calm(List<OfClass> classes) {
        if (classes.size() > samples.length) {
            samples = Arrays.copyOf(samples, classes.size());
            seconds = Arrays.copyOf(seconds, classes.size());
        }
        for (int at = 0; at < classes.size(); at++) {
            OfClass its = classes.get(at);
            double count = (double) its.completions();
            if (count > 0) {
                samples[at] += count;
                double weight = Math.max(CalmLease.HIGHEST_WEIGHT, count / samples[at]);
                seconds[at] += weight * (its.leaseNanos() / NANOS / count - seconds[at]);
            }
        }
    }

    /** Whether the low-load lease time of a class is known. */
    private boolean knows(int requestClass) {
        return requestClass < samples.length && samples[requestClass] >= CalmLease.ENOUGH && seconds[requestClass] > 0;
    }

    /**
     * The ratio of lease times to low-load lease times, each lease compared with its class. The mean of the logarithms,
     * weighted by ended leases: the many short leases decide, because the few long ones are uncertain.
     *
     * @param ended the number of ended leases of each class, and their total time
     * @return NaN without classes, or if no class with ended leases is known
     */
    double stretch(Rate[] ended) {
        double count = 0;
        double sum = 0;
        for (int at = 0; at < ended.length; at++) {
            if (knows(at) && ended[at].count() > 0 && ended[at].seconds() > 0) {
                count += ended[at].count();
                sum += ended[at].count() * Math.log(ended[at].mean() / seconds[at]);
            }
        }
        return count == 0 ? Double.NaN : Math.exp(sum / count);
    }

    /**
     * The number of connections that the requests use with low-load lease times. Each present request of a class with
     * long or unknown leases counts as one.
     *
     * @param stuck leases that count as occupied: they are long, and other connections compensate for them
     * @return NaN without classes
     */
    double load(List<OfClass> classes, double[] arrivalRates, int stuck) {
        double brief = 0;
        double lasting = 0;
        for (int at = 0; at < classes.size(); at++) {
            if (knows(at) && seconds[at] <= LONG_SECONDS) {
                brief += arrivalRates[at] * seconds[at];
            } else {
                lasting += classes.get(at).present();
            }
        }
        return classes.isEmpty() ? Double.NaN : brief + Math.max(0, lasting - stuck);
    }
}
