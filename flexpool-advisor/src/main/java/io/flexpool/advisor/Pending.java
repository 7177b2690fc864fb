// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advisor.LeaseTrace.Ending;
import io.flexpool.diagnostics.OpenLease;
import io.flexpool.pool.AcquisitionOutcome;
import io.flexpool.spi.LeaseSink.LeaseBlock;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** A bounded buffer of requests to write; further requests are lost and counted. For one thread at a time. */
final class Pending {
    /** More than one second at 200,000 requests a second, in 10 MB. */
    static final int MOST = 250_000;
    /** The capacity that is kept if little was written. */
    private static final int FEW = 1_024;

    private static final int LONGS = 3;
    /** The flag of a nested request, above the codes of endings. */
    private static final int NESTED = 1 << 2;

    private static final int THREAD_SHIFT = 3;

    /** The arrival, wait and lease of each request. */
    private long[] times = new long[LONGS * FEW];
    /** The thread number, the nested flag and the ending of each request. */
    private int[] facts = new int[FEW];

    private String[] sites = new String[FEW];
    private String[] classes = new String[FEW];
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
            // Other outcomes do not depend on the pool's size.
            if (late || outcome == AcquisitionOutcome.OK) {
                add(
                        block.arrivalNanos(at),
                        block.waitNanos(at),
                        block.leaseNanos(at),
                        block.thread(at) << THREAD_SHIFT
                                | (block.nested(at) ? NESTED : 0)
                                | (late ? Ending.TIMED_OUT : Ending.RELEASED).code,
                        block.callSite(at),
                        block.requestClass(at));
            }
        }
    }

    /** Adds open leases; their waits are unknown. */
    void addOpen(List<OpenLease> leases, long nowNanos) {
        for (OpenLease lease : leases) {
            long age = lease.age().toNanos();
            String site = lease.callSite();
            int thread = LeaseHistory.threadNumber(lease);
            add(nowNanos - age, 0, age, thread << THREAD_SHIFT | Ending.OPEN.code, site == null ? "" : site, "");
        }
    }

    private void add(long arrivalNanos, long waitNanos, long leaseNanos, int fact, String site, String requestClass) {
        if (size == MOST) {
            lost++;
            return;
        }
        if (size == facts.length) {
            int more = Math.min(MOST, 2 * size);
            // Allocates all arrays before any is replaced, because memory may run out.
            long[] moreTimes = Arrays.copyOf(times, LONGS * more);
            int[] moreFacts = Arrays.copyOf(facts, more);
            String[] moreSites = Arrays.copyOf(sites, more);
            classes = Arrays.copyOf(classes, more);
            times = moreTimes;
            sites = moreSites;
            facts = moreFacts;
        }
        times[LONGS * size] = arrivalNanos;
        times[LONGS * size + 1] = waitNanos;
        times[LONGS * size + 2] = leaseNanos;
        facts[size] = fact;
        classes[size] = requestClass;
        sites[size++] = site;
    }

    /** Writes and removes all requests. If memory runs out, some are lost and counted. */
    void writeTo(TraceWriter file) throws IOException {
        file.addLost(lost);
        lost = 0;
        int at = 0;
        try {
            for (; at < size; at++) {
                file.inClass(classes[at])
                        .add(
                                times[LONGS * at],
                                times[LONGS * at + 1],
                                times[LONGS * at + 2],
                                Ending.of(facts[at] & (NESTED - 1)),
                                sites[at],
                                facts[at] >>> THREAD_SHIFT,
                                (facts[at] & NESTED) != 0);
            }
            file.flush();
        } catch (VirtualMachineError noMemory) {
            file.discard();
            file.addLost(size - at);
        }
        if (facts.length > FEW && size < facts.length / 8) {
            times = new long[LONGS * FEW];
            facts = new int[FEW];
            sites = new String[FEW];
            classes = new String[FEW];
        }
        size = 0;
    }
}
