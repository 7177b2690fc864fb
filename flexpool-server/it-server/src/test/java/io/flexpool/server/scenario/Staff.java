// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.scenario;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;

/** The application's threads. Each method's name is a call site, so that an explanation can name who did it. */
final class Staff implements AutoCloseable {
    static final String UPDATE = "update account set balance = balance - 1 where id = 1";
    private static final String LOCK = "select pg_advisory_lock(42)";

    private final DataSource pool;
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final Set<Statement> running = ConcurrentHashMap.newKeySet();

    Staff(DataSource pool) {
        this.pool = pool;
    }

    private interface Work {
        void run() throws SQLException, InterruptedException;
    }

    private void start(int number, Work work) {
        for (int at = 0; at < number; at++) {
            Thread thread = new Thread(
                    () -> {
                        try {
                            work.run();
                        } catch (SQLException ended) {
                            // By the end of the run, or a request in vain.
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    },
                    "staff-" + threads.size());
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    /** One that has locked a row and waits for a payment provider. */
    void charges() {
        start(1, this::charge);
    }

    private void charge() throws SQLException, InterruptedException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, UPDATE);
            over.await();
            connection.rollback();
        }
    }

    /** Some that want the same row. */
    void order(int number) {
        start(number, this::order);
    }

    private void order() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            execute(connection, UPDATE);
        }
    }

    /** Two that lock two rows in different order. The one that the server ends keeps its connection, as does the other. */
    void transfer() {
        CountDownLatch bothHaveOne = new CountDownLatch(2);
        start(1, () -> transferBetween(1, 2, bothHaveOne));
        start(1, () -> transferBetween(2, 1, bothHaveOne));
    }

    private void transferBetween(int from, int to, CountDownLatch bothHaveOne)
            throws SQLException, InterruptedException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, "update account set balance = balance - 1 where id = " + from);
            bothHaveOne.countDown();
            bothHaveOne.await();
            try {
                execute(connection, "update account set balance = balance + 1 where id = " + to);
            } catch (SQLException victim) {
                // Forgets to roll back.
            }
            over.await();
            connection.rollback();
        }
    }

    /** One that has an advisory lock and works elsewhere. */
    void runsAlone() {
        start(1, this::runAlone);
    }

    private void runAlone() throws SQLException, InterruptedException {
        try (Connection connection = pool.getConnection()) {
            execute(connection, LOCK);
            over.await();
            execute(connection, "select pg_advisory_unlock_all()");
        }
    }

    /** Some that want the same lock. */
    void runToo(int number) {
        start(number, this::runToo);
    }

    private void runToo() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            execute(connection, LOCK);
        }
    }

    /** Some that calculate in the server. */
    void calculate(int number) {
        start(number, () -> query("select count(*) from generate_series(1, 3000000000)"));
    }

    /** Some that sleep in the server. */
    void sleep(int number) {
        start(number, () -> query("select pg_sleep(600)"));
    }

    private void query(String text) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            execute(connection, text);
        }
    }

    /** Some that open a transaction and do something else. */
    void forget(int number) {
        for (int row = 1; row <= number; row++) {
            int own = row;
            start(1, () -> forgetTransaction(own));
        }
    }

    private void forgetTransaction(int row) throws SQLException, InterruptedException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            execute(connection, "update account set balance = 0 where id = " + row);
            over.await();
            connection.rollback();
        }
    }

    /** Many, each with one quick statement after the other. */
    void crowd(int number) {
        start(number, () -> {
            while (over.getCount() > 0) {
                try {
                    query("select pg_sleep(0.05)");
                } catch (SQLException inVain) {
                    // Asks again.
                }
            }
        });
    }

    private void execute(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            running.add(statement);
            try {
                statement.execute(text);
            } finally {
                running.remove(statement);
            }
        }
    }

    /** Ends all; what they hold goes back to the pool. */
    @Override
    public void close() {
        over.countDown();
        try {
            for (Thread thread : threads) {
                while (thread.isAlive()) {
                    running.forEach(Staff::cancel);
                    thread.join(50);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void cancel(Statement statement) {
        try {
            statement.cancel();
        } catch (SQLException ended) {
            // It has come to its end meanwhile.
        }
    }
}
