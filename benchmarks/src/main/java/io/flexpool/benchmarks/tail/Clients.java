// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import com.sun.management.OperatingSystemMXBean;
import io.flexpool.benchmarks.kit.CountingDataSource;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** All clients of one JVM: starts them, begins and ends the windows, reads the processor time in between. Runs once. */
final class Clients {
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final TailLoad load;
    private final CountingDataSource driver;
    private final Windows windows;
    private final List<Thread> threads;

    /**
     * Nothing runs yet.
     *
     * @param load what the clients do
     * @param source what they take their connections from
     * @param driver where the pool behind it takes its own from
     */
    Clients(TailLoad load, DataSource source, CountingDataSource driver) {
        this.load = load;
        this.driver = driver;
        windows = new Windows(load.repeat(), load.threads());
        threads = IntStream.range(0, load.threads())
                .mapToObj(number -> thread(number, new Client(number, source, load, windows)))
                .toList();
    }

    private static Thread thread(int number, Client client) {
        Thread thread = new Thread(client, "tail-client-" + number);
        thread.setDaemon(true);
        return thread;
    }

    /** The clocks at one moment. */
    private record Clocks(long nanos, long cpuNanos, long clientCpuNanos) {
        Tally.Taken since(Clocks earlier) {
            return new Tally.Taken(
                    nanos - earlier.nanos, cpuNanos - earlier.cpuNanos, clientCpuNanos - earlier.clientCpuNanos);
        }
    }

    /**
     * Runs the warm-up and all windows.
     *
     * @return one for each window
     * @throws IllegalStateException if a client fails, or if the pool has not opened all its connections by the end of
     *     the warm-up
     */
    List<TailWindow> run() throws InterruptedException {
        List<Tally.Taken> taken = new ArrayList<>();
        List<Integer> mostOpen = new ArrayList<>();
        threads.forEach(Thread::start);
        try {
            warmUp();
            Clocks before = clocks();
            for (int window = 0; window < load.repeat(); window++) {
                windows.begin(window);
                windows.await(TimeUnit.SECONDS.toNanos(load.seconds()));
                Clocks after = clocks();
                taken.add(after.since(before));
                mostOpen.add(driver.peak());
                before = after;
            }
        } finally {
            windows.begin(windows.over());
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return IntStream.range(0, load.repeat())
                .mapToObj(window -> windows.tallies().get(window).window(taken.get(window), mostOpen.get(window)))
                .toList();
    }

    /** With a collection in it, because every JVM that lives has had one, and some objects then lie side by side. */
    private void warmUp() throws InterruptedException {
        long half = TimeUnit.SECONDS.toNanos(load.warmUpSeconds()) / 2;
        windows.await(half);
        System.gc();
        windows.await(half);
        int open = driver.open();
        if (open < load.pool()) {
            throw new IllegalStateException("only " + open + " of " + load.pool()
                    + " connections were open at the end of the warm-up, which has to be longer");
        }
    }

    private Clocks clocks() {
        long ofClients = threads.stream()
                .mapToLong(thread -> THREADS.getThreadCpuTime(thread.getId()))
                .sum();
        return new Clocks(System.nanoTime(), PROCESS.getProcessCpuTime(), ofClients);
    }
}
