// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.sizing;

import io.flexpool.internal.sizing.PoolWindow.OfClass;
import java.util.Arrays;
import java.util.List;

/**
 * What a lease of each class of requests lasts in calm. One mean for all is wrong where a hundred requests take 1.5 ms and
 * one takes 2 s: it rises when by chance another long one ends, and the database looks slow.
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

    /** Whether what leases of a class last in calm is known. */
    private boolean knows(int requestClass) {
        return requestClass < samples.length && samples[requestClass] >= CalmLease.ENOUGH && seconds[requestClass] > 0;
    }

    /**
     * How many times as long as in calm leases last, each compared with those of its class. The mean of the logarithms, each
     * class with as many as ended: the many short ones decide, because of the few long ones nothing is certain.
     *
     * @param ended how many leases of each class ended, and how long they lasted in total
     * @return NaN if there are no classes, or nothing is known of those that leases ended of
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
     * How many connections the requests keep busy with leases as in calm. Of long leases, and of those of which nothing is
     * known yet, each request that is there keeps one.
     *
     * @param stuck leases that count as taken: they are long ones, and others make up for them
     * @return NaN if there are no classes
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
