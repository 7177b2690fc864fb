// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.LeaseBlock;
import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.pool.AcquisitionOutcome;
import java.io.IOException;
import java.util.Arrays;

/** Requests on their way to a file: a bounded number, beyond which they are lost and counted. For one thread at a time. */
final class Pending {
    /** A second at 200,000 a second, in 9 MB. */
    static final int MOST = 250_000;
    /** Room that stays when there was little to write. */
    private static final int FEW = 1_024;

    private static final int LONGS = 3;

    /** Arrival, wait and lease of each. */
    private long[] times = new long[LONGS * FEW];
    /** Its thread, whether it is nested, and whether it timed out. */
    private int[] facts = new int[FEW];

    private String[] sites = new String[FEW];
    private int size;
    private long lost;

    int size() {
        return size;
    }

    void add(LeaseBlock block) {
        lost += block.lost();
        for (int at = 0; at < block.size(); at++) {
            AcquisitionOutcome outcome = block.outcome(at);
            boolean late = outcome == AcquisitionOutcome.TIMEOUT || outcome == AcquisitionOutcome.REJECTED;
            // Of the others no pool's size is the reason.
            if (late || outcome == AcquisitionOutcome.OK) {
                if (size == MOST) {
                    lost++;
                } else {
                    add(block, at, late);
                }
            }
        }
    }

    private void add(LeaseBlock block, int at, boolean late) {
        if (size == facts.length) {
            int more = Math.min(MOST, 2 * size);
            times = Arrays.copyOf(times, LONGS * more);
            facts = Arrays.copyOf(facts, more);
            sites = Arrays.copyOf(sites, more);
        }
        times[LONGS * size] = block.arrivalNanos(at);
        times[LONGS * size + 1] = block.waitNanos(at);
        times[LONGS * size + 2] = block.leaseNanos(at);
        facts[size] = block.thread(at) << 2 | (block.nested(at) ? 2 : 0) | (late ? 1 : 0);
        sites[size++] = block.callSite(at);
    }

    /** Writes all of it, and is empty then. */
    void writeTo(TraceWriter file) throws IOException {
        file.addLost(lost);
        for (int at = 0; at < size; at++) {
            file.add(
                    times[LONGS * at],
                    times[LONGS * at + 1],
                    times[LONGS * at + 2],
                    (facts[at] & 1) == 0 ? Ending.RELEASED : Ending.TIMED_OUT,
                    sites[at],
                    facts[at] >>> 2,
                    (facts[at] & 2) != 0);
        }
        file.flush();
        if (facts.length > FEW && size < facts.length / 8) {
            times = new long[LONGS * FEW];
            facts = new int[FEW];
            sites = new String[FEW];
        }
        lost = 0;
        size = 0;
    }
}
