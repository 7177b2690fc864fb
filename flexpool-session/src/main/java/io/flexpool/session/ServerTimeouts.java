// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.Step;
import io.flexpool.session.internal.sql.Verdict;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart.SessionCheck;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sets timeouts in the server that enforce the budget if the client is frozen: PostgreSQL's
 * {@code idle_in_transaction_session_timeout}, and {@code transaction_timeout} if the server has it; MariaDB's
 * {@code idle_transaction_timeout} and {@code max_statement_time}. MySQL has neither. Each physical connection gets
 * them before its first statement, and again after a lease that may have reset them. A shorter timeout of the server,
 * the role or the URL stays. A lease of a class with another budget sets its timeouts by one statement. At its end it
 * restores the first class's timeouts, to save that class a round trip. Thread-safe.
 *
 * <p>A statement with unknown effects, for example an anonymous block, is assumed to keep the timeouts: a check would
 * cost each such lease a round trip, and a loss is rare.
 */
final class ServerTimeouts implements SessionCheck {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /** The server's limit is longer by this margin, so that flexpool acts first: its log line names the lease. */
    static final Duration MARGIN = Duration.ofSeconds(3);

    private static final String NOT_TAKEN =
            "{}: the server refuses the timeouts of the lease budget; only flexpool enforces it: {}";

    private static final String IDLE = "idle_in_transaction_session_timeout";
    private static final String TRANSACTION = "transaction_timeout";
    private static final String MARIADB_IDLE = "idle_transaction_timeout";
    private static final String MARIADB_MAX = "max_statement_time";
    private static final String OF_MARIADB = "SELECT @@session." + MARIADB_IDLE + ", @@session." + MARIADB_MAX;

    private final PartContext pool;
    private final ServerQueries queries;
    /** The timeouts of a connection between leases. */
    private final Limits atRest;
    /** The timeouts of classes without a separate budget. */
    private final Limits others;

    private final Map<String, Limits> byClass = new HashMap<>();
    /** The timeouts of each physical connection. */
    private final WeakIdentities<ConnectionTimeouts> known = new WeakIdentities<>();

    /** Null until the first statement. */
    private volatile @Nullable Server server;
    /** True if the server lacks the timeouts, or refuses them. */
    private volatile boolean off;

    /**
     * The timeouts of a budget in milliseconds, including the margin.
     *
     * @param idle 0 without a timeout
     * @param max 0 without a timeout
     */
    private record Limits(long idle, long max) {
        static final Limits NONE = new Limits(0, 0);

        static Limits of(LeaseBudget budget) {
            if (budget.longestNanos() == 0) {
                return NONE;
            }
            long max = budget.max() == null ? 0 : millis(budget.maxNanos());
            return new Limits(budget.idle() == null ? max : millis(budget.idleNanos()), max);
        }

        private static long millis(long nanos) {
            return nanos / 1_000_000 + MARGIN.toMillis();
        }

        /** Takes the shorter of each pair of timeouts. */
        Limits and(Limits other) {
            return new Limits(shorter(idle, other.idle), shorter(max, other.max));
        }

        private static long shorter(long one, long other) {
            return one == 0 || (other > 0 && other < one) ? other : one;
        }
    }

    /** The timeouts of one physical connection. */
    private static final class ConnectionTimeouts {
        /**
         * The timeouts before flexpool changed them. Not read on MariaDB in a pool with one budget, which does not need
         * them.
         */
        private final Limits own;
        /** The current timeouts; null if a lease may have changed them. */
        private volatile @Nullable Limits set;

        ConnectionTimeouts(Limits own, Limits set) {
            this.own = own;
            this.set = set;
        }
    }

    /** A database that has the timeouts. */
    private record Server(Database database, Dialect dialect) {
        /** The driver's connection, a separate object for each session of the server; null for another driver. */
        @Nullable
        Object physical(Connection connection) {
            return database == Database.POSTGRESQL
                    ? PostgresDriver.physical(connection)
                    : MySqlSession.physical(connection);
        }

        /** Whether the timeouts can be set now. On MariaDB always, because a rollback does not undo them. */
        boolean canSet(Connection connection) {
            return database != Database.POSTGRESQL || Boolean.FALSE.equals(PostgresDriver.inTransaction(connection));
        }

        /** Whether a statement may change a timeout, or leave state whose reset changes one. */
        boolean concerns(Verdict verdict) {
            for (Step step : verdict.steps()) {
                if (step instanceof Effect effect
                        && (database == Database.MARIADB || (effect.kind().isSetting() && isOne(effect.name())))) {
                    return true;
                }
            }
            return false;
        }

        private static boolean isOne(@Nullable String name) {
            return name == null || name.equals(IDLE) || name.equals(TRANSACTION);
        }
    }

