// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor.scenario;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/** What requests do with a connection of a real PostgreSQL, each for as long as its lease shall be. */
enum Workload {
    /** Independent requests, leases without memory. */
    STEADY(Arrivals.POISSON, LeaseLaw.EXPONENTIAL),
    /** Busy and quiet spells. */
    SPELLS(Arrivals.MMPP, LeaseLaw.LOGNORMAL),
    /** Several requests at once. */
    BATCHES(Arrivals.BATCHES, LeaseLaw.EXPONENTIAL),
    /** Short requests, and some that take twenty times as long. */
    REPORTS(Arrivals.POISSON, LeaseLaw.BIMODAL),
    /** Transactions that change rows and read, while the application works for most of the time. */
    TRANSACTIONS(Arrivals.POISSON, LeaseLaw.LOGNORMAL) {
        @Override
        void serve(Connection connection, double seconds, int request) throws SQLException {
            long end = System.nanoTime() + (long) (seconds * NANOS);
            connection.setAutoCommit(false);
            execute(connection, "update accounts set balance = balance + 1 where id = ?", 1 + request % ACCOUNTS);
            execute(connection, "insert into history values (?, now())", request);
            execute(connection, "select count(*) from generate_series(1, ?)", (int) (ROWS_PER_SECOND * seconds));
            long left;
            while ((left = end - System.nanoTime()) > 0
                    && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(left);
            }
            connection.commit();
            connection.setAutoCommit(true);
        }
    };

    private static final double NANOS = 1e9;
    private static final double DEMAND = 4;
    private static final int ACCOUNTS = 10_000;
    /** About a sixteenth of a lease is work of the processors. */
    private static final int ROWS_PER_SECOND = 600_000;

    private final Arrivals arrivals;
    private final LeaseLaw leases;

    Workload(Arrivals arrivals, LeaseLaw leases) {
        this.arrivals = arrivals;
        this.leases = leases;
    }

    /** When its requests come, and how long their leases shall be. */
    LoadProcess process() {
        return new LoadProcess(arrivals, leases, DEMAND);
    }

    /**
     * Does the work of one request.
     *
     * @param seconds how long the lease shall be
     */
    void serve(Connection connection, double seconds, int request) throws SQLException {
        try (PreparedStatement sleep = connection.prepareStatement("select pg_sleep(?)")) {
            sleep.setDouble(1, seconds);
            sleep.execute();
        }
    }

    /** Makes the tables. */
    static void create(Connection connection) throws SQLException {
        try (PreparedStatement accounts = connection.prepareStatement(
                        "create table accounts as select n as id, 0 as balance from generate_series(1, " + ACCOUNTS
                                + ") n");
                PreparedStatement key = connection.prepareStatement("alter table accounts add primary key (id)");
                PreparedStatement history =
                        connection.prepareStatement("create table history (request int, at timestamptz)")) {
            accounts.execute();
            key.execute();
            history.execute();
        }
    }

    private static void execute(Connection connection, String sql, int value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, value);
            statement.execute();
        }
    }
}
