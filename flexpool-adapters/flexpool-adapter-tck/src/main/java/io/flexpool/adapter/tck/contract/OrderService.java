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
 * An application that uses its connections well or badly, so that a lack of connections has an explanation. Its
 * threads go on until it is closed; then everything is given back.
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

    /** One order: a connection for as long as the database takes. */
    void place(Duration inDatabase) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_sleep(" + inDatabase.toMillis() / 1e3 + ")");
        }
    }

    /** Customers who each place one order. */
    OrderService customers(int number, Duration inDatabase) {
        return start("customer-", number, () -> place(inDatabase));
    }

    /** Holds a connection while it waits for another service's answer. */
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

    /** Works with one statement after the other. */
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

    /** Takes a connection and returns without having closed it. */
    OrderService forgetting(int number) {
        return start("import-", number, this::importAll);
    }

    private void importAll() throws SQLException {
        forgotten.add(pool.getConnection());
        holding.incrementAndGet();
    }

    /** Asks for a second connection with one in hand, once all have one. */
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

    /** Waits until so many hold a connection. */
    OrderService holding(int number) throws InterruptedException {
        if (!Crowd.eventually(END, () -> holding.get() >= number)) {
            throw new IllegalStateException(holding + " of " + number + " hold a connection: " + failures);
        }
        return this;
    }

    /** What the threads got that ended by an exception. */
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
