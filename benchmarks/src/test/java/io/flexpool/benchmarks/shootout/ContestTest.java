// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.adapter.tck.database.MinimalDataSource;
import io.flexpool.benchmarks.kit.CountingDataSource;
import io.flexpool.benchmarks.shootout.Assignment.Round;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ContestTest {
    /** Opens its min in the background, and one more per earlier request; never closes any. */
    private static final class Slow extends MinimalDataSource {
        private final CountingDataSource driver;
        private final Queue<Connection> idle = new ConcurrentLinkedQueue<>();

        Slow(CountingDataSource driver) {
            this.driver = driver;
            Thread filler = new Thread(this::fill, "filler");
            filler.setDaemon(true);
            filler.start();
        }

        private void fill() {
            try {
                for (int at = 0; at < Sizes.MIN; at++) {
                    LockSupport.parkNanos(2_000_000);
                    idle.add(driver.getConnection());
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection taken = idle.poll();
            // Closing one closes it: this scenario's cycles never need one twice.
            return taken == null ? driver.getConnection() : taken;
        }
    }

    @Test
    void theFirstRequestWaitsUntilThePoolIsFilled() throws Exception {
        CountingDataSource driver = new CountingDataSource(new StubQueries());

        Heat heat = Contest.heat(new Slow(driver), driver, new Round(1, 3, 0));

        assertThat(heat.answered()).isEqualTo(3);
        assertThat(heat.peak()).isEqualTo(Sizes.MIN);
        // The first request's connection and those of the three cycles are closed.
        assertThat(heat.openAtStart()).isEqualTo(Sizes.MIN - 1);
        assertThat(heat.openAtEnd()).isEqualTo(Sizes.MIN - 4);
    }
}
