// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advisor.LeaseTrace.Ending;
import java.util.HashMap;
import java.util.Map;

/**
 * Recognises requests that repeat one that timed out: the same thread asks again at the same call site soon after. Threads of a
 * busy server do so for another user too, and then as often after a lease; so it needs to be clearly more frequent after a
 * timeout.
 */
final class Retries {
    /** Those that wait for longer before the next try are not recognised. */
    private static final long SOON_NANOS = 1_000_000_000L;
    /** Of fewer timeouts a share says little. */
    private static final int ENOUGH = 10;
    /** By how much the share that asks again is larger after a timeout than after a lease. */
    private static final double CLEARLY = 0.25;

    private static final int[] NONE = {};

    private Retries() {}

    /**
     * The next try of each request.
     *
     * @param arrival in ascending order
     * @param unknownSite the number of the call site that is not known; negative without one
     * @return for each request its next try, its own number if it has none; empty if none are recognised
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
