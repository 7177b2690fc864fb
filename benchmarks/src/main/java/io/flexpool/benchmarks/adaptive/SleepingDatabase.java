// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.benchmarks.simulate.Scenario.Phase;
import io.flexpool.benchmarks.simulate.Usl;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets a real database take as long as a curve says: each request sleeps there, as long as it is stretched by those that
 * sleep when it begins, itself included. They are counted here, by who sends them, and not in the server: a look at
 * {@code pg_stat_activity} would cost more than the request, and would count the requests of those who run beside.
 */
final class SleepingDatabase implements Work {
    private static final double NANOS = 1e9;

    private final Usl curve;
    private final AtomicInteger atOnce = new AtomicInteger();

    SleepingDatabase(Usl curve) {
        this.curve = curve;
    }

    /** Does the work of one request, and what the network and the application add to it with the connection out. */
    @Override
    public void serve(Connection connection, double workSeconds, Phase phase) throws SQLException {
        int now = atOnce.incrementAndGet();
        try (PreparedStatement sleep = connection.prepareStatement("select pg_sleep(?)")) {
            sleep.setDouble(1, workSeconds * phase.workFactor() * curve.stretch(now));
            sleep.execute();
        } finally {
            atOnce.decrementAndGet();
        }
        pause(workSeconds * phase.delayFactor() + phase.holdSeconds());
    }

    private static void pause(double seconds) {
        long end = System.nanoTime() + (long) (seconds * NANOS);
        long left;
        while ((left = end - System.nanoTime()) > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(left);
        }
    }
}
