// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import io.flexpool.benchmarks.kit.Waiting;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets a real database take as long as a curve says: each request sleeps there, as long as it is stretched by those that
 * sleep when it begins, itself included. They are counted here, by who sends them, and not in the server: a look at
 * {@code pg_stat_activity} would cost more than the request, and would count the requests of those who run beside.
 */
final class SleepingDatabase {
    private static final double NANOS = 1e9;

    private final Usl curve;
    private final AtomicInteger atOnce = new AtomicInteger();

    SleepingDatabase(Usl curve) {
        this.curve = curve;
    }

    /**
     * Does the work of one request, and what the network and the application add to it with the connection out.
     *
     * @param workSeconds what it takes alone in the usual database
     * @param phase the stretch of the scenario in which it begins
     */
    void serve(Connection connection, double workSeconds, Phase phase) throws SQLException {
        int now = atOnce.incrementAndGet();
        try (PreparedStatement sleep = connection.prepareStatement("select pg_sleep(?)")) {
            sleep.setDouble(1, workSeconds * phase.workFactor() * curve.stretch(now));
            sleep.execute();
        } finally {
            atOnce.decrementAndGet();
        }
        double beside = workSeconds * phase.delayFactor() + phase.holdSeconds();
        Waiting.until(System.nanoTime() + (long) (beside * NANOS));
    }
}
