// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advisor.LeaseTrace.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Separates leaks and long jobs from the load for which a size is chosen. In a common replay a few of them would decide
 * the size for all requests. A job needs additional connections beside the rest, and a leak must be fixed.
 */
final class SetAside {
    /** The age from which an open lease that is far older than usual leases counts as a leak. */
    private static final long LEAK_NANOS = Duration.ofMinutes(10).toNanos();
    /** The median lease time from which a call site counts as a job. */
    private static final long JOB_NANOS = Duration.ofSeconds(30).toNanos();

    private static final int FAR = 20;

    /** The same age for short records, provided that no released lease was nearly as long. */
    private static final long YOUNG_LEAK_NANOS = Duration.ofSeconds(10).toNanos();

    private static final int LONGEST = 5;

    /** The separated leases of one call site, and the connections that they held at once. */
    record Aside(String site, boolean leak, int requests, int connections) {}

    final LeaseTrace rest;
    final List<Aside> asides;

    private SetAside(LeaseTrace rest, List<Aside> asides) {
        this.rest = rest;
        this.asides = asides;
    }

    static SetAside of(LeaseTrace trace) {
        long usual = medianLease(trace, NO_SITE);
        Set<Integer> jobs = new HashSet<>();
        for (int site = 0; site < trace.sites().size(); site++) {
            if (medianLease(trace, site) >= Math.max(JOB_NANOS, FAR * usual)) {
                jobs.add(site);
            }
        }
        long longest = longestLease(trace);
        long young = longest == 0 ? Long.MAX_VALUE : Math.max(YOUNG_LEAK_NANOS, LONGEST * longest);
        boolean[] leaked = new boolean[trace.size];
        for (int at = 0; at < trace.size; at++) {
            leaked[at] = trace.ending(at) == Ending.OPEN
                    && trace.lease[at] >= Math.min(Math.max(LEAK_NANOS, FAR * usual), young)
                    && !jobs.contains(trace.site[at]);
        }
        List<Aside> asides = new ArrayList<>();
        for (int site = 0; site < trace.sites().size(); site++) {
            add(asides, trace, site, true, leaked);
            if (jobs.contains(site)) {
                add(asides, trace, site, false, all(trace.size));
            }
        }
        LeaseTrace rest = asides.isEmpty()
                ? trace
                : trace.only(requests(trace, at -> !leaked[at] && !jobs.contains(trace.site[at])));
        return new SetAside(rest, List.copyOf(asides));
    }

    /** The number of connections that the jobs need beside the rest. */
    int jobConnections() {
        return asides.stream()
                .filter(aside -> !aside.leak())
                .mapToInt(Aside::connections)
                .sum();
    }

    private static final int NO_SITE = -1;

    /** The median of the released leases of one call site, or of all sites; 0 without any. */
    private static long medianLease(LeaseTrace trace, int site) {
        long[] leases = new long[trace.size];
        int count = 0;
        for (int at = 0; at < trace.size; at++) {
            if (trace.ending(at) == Ending.RELEASED && (site == NO_SITE || trace.site[at] == site)) {
                leases[count++] = trace.lease[at];
            }
        }
        Arrays.sort(leases, 0, count);
        return count == 0 ? 0 : leases[count / 2];
    }

    /** The longest released lease; 0 without any. */
    private static long longestLease(LeaseTrace trace) {
        long longest = 0;
        for (int at = 0; at < trace.size; at++) {
            longest = trace.ending(at) == Ending.RELEASED ? Math.max(longest, trace.lease[at]) : longest;
        }
        return longest;
    }

    private static void add(List<Aside> asides, LeaseTrace trace, int site, boolean leak, boolean[] among) {
        int[] requests = requests(trace, at -> among[at] && trace.site[at] == site);
        if (requests.length > 0) {
            int most = Demand.recorded(trace.only(requests)).max();
            asides.add(new Aside(trace.sites().get(site), leak, requests.length, most));
        }
    }

    private static boolean[] all(int size) {
        boolean[] all = new boolean[size];
        Arrays.fill(all, true);
        return all;
    }

    @FunctionalInterface
    private interface Selection {
        boolean has(int request);
    }

    private static int[] requests(LeaseTrace trace, Selection selection) {
        int[] requests = new int[trace.size];
        int count = 0;
        for (int at = 0; at < trace.size; at++) {
            if (selection.has(at)) {
                requests[count++] = at;
            }
        }
        return Arrays.copyOf(requests, count);
    }
}
