// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.util.Arrays;
import java.util.Optional;

/**
 * How much longer leases get when more of them are active: the exponent e in "lease ∝ active<sup>e</sup>". 0 is a database
 * with room; 1 is one that does no more work however many connections it has, so that each lease takes longer by what the
 * others add. A replay takes leases as they were, so beyond the observed sizes it holds only near 0.
 *
 * @param exponent the estimate
 * @param error its standard error
 */
record Elasticity(double exponent, double error) {
    /** From here on more connections mostly make leases longer. */
    private static final double BOTTLENECK = 0.6;
    /** Up to here leases hardly depend on how many are active. */
    private static final double ROOM = 0.25;
    /** 95 % of estimates are within so many standard errors. */
    private static final double SURE = 2;

    /** Fewer leases are noise. */
    private static final int ENOUGH = 200;
    /** Without so different numbers of active leases a slope is a guess. */
    private static final double RANGE = 2;
    /** Parts of the record, one behind the other. */
    private static final int PARTS = 20;
    /** If a single part has more of what shows a slope, that may be nothing but its cold caches. */
    private static final double MOST_OF_ONE = 0.5;

    /**
     * Compares leases of the same call site. How many are active is the mean over a lease: at its begin others may be on their
     * way from one request to the next, which would make a pool that is always full look like one with quiet moments. What
     * was seen far below the most is left out: below its knee each database has room.
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
     * Of the logarithms of leases over those of active leases. The latter's distances from their mean are weights of each
     * lease, not those of their logarithms, whose mean would depend on the length of a lease: a short one sees extremes.
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
        // The jackknife: what the parts agree on is left when one of them is left out.
        double squares = 0;
        for (int part = 0; part < PARTS; part++) {
            double without = (allRise - rise[part]) / (allRun - run[part]);
            squares += (without - exponent) * (without - exponent);
        }
        return new Elasticity(exponent, Math.sqrt(squares * (PARTS - 1) / PARTS));
    }

    /** By call site, of the leases during which enough others were active. */
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

    /** Whether it is certain that leases hardly depend on how many are active. */
    boolean room() {
        return exponent + SURE * error <= ROOM;
    }

    /** Whether more connections would mostly make leases longer. */
    boolean bottleneck() {
        return exponent >= BOTTLENECK && exponent - SURE * error > ROOM;
    }

    /** What a record does not show where neither is certain, as the end of a sentence. */
    String doubt() {
        return "clearly how lease times depend on the number of active leases";
    }
}
