// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.internal.gate.Gate;
import java.lang.reflect.Field;
import java.sql.Connection;

/**
 * How many requests take a parked permit and how many releases park theirs, thread by thread: those that leave the
 * gate's word, which all threads share, as it was. A program, because the stripes follow from its JVM's processors;
 * {@link ParkedCyclesTest} runs it.
 */
final class ParkedCycles {
    static final String THREAD = "thread ";
    static final int CYCLES = 1000;
    /** Those that use the pool first, one cycle each, and are idle from then on. */
    static final int FIRST = 2;
    /** Those that follow, one after the other. */
    static final int FOLLOWERS = 8;
    /** Not counted: in these a thread may take its permit from another one. */
    static final int FEW = 5;

    private final FlexPoolDataSource pool;
    private final Gate gate;
    private final Field counts;

    private ParkedCycles(FlexPoolDataSource pool) throws ReflectiveOperationException {
        this.pool = pool;
        this.gate = new PoolGraph(pool).only(Gate.class);
        this.counts = Class.forName("io.flexpool.internal.gate.GateCounts").getDeclaredField("counts");
        counts.setAccessible(true);
    }

    /** Some cycles of the calling thread: {requests with a parked permit, releases that parked it}. */
    private int[] cycles(int number) throws Exception {
        int[] parked = new int[2];
        for (int cycle = 0; cycle < number; cycle++) {
            long before = counts.getLong(gate);
            Connection open = pool.getConnection();
            long within = counts.getLong(gate);
            open.close();
            parked[0] += within == before ? 1 : 0;
            parked[1] += counts.getLong(gate) == within ? 1 : 0;
        }
        return parked;
    }

    /** Arguments: the pool's limit, and how many of the followers have a stripe of their own. */
    public static void main(String[] arguments) throws Exception {
        int base = Integer.parseInt(arguments[0]);
        int stripes = Integer.parseInt(arguments[1]);
        StripeThreads threads = new StripeThreads(FIRST + stripes);
        ParkedCycles cycles = new ParkedCycles(SteadyPool.of("parked", base));
        for (int first = 0; first < FIRST; first++) {
            threads.on(first, () -> cycles.cycles(1));
        }
        for (int follower = 0; follower < FOLLOWERS; follower++) {
            int thread = FIRST + follower % stripes;
            threads.on(thread, () -> cycles.cycles(FEW));
            int[] parked = threads.on(thread, () -> cycles.cycles(CYCLES));
            System.out.println(THREAD + follower + ": " + parked[0] + " taken, " + parked[1] + " parked");
        }
    }
}
