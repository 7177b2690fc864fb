// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.FlexPoolDataSource;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Prints what an idle pool keeps, and the processor time of flexpool's threads. A program, for {@link IdlePoolTest}: it needs a heap of
 * its own. Arguments: the limit of each pool, 0 if it is only watched; for how many seconds it measures.
 */
final class IdlePools {
    /** Before the first measurement: what all pools share comes with the first of them, and goes partly. */
    private static final int FIRST = 20;

    private static final int POOLS = 60;
    private static final int USERS = 10;
    private static final int CALLS = 100;

    private IdlePools() {}

    private static long kept() {
        for (int at = 0; at < 3; at++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static long threadNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().startsWith("flexpool-")) {
                sum += Math.max(0, threads.getThreadCpuTime(thread.getThreadId()));
            }
        }
        return sum;
    }

    private static void use(FlexPoolDataSource pool) throws InterruptedException {
        for (int at = 0; at < USERS; at++) {
            Thread user = new Thread(() -> {
                for (int call = 0; call < CALLS; call++) {
                    try {
                        pool.getConnection().close();
                    } catch (SQLException refused) {
                        throw new IllegalStateException(refused);
                    }
                }
            });
            user.start();
            user.join();
        }
    }

    private static void add(List<FlexPoolDataSource> pools, int base, int size) throws InterruptedException {
        for (int at = pools.size(); at < size; at++) {
            pools.add(SteadyPool.of("idle-" + at, base));
            use(pools.get(at));
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int base = Integer.parseInt(arguments[0]);
        int seconds = Integer.parseInt(arguments[1]);
        List<FlexPoolDataSource> pools = new ArrayList<>();
        kept();
        long begun = System.nanoTime();
        pools.add(SteadyPool.of("idle-0", base));
        System.out.println("first-build-micros " + (System.nanoTime() - begun) / 1000);
        use(pools.get(0));
        add(pools, base, FIRST);
        long before = kept();
        add(pools, base, POOLS);
        System.out.println("kept-bytes " + (kept() - before) / (POOLS - FIRST));
        long nanos = threadNanos();
        TimeUnit.SECONDS.sleep(seconds);
        System.out.println("idle-micros " + (threadNanos() - nanos) / 1000 / POOLS);
        System.out.println("pools " + pools.size());
        System.exit(0);
    }
}
