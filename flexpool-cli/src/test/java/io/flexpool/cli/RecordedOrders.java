// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** An application that has a pool of HikariCP with two connections, and no flexpool. */
final class RecordedOrders {
    private static final int ROUNDS = 5;

    private RecordedOrders() {}

    /** Six threads hold a connection for 60 ms each, five times: four of them wait most of the time. */
    public static void main(String[] args) throws InterruptedException {
        run(6, Duration.ofMillis(60));
    }

    static void run(int threads, Duration hold) throws InterruptedException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:h2:mem:recorded");
        config.setMaximumPoolSize(2);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            // Twice: the first two threads may keep the connections, and then each of the four others waits only once.
            crowd(threads, hold, pool);
            crowd(threads, hold, pool);
        }
    }

    private static void crowd(int threads, Duration hold, HikariDataSource pool) throws InterruptedException {
        List<Thread> crowd = new ArrayList<>();
        // A busy machine would start them one after the other, and fewer would wait at once.
        CyclicBarrier together = new CyclicBarrier(threads);
        for (int at = 0; at < threads; at++) {
            crowd.add(new Thread(() -> {
                begin(together);
                find(pool, hold);
            }));
        }
        crowd.forEach(Thread::start);
        for (Thread thread : crowd) {
            thread.join();
        }
    }

    private static void begin(CyclicBarrier together) {
        try {
            together.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void find(HikariDataSource pool, Duration hold) {
        for (int round = 0; round < ROUNDS; round++) {
            try (Connection connection = pool.getConnection()) {
                if (connection.isClosed()) {
                    throw new IllegalStateException("a closed connection");
                }
                Thread.sleep(hold.toMillis());
            } catch (SQLException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
