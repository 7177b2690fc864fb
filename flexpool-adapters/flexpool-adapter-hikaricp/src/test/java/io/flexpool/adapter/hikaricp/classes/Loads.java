// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.hikaricp.classes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The requests of the experiments, as Poisson streams. The same seed gives the same requests to each way to share.
 *
 * @param connections how many there are in all
 * @param work how long a lease lasts, seconds
 * @param seconds how long the part lasts that is measured
 * @param waiters how many requests of a storm come at once
 * @param seed of the streams
 */
record Loads(int connections, double work, double seconds, int waiters, long seed) {
    /** Tenants of the experiment with tenants, the greedy one included, which is the first. */
    static final int TENANTS = 10;

    /** Before the part that is measured, and after an overload; shorter where that part is short. */
    private static final double CALM_SECONDS = 4;

    private static final double RECOVERY_SECONDS = 15;
    /** How long a caller has a use for a connection, in leases. */
    static final double DEADLINE_LEASES = 10;

    private static final double STORM_LEASES = 4;
    private static final double STORM_SECONDS = 0.05;

    /** Of the connections' work, what interactive requests need all the time, and batch work in calm and in overload. */
    private static final double HIGH = 0.4;

    private static final double LOW_CALM = 0.1;
    private static final double LOW_OVERLOAD = 1.6;
    private static final double TENANTS_CALM = 0.6;
    private static final int GREEDY = 10;
    private static final double STORM_CALM = 0.8;

    /** When the part begins that is measured. */
    double begins() {
        return Math.min(CALM_SECONDS, seconds);
    }

    /** When it ends. */
    double ends() {
        return begins() + seconds;
    }

    private double after() {
        return ends() + Math.min(RECOVERY_SECONDS, 5 * seconds);
    }

    /** Whether a request belongs to the part that is measured. */
    boolean measures(Ask ask) {
        return ask.at() >= begins() && ask.at() < ends();
    }

    /** What the connections can do, leases a second. */
    double capacity() {
        return connections / work;
    }

    private double deadline() {
        return DEADLINE_LEASES * work;
    }

    /** Twice what the connections can do, and before and after it half of it. */
    List<Ask> overload() {
        SplittableRandom random = new SplittableRandom(seed);
        List<Ask> asks = new ArrayList<>();
        poisson(asks, random.split(), 0, after(), HIGH, Sharing.INTERACTIVE, 0);
        poisson(asks, random.split(), 0, begins(), LOW_CALM, Sharing.BATCH, 1);
        poisson(asks, random.split(), begins(), ends(), LOW_OVERLOAD, Sharing.BATCH, 1);
        poisson(asks, random.split(), ends(), after(), LOW_CALM, Sharing.BATCH, 1);
        return sorted(asks);
    }

    /** Ten tenants, the first one with its share or with ten times of it. */
    List<Ask> tenants(boolean greedy) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Ask> asks = new ArrayList<>();
        for (int tenant = 0; tenant < TENANTS; tenant++) {
            double share = TENANTS_CALM / TENANTS * (greedy && tenant == 0 ? GREEDY : 1);
            poisson(asks, random.split(), 0, ends(), share, Sharing.INTERACTIVE, tenant);
        }
        return sorted(asks);
    }

    /** A steady load of both kinds, and perhaps many requests at once that wait for less time than they would have to. */
    List<Ask> storm(boolean strikes) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Ask> asks = new ArrayList<>();
        poisson(asks, random.split(), 0, ends(), STORM_CALM / 2, Sharing.INTERACTIVE, 0);
        poisson(asks, random.split(), 0, ends(), STORM_CALM / 2, Sharing.BATCH, 0);
        IntStream.range(0, strikes ? waiters : 0)
                .mapToDouble(at -> begins() + STORM_SECONDS * at / waiters)
                .forEach(at -> asks.add(new Ask(at, Sharing.INTERACTIVE, 1, work, STORM_LEASES * work)));
        return sorted(asks);
    }

    private void poisson(
            List<Ask> asks, SplittableRandom random, double from, double until, double share, String kind, int tenant) {
        double at = from;
        while ((at -= Math.log(1 - random.nextDouble()) / (share * capacity())) < until) {
            asks.add(new Ask(at, kind, tenant, work, deadline()));
        }
    }

    private static List<Ask> sorted(List<Ask> asks) {
        asks.sort(Comparator.comparingDouble(Ask::at));
        return asks;
    }
}
