// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.util.Arrays;
import java.util.Optional;

/**
 * The growth of lease times with the number of active leases: the exponent e in "lease ∝ active<sup>e</sup>". With 0
 * the database has capacity. With 1 its throughput is constant, so that lease times grow in proportion to the active
 * leases. A replay keeps the recorded lease times, so beyond the observed sizes it is valid only near 0.
 *
 * @param exponent the estimate
 * @param error its standard error
 */
record Elasticity(double exponent, double error) {
    /** The exponent from which more connections mostly lengthen leases. */
    private static final double BOTTLENECK = 0.6;
    /** The exponent up to which lease times hardly depend on the number of active leases. */
    private static final double CAPACITY = 0.25;
    /** The number of standard errors that contains 95 % of estimates. */
    private static final double SURE = 2;

    /** The minimum number of leases. */
    private static final int ENOUGH = 200;
    /** The smallest ratio of the highest to the lowest number of active leases: below it a slope is a guess. */
    private static final double RANGE = 2;
    /** The number of consecutive parts of the record, for the jackknife. */
    private static final int PARTS = 20;
    /** The largest share of the variance that one part may contribute: a single part may only show cold caches. */
    private static final double MOST_OF_ONE = 0.5;

    /**
     * Compares leases of the same call site. The number of active leases is the mean over a lease. The number at its
     * start would be too low, because some connections are just passing to the next lease, so that a full pool would
     * seem to have quiet moments. Leases far below the highest number are omitted: below its knee each database has
     * capacity.
     *
     * @return empty if too few numbers of active leases were seen
     */
    static Optional<Elasticity> of(LeaseTrace trace) {
        double[] active = new ActiveLeases(trace).means();
        double[] seen = Arrays.stream(active).filter(each -> each > 0).sorted().toArray();
        if (seen.length < 2 * ENOUGH) {
            return Optional.empty();
        }
        double high = seen[seen.length - ENOUGH];
        int low = (int) Arrays.stream(seen).filter(each -> each <= high / RANGE).count();
        return low < ENOUGH
                ? Optional.empty()
                : Optional.of(slope(trace, active, seen[low - ENOUGH] / RANGE))
                        .filter(each -> Double.isFinite(each.error));
    }

    /**
     * The slope of log(lease) over log(active). The weights are the distances of the active numbers from their mean,
     * not of their logarithms: a short lease has extreme values, so the mean logarithm depends on a lease's length.
     */
    private static Elasticity slope(LeaseTrace trace, double[] active, double from) {
        Means means = new Means(trace, active, from);
        double[] rise = new double[PARTS];
        double[] run = new double[PARTS];
        long done = 0;
        for (int at = 0; at < trace.size; at++) {
            if (active[at] >= from) {
                int site = trace.site[at];
                int part = (int) (PARTS * done++ / means.leases);
                double weight = active[at] - means.active[site];
                rise[part] += weight * (Math.log((double) trace.lease[at]) - means.logLease[site]);
                run[part] += weight * (Math.log(active[at]) - means.logActive[site]);
            }
        }
        double allRise = Arrays.stream(rise).sum();
        double allRun = Arrays.stream(run).sum();
        double exponent = allRise / allRun;
        if (Arrays.stream(run).anyMatch(each -> each > MOST_OF_ONE * allRun)) {
            return new Elasticity(exponent, Double.POSITIVE_INFINITY);
        }
        // The jackknife: the standard error follows from estimates that each omit one part.
        double squares = 0;
        for (int part = 0; part < PARTS; part++) {
            double without = (allRise - rise[part]) / (allRun - run[part]);
            squares += (without - exponent) * (without - exponent);
        }
        return new Elasticity(exponent, Math.sqrt(squares * (PARTS - 1) / PARTS));
    }

    /** The means of each call site, over the leases with enough active leases. */
    private static final class Means {
        final double[] active;
        final double[] logActive;
        final double[] logLease;
        int leases;

        Means(LeaseTrace trace, double[] actives, double from) {
            int sites = trace.sites().size();
            int[] count = new int[sites];
            active = new double[sites];
            logActive = new double[sites];
            logLease = new double[sites];
            for (int at = 0; at < trace.size; at++) {
                if (actives[at] >= from) {
                    int site = trace.site[at];
                    count[site]++;
                    active[site] += actives[at];
                    logActive[site] += Math.log(actives[at]);
                    logLease[site] += Math.log((double) trace.lease[at]);
                    leases++;
                }
            }
            for (double[] sums : new double[][] {active, logActive, logLease}) {
                for (int site = 0; site < sites; site++) {
                    sums[site] /= Math.max(1, count[site]);
                }
            }
        }
    }

    /** Whether lease times certainly hardly depend on the number of active leases. */
    boolean hasCapacity() {
        return exponent + SURE * error <= CAPACITY;
    }

    /** Whether more connections would mostly make leases longer. */
    boolean bottleneck() {
        return exponent >= BOTTLENECK && exponent - SURE * error > CAPACITY;
    }

    /**
     * The missing evidence if neither {@link #hasCapacity()} nor {@link #bottleneck()} is certain, as the end of a sentence.
     */
    String doubt() {
        return "clearly how lease times depend on the number of active leases";
    }
}
