// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor.scenario;

import io.flexpool.advisor.LeaseTrace;
import io.flexpool.advisor.LeaseTrace.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A process that leaves traces.
 *
 * @param arrivals how requests come
 * @param leases how long their leases are
 * @param demand how many leases are open on average in a pool without end
 */
record LoadProcess(Arrivals arrivals, LeaseLaw leases, double demand) {
    private static final double[] DEMANDS = {3, 12};
    private static final double MEAN_LEASE_SECONDS = 0.02;
    private static final double NANOS = 1e9;

    /** All of them. */
    static List<LoadProcess> all() {
        List<LoadProcess> all = new ArrayList<>();
        for (Arrivals arrivals : Arrivals.values()) {
            for (LeaseLaw leases : LeaseLaw.values()) {
                for (double demand : DEMANDS) {
                    all.add(new LoadProcess(arrivals, leases, demand));
                }
            }
        }
        return all;
    }

    /** One trace, recorded in a pool in which nothing waits; another for each seed. */
    LeaseTrace trace(long seed, Duration span) {
        SplittableRandom random = new SplittableRandom(31L * name().hashCode() + seed);
        double rate = demand / MEAN_LEASE_SECONDS;
        LeaseTrace.Builder trace = LeaseTrace.builder();
        SplittableRandom lengths = random.split();
        for (double at : arrivals.seconds(random, rate, span.toNanos() / NANOS)) {
            long lease = (long) (leases.draw(lengths) * MEAN_LEASE_SECONDS * NANOS);
            trace.add((long) (at * NANOS), 0, lease, Ending.RELEASED, "", 0);
        }
        return trace.build();
    }

    /** A text's hash is the same in each JVM, as a constant's is not. */
    private String name() {
        return arrivals.name() + leases.name() + demand;
    }
}