    private ServerTimeouts(PartContext pool, LeaseBudgets budgets) {
        this.pool = pool;
        this.queries = new ServerQueries(pool, "Timeouts of the lease budget are set by the next lease");
        this.atRest = Limits.of(budgets.atRest());
        this.others = Limits.of(budgets.others());
        budgets.byClass().forEach((name, budget) -> byClass.put(name, Limits.of(budget)));
    }

    /**
     * Null unless flexpool ends leases that exceed their budget. Also null for a pool with JTA transactions: a
     * connection would carry one lease's timeouts into the next transaction.
     */
    static @Nullable ServerTimeouts of(PartContext pool, LeaseBudgets budgets) {
        boolean transactions = pool.adapter().capabilities().contains(Capability.TRANSACTIONS);
        return budgets.cancels() && !transactions ? new ServerTimeouts(pool, budgets) : null;
    }

    // ---- the statements ----

    /**
     * A query for all versions of PostgreSQL, because an unknown setting has no row. Shortens the timeouts and returns
     * the old values.
     */
    private static String postgresql(Limits limits) {
        String idle = "('" + IDLE + "', " + limits.idle() + ")";
        String max = "('" + TRANSACTION + "', " + limits.max() + ")";
        return "SELECT name, setting, CASE WHEN most = 0 OR setting::bigint BETWEEN 1 AND most THEN setting"
                + " ELSE set_config(name, most::text, false) END"
                + " FROM pg_settings JOIN (VALUES " + idle + ", " + max + ") AS budget (name, most) USING (name)";
    }

    /** A query that sets exact values, including longer ones. */
    private static String exactPostgresql(Limits limits) {
        return "SELECT set_config(name, CASE name WHEN '" + IDLE + "' THEN '" + limits.idle() + "' ELSE '"
                + limits.max() + "' END, false) FROM pg_settings WHERE name IN ('" + IDLE + "', '" + TRANSACTION + "')";
    }

    /**
     * Shortens the timeouts, in whole seconds. MariaDB has no transaction timeout, so a statement gets the time of the
     * whole lease.
     */
    private static String mariaDb(Limits limits) {
        return "SET SESSION " + shorter(MARIADB_IDLE, limits.idle())
                + (limits.max() == 0 ? "" : ", " + shorter(MARIADB_MAX, limits.max()));
    }

    private static String shorter(String name, long millis) {
        long seconds = seconds(millis);
        return name + " = IF(@@session." + name + " > 0 AND @@session." + name + " < " + seconds + ", @@session." + name
                + ", " + seconds + ")";
    }

    private static String exactMariaDb(Limits limits) {
        return "SET SESSION " + MARIADB_IDLE + " = " + seconds(limits.idle()) + ", " + MARIADB_MAX + " = "
                + BigDecimal.valueOf(limits.max(), 3).toPlainString();
    }

    private static long seconds(long millis) {
        return (millis + 999) / 1_000;
    }

    // ---- the statements of a lease ----

    @Override
    public boolean observes(String text) {
        return !off;
    }

    @Override
    public boolean executes(Connection connection, String text, String requestClass) throws SQLException {
        if (off) {
            return false;
        }
        Server of = server;
        if (of == null) {
            of = server(connection);
            server = of;
        }
        Object physical = of == null ? null : of.physical(connection);
        if (of == null || physical == null) {
            off = true;
            return false;
        }
        Limits limits = byClass.getOrDefault(requestClass, others);
        ConnectionTimeouts timeouts = known.get(physical);
        if ((timeouts == null ? !limits.equals(Limits.NONE) : !limits.equals(timeouts.set)) && of.canSet(connection)) {
            try {
                if (timeouts == null) {
                    known.put(physical, new ConnectionTimeouts(first(connection, of, limits), limits));
                } else {
                    again(connection, of, timeouts, limits);
                }
            } catch (SQLException refused) {
                refused(refused);
            }
        }
        return !limits.equals(atRest) || of.concerns(of.dialect().verdict(text));
    }

    /** The database of a connection; null if it lacks the timeouts. */
    private @Nullable Server server(Connection connection) throws SQLException {
        Database database = Database.of(connection);
        if (database == Database.MYSQL) {
            LOG.warn(NOT_TAKEN, pool.name(), "MySQL has no such timeouts");
        }
        return switch (database) {
            case POSTGRESQL, MARIADB -> new Server(database, Dialect.of(database));
            case MYSQL, OTHER -> null;
        };
    }

