// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import io.flexpool.adapter.tck.faults.Crowd;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * An application that uses its connections in good and bad ways, so that a shortage has an explanation. Its threads run
 * until the close, which returns all connections.
 */
final class OrderService implements AutoCloseable {
    private static final Duration END = Duration.ofMinutes(2);

    private final DataSource pool;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicInteger holding = new AtomicInteger();
    private final Queue<Connection> forgotten = new ConcurrentLinkedQueue<>();
    private final Queue<SQLException> failures = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();

    private interface Work {
        void run() throws SQLException, InterruptedException;
    }

    OrderService(DataSource pool) {
        this.pool = pool;
    }

    /** Places one order, which holds a connection during one statement. */
    void place(Duration inDatabase) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_sleep(" + inDatabase.toMillis() / 1e3 + ")");
        }
    }

    /** Starts customers that each place one order. */
    OrderService customers(int number, Duration inDatabase) {
        return start("customer-", number, () -> place(inDatabase));
    }

    /** Starts threads that hold a connection while they wait for another service. */
    OrderService charging(int number) {
        return start("payment-", number, this::charge);
    }

    private void charge() throws SQLException, InterruptedException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("select 1");
            holding.incrementAndGet();
            closing.await();
        }
    }

    /** Starts threads that execute one statement after another. */
    OrderService reporting(int number) {
        return start("report-", number, this::report);
    }

    private void report() throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            holding.incrementAndGet();
            while (closing.getCount() > 0) {
                statement.execute("select count(*) from pg_class");
            }
        }
    }

    /** Starts threads that take a connection and do not close it. */
    OrderService forgetting(int number) {
        return start("import-", number, this::importAll);
    }

    private void importAll() throws SQLException {
        forgotten.add(pool.getConnection());
        holding.incrementAndGet();
    }

    /** Starts threads that request a second connection after each has one. */
    OrderService transferring(int number) {
        return start("transfer-", number, () -> transfer(number));
    }

    private void transfer(int number) throws SQLException {
        try (Connection from = pool.getConnection()) {
            holding.incrementAndGet();
            Crowd.eventually(END, () -> holding.get() >= number);
            try (Connection to = pool.getConnection()) {
                to.setAutoCommit(from.getAutoCommit());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private OrderService start(String name, int number, Work work) {
        for (int at = 1; at <= number; at++) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            work.run();
                        } catch (SQLException e) {
                            failures.add(e);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    },
                    name + at);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        return this;
    }

    /** Waits until a number of threads hold a connection. */
    OrderService holding(int number) throws InterruptedException {
        if (!Crowd.eventually(END, () -> holding.get() >= number)) {
            throw new IllegalStateException(holding + " of " + number + " hold a connection: " + failures);
        }
        return this;
    }

    /** The exceptions of failed threads. */
    List<SQLException> failures() {
        return List.copyOf(failures);
    }

    /** Waits until all threads have ended. */
    OrderService done() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(END.toMillis());
        }
        return this;
    }

    @Override
    public void close() throws SQLException {
        closing.countDown();
        try {
            done();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Connection connection : forgotten) {
            connection.close();
        }
    }
}
