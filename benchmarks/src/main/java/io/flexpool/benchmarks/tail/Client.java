// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.tail;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One client: takes a connection, keeps it as long as the load says, gives it back and at once asks again. Run by one
 * thread.
 */
final class Client implements Runnable {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int number;
    private final DataSource source;
    private final Windows windows;
    private final int timedEvery;
    private final long holdNanos;
    private final long burnHeldNanos;
    private final long burnBetweenNanos;

    /**
     * Makes what {@link #untimed} holds reachable from elsewhere, as an application's connection is: else the compiler
     * would not allocate the bare pool's at all. A new array each time, because a store into an old one costs the
     * collector's barrier, and one for each client, because a line that all write would be what is measured.
     */
    @SuppressWarnings("unused") // being written is its purpose
    private volatile Connection @Nullable [] lastHand;

    Client(int number, DataSource source, TailLoad load, Windows windows) {
        this.number = number;
        this.source = source;
        this.windows = windows;
        timedEvery = load.timedEvery();
        holdNanos = TimeUnit.MICROSECONDS.toNanos(load.holdMicros());
        burnHeldNanos = TimeUnit.MICROSECONDS.toNanos(load.burnHeldMicros());
        burnBetweenNanos = TimeUnit.MICROSECONDS.toNanos(load.burnBetweenMicros());
    }

    /** Until all windows are over, or until a request fails. */
    @Override
    public void run() {
        try {
            serve();
        } catch (SQLException | RuntimeException e) {
            windows.fail(e);
        }
    }

    private void serve() throws SQLException {
        Tally.Share share = new Tally.Share();
        int counted = windows.current();
        while (counted != windows.over()) {
            long requested = System.nanoTime();
            Connection connection = source.getConnection();
            long acquired = System.nanoTime();
            hold();
            long ended = System.nanoTime();
            connection.close();
            untimed();
            burn(burnBetweenNanos);
            int now = windows.current();
            if (now != counted) {
                windows.add(counted, number, share);
                counted = now;
            }
            share.add(acquired - requested, ended - acquired, timedEvery);
        }
    }

    /** The requests between two timed ones. */
    private void untimed() throws SQLException {
        if (timedEvery == 1) {
            return;
        }
        Connection[] hand = new Connection[1];
        lastHand = hand;
        for (int at = 1; at < timedEvery; at++) {
            Connection connection = source.getConnection();
            hand[0] = connection;
            connection.close();
        }
    }

    private void hold() {
        burn(burnHeldNanos);
        if (holdNanos > 0) {
            long end = System.nanoTime() + holdNanos;
            // A pool may have unparked this thread once more than it had to, and a park then returns at once.
            for (long left = holdNanos; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    /** Processor time and not wall time: a client that waits for a processor has not done its work yet. */
    private static void burn(long nanos) {
        if (nanos > 0) {
            long end = THREADS.getCurrentThreadCpuTime() + nanos;
            while (THREADS.getCurrentThreadCpuTime() < end) {
                Thread.onSpinWait();
            }
        }
    }
}
