// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advisor.LeaseTrace.Ending;
import java.util.HashMap;
import java.util.Map;

/**
 * Recognises repetitions of requests that timed out: the same thread requests again at the same call site soon after.
 * Threads of a busy server do so for other users too, and then as often after a lease. So repetitions must be clearly
 * more frequent after a timeout.
 */
final class Retries {
    /** The longest pause before a recognised repetition. */
    private static final long SOON_NANOS = 1_000_000_000L;
    /** The minimum number of timeouts. */
    private static final int ENOUGH = 10;
    /** The minimum difference between the shares of repetitions after a timeout and after a lease. */
    private static final double CLEARLY = 0.25;

    private static final int[] NONE = {};

    private Retries() {}

    /**
     * Finds the next try of each request.
     *
     * @param arrival in ascending order
     * @param unknownSite the number of the unknown call site; negative without one
     * @return the next try of each request, or its own number without one; empty if no repetitions are recognised
     */
    static int[] of(
            long[] arrival,
            long[] wait,
            long[] lease,
            byte[] ending,
            int[] site,
            long[] thread,
            boolean[] inner,
            int unknownSite) {
        int[] again = new int[arrival.length];
        int[] leases = new int[2];
        int[] timeouts = new int[2];
        Map<Long, Integer> last = new HashMap<>();
        for (int at = 0; at < again.length; at++) {
            again[at] = at;
            Integer before = thread[at] == 0 ? null : last.put(thread[at], at);
            if (before != null && ending[before] != Ending.OPEN.code && !inner[at] && !inner[before]) {
                boolean timedOut = ending[before] == Ending.TIMED_OUT.code;
                long gap = arrival[at] - (arrival[before] + wait[before] + lease[before]);
                boolean here = site[at] == site[before] || site[at] == unknownSite || site[before] == unknownSite;
                boolean soon = gap >= 0 && gap <= SOON_NANOS && here;
                int[] counts = timedOut ? timeouts : leases;
                counts[0]++;
                counts[1] += soon ? 1 : 0;
                again[before] = timedOut && soon ? at : before;
            }
        }
        boolean clear = timeouts[0] >= ENOUGH && share(timeouts) >= share(leases) + CLEARLY;
        return clear ? again : NONE;
    }

    private static double share(int[] counts) {
        return counts[0] == 0 ? 0 : (double) counts[1] / counts[0];
    }
}
