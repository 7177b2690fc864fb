// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.adaptive;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.simulate.Scenario.Phase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * Lets a real database work, in the way of pgbench's TPC-B: an account, a branch and a teller are changed and a line of
 * history is written in one transaction, committed to the disk. There are few branches, so transactions wait for each
 * other's row locks; while it holds its branch a transaction reads through some thousand accounts, so they share the
 * processors.
 */
final class WorkingDatabase implements Work {
    private static final int BRANCHES = 8;
    private static final int TELLERS = 10 * BRANCHES;
    private static final int ACCOUNTS = 200_000;
    /** Read by a request of mean work. */
    private static final int MEAN_ROWS = 20_000;

    private static final int[] AT_ONCE = {1, 2, 4, 8, 16};
    private static final double NANOS = 1e9;

    private final double meanSeconds;

    /**
     * On a server on which {@link #create} has been called.
     *
     * @param meanSeconds the work of a request of mean work
     */
    WorkingDatabase(double meanSeconds) {
        this.meanSeconds = meanSeconds;
    }

    /** Makes the tables and fills them. */
    static void create(PostgresServer server) throws SQLException {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String table : List.of("branches", "tellers", "accounts")) {
                statement.execute("create table " + table
                        + " (id int primary key, balance bigint not null, filler char(84) not null)");
            }
            statement.execute("create table history (branch int, teller int, account int, delta int, at timestamptz)");
            fill(statement, "branches", BRANCHES);
            fill(statement, "tellers", TELLERS);
            fill(statement, "accounts", ACCOUNTS);
        }
    }

    private static void fill(Statement statement, String table, int rows) throws SQLException {
        statement.execute(
                "insert into " + table + " select n, 0, md5(n::text) from generate_series(1, " + rows + ") n");
        statement.execute("analyze " + table);
    }

    @Override
    public void serve(Connection connection, double workSeconds, Phase phase) throws SQLException {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int branch = 1 + random.nextInt(BRANCHES);
        int teller = 1 + random.nextInt(TELLERS);
        int account = 1 + random.nextInt(ACCOUNTS);
        int delta = random.nextInt(1000);
        connection.setAutoCommit(false);
        try {
            // Always in this order, so that no two wait for each other.
            update(connection, "update accounts set balance = balance + ? where id = ?", delta, account);
            update(connection, "update branches set balance = balance + ? where id = ?", delta, branch);
            read(connection, (int) Math.min(ACCOUNTS, MEAN_ROWS * workSeconds * phase.workFactor() / meanSeconds));
            update(connection, "update tellers set balance = balance + ? where id = ?", delta, teller);
            update(connection, "insert into history values (?, ?, ?, ?, now())", branch, teller, account, delta);
            connection.commit();
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private static void read(Connection connection, int rows) throws SQLException {
        int from = ThreadLocalRandom.current().nextInt(ACCOUNTS - rows + 1);
        try (PreparedStatement read = connection.prepareStatement(
                "select count(*) from accounts where id > ? and id <= ? and filler like '%abc%'")) {
            read.setInt(1, from);
            read.setInt(2, from + rows);
            read.executeQuery().close();
        }
    }

    private static void update(Connection connection, String sql, int... values) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            for (int at = 0; at < values.length; at++) {
                update.setInt(at + 1, values[at]);
            }
            update.executeUpdate();
        }
    }

    /**
     * What the database can do: the most of some numbers of clients that send the next request when the one before is
     * answered.
     *
     * @param seconds for each number
     * @return requests a second
     */
    double peak(PostgresServer server, double seconds) throws SQLException, InterruptedException {
        double most = 0;
        for (int clients : AT_ONCE) {
            most = Math.max(most, rate(server, clients, seconds));
        }
        return most;
    }

    /** What it does for eight clients, requests a second. */
    double now(PostgresServer server, double seconds) throws SQLException, InterruptedException {
        return rate(server, BRANCHES, seconds);
    }

    private double rate(PostgresServer server, int clients, double seconds) throws SQLException, InterruptedException {
        LongAdder served = new LongAdder();
        List<Connection> connections = new ArrayList<>();
        try {
            for (int client = 0; client < clients; client++) {
                connections.add(server.dataSource().getConnection());
            }
            // From here on: connecting is not what is measured.
            long begin = System.nanoTime();
            long end = begin + (long) (seconds * NANOS);
            List<Thread> threads = connections.stream()
                    .map(connection -> new Thread(() -> serveUntil(connection, end, served), "adaptive-client"))
                    .toList();
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            return served.sum() / ((System.nanoTime() - begin) / NANOS);
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    /** One request at least: a database that answers does more than nothing, however busy the machine is. */
    private void serveUntil(Connection connection, long end, LongAdder served) {
        try {
            do {
                serve(connection, meanSeconds, Phase.load(0, 0));
                served.increment();
            } while (System.nanoTime() - end < 0);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
