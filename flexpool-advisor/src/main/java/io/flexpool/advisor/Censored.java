// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advisor.LeaseTrace.Ending;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Assigns a lease to each request that timed out: a recorded lease of the same call site, or of any site if that site
 * has too few. These requests would have needed a connection too, and a replay without them recommends far too few
 * connections.
 */
final class Censored {
    /** The minimum number of leases for a call site to be used. */
    private static final int ENOUGH = 20;

    private Censored() {}

    /** The trace with a lease for each request. Deterministic. */
    static LeaseTrace completed(LeaseTrace trace) {
        if (trace.count(Ending.TIMED_OUT) == 0) {
            return trace.withLeases(trace.lease);
        }
        int[][] known = knownBySite(trace);
        int[] all = known[known.length - 1];
        SplittableRandom random = new SplittableRandom(trace.size);
        long[] leases = trace.lease.clone();
        for (int at = 0; at < trace.size; at++) {
            if (trace.ending(at) == Ending.TIMED_OUT) {
                int[] alike = known[trace.site[at]].length >= ENOUGH ? known[trace.site[at]] : all;
                leases[at] = alike.length == 0 ? 0 : trace.lease[alike[random.nextInt(alike.length)]];
            }
        }
        return trace.withLeases(leases);
    }

    /** The requests with a lease, by call site; the last element has all of them. */
    private static int[][] knownBySite(LeaseTrace trace) {
        int sites = trace.sites().size();
        int[][] known = new int[sites + 1][16];
        int[] counts = new int[sites + 1];
        for (int at = 0; at < trace.size; at++) {
            if (trace.ending(at) != Ending.TIMED_OUT) {
                for (int list : new int[] {trace.site[at], sites}) {
                    if (counts[list] == known[list].length) {
                        known[list] = Arrays.copyOf(known[list], 2 * counts[list]);
                    }
                    known[list][counts[list]++] = at;
                }
            }
        }
        for (int list = 0; list <= sites; list++) {
            known[list] = Arrays.copyOf(known[list], counts[list]);
        }
        return known;
    }
}