    /** Sets the timeouts of a connection for the first time, outside a transaction. {@return the old timeouts} */
    private Limits first(Connection connection, Server of, Limits limits) throws SQLException {
        Limits[] own = {Limits.NONE};
        outside(connection, of, () -> {
            try (Statement statement = connection.createStatement()) {
                if (of.database() == Database.POSTGRESQL) {
                    try (ResultSet rows = statement.executeQuery(postgresql(limits))) {
                        own[0] = postgresql(rows);
                    }
                } else {
                    if (!byClass.isEmpty()) {
                        try (ResultSet rows = statement.executeQuery(OF_MARIADB)) {
                            own[0] = mariaDb(rows);
                        }
                    }
                    statement.execute(mariaDb(limits));
                }
            }
        });
        return own[0];
    }

    private static Limits postgresql(ResultSet rows) throws SQLException {
        long idle = 0;
        long max = 0;
        while (rows.next()) {
            if (rows.getString(1).equals(IDLE)) {
                idle = rows.getLong(2);
            } else {
                max = rows.getLong(2);
            }
        }
        return new Limits(idle, max);
    }

    private static Limits mariaDb(ResultSet rows) throws SQLException {
        rows.next();
        return new Limits(
                rows.getLong(1) * 1_000, rows.getBigDecimal(2).movePointRight(3).longValue());
    }

    /**
     * Sets the timeouts again after a lease that may have changed them. In a pool with one budget, a shorter timeout of
     * a lease stays.
     */
    private void again(Connection connection, Server of, ConnectionTimeouts timeouts, Limits limits)
            throws SQLException {
        if (byClass.isEmpty()) {
            first(connection, of, limits);
        } else {
            Limits exact = limits.and(timeouts.own);
            String sql = of.database() == Database.POSTGRESQL ? exactPostgresql(exact) : exactMariaDb(exact);
            outside(connection, of, () -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(sql);
                }
            });
        }
        timeouts.set = limits;
    }

    /** An action on a connection. */
    @FunctionalInterface
    private interface Work {
        void run() throws SQLException;
    }

    /**
     * On PostgreSQL, works in auto-commit mode: otherwise the driver would begin a transaction, and its rollback would
     * undo the timeouts.
     */
    private static void outside(Connection connection, Server of, Work work) throws SQLException {
        boolean switches = of.database() == Database.POSTGRESQL && !connection.getAutoCommit();
        if (switches) {
            connection.setAutoCommit(true);
        }
        try {
            work.run();
        } finally {
            if (switches) {
                connection.setAutoCommit(false);
            }
        }
    }

    /** Disables the timeouts, unless the connection is lost: then the application's statement reports the loss. */
    private void refused(SQLException refused) {
        if (!isLost(refused)) {
            off = true;
            LOG.warn(NOT_TAKEN, pool.name(), refused.getMessage());
        }
    }

    /** Whether the connection is lost, or the server shuts down: no SQLState, class 08, or 57P01 and the like. */
    private static boolean isLost(SQLException thrown) {
        String state = thrown.getSQLState();
        return state == null || state.startsWith("08") || state.startsWith("57P");
    }

    /**
     * After a lease of a class with another budget, restores the first class's timeouts. After any other lease that may
     * have changed the timeouts, and while the queries pause, only marks them as unknown, so that the next lease sets
     * them again.
     */
    @Override
    public boolean check(Connection connection) throws SQLException {
        Server of = server;
        Object physical = of == null ? null : of.physical(connection);
        ConnectionTimeouts timeouts = physical == null ? null : known.get(physical);
        if (of == null || timeouts == null) {
            return true;
        }
        boolean ofClass = !byClass.isEmpty() && !atRest.equals(timeouts.set);
        timeouts.set = null;
        if (ofClass && queries.mayRun()) {
            try {
                restore(connection, of, timeouts);
            } catch (SQLException notRestored) {
                // Closes the connection: its next lease would have this lease's budget.
                return false;
            }
        }
        return true;
    }

    /** Rolls back an open transaction first: otherwise the pool would later roll back the timeouts with it. */
    private void restore(Connection connection, Server of, ConnectionTimeouts timeouts) throws SQLException {
        queries.run(connection, limit -> {
            if (!of.canSet(connection) && !connection.getAutoCommit()) {
                connection.rollback();
                queries.responded();
            }
            if (of.canSet(connection)) {
                again(connection, of, timeouts, atRest);
                queries.responded();
            }
        });
    }

    @Override
    public boolean failed(Connection connection, SQLException thrown) {
        return false;
    }

    @Override
    public boolean changes(Connection connection, SessionProperty property) {
        return false;
    }

    @Override
    public void committed(Connection connection) {}

    @Override
    public void savepoint(Connection connection, Savepoint savepoint) {}

    @Override
    public void rolledBack(Connection connection, @Nullable Savepoint to) {}

    @Override
    public void dropped(Connection connection) {}
}
