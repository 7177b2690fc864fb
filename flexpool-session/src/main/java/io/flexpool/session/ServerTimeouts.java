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
 * The server's timeouts for the budget, in case of a frozen client: PostgreSQL's
 * {@code idle_in_transaction_session_timeout}, and {@code transaction_timeout} if the server has it; MariaDB's
 * {@code idle_transaction_timeout} and {@code max_statement_time}. MySQL has neither. They are set once for each
 * connection of the driver, before its first statement, and again after a lease that may have reset them. A shorter
 * timeout of the server, the role or the URL stays. A lease of a class with another budget sets its timeouts by one
 * statement, and restores the first class's at its end, to save that class round trips. Thread-safe.
 *
 * <p>A text with unknown effects, for example an anonymous block, is assumed to keep the timeouts: a further round trip
 * for each such lease would cost more than the rare loss.
 */
final class ServerTimeouts implements SessionCheck {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /** The margin lets the client act first, because it names the lease. */
    static final Duration MARGIN = Duration.ofSeconds(3);

    private static final String NOT_TAKEN =
            "{}: the server refuses the timeouts of the lease budget; only flexpool enforces it: {}";

    private static final String IDLE = "idle_in_transaction_session_timeout";
    private static final String TRANSACTION = "transaction_timeout";
    private static final String MARIADB_IDLE = "idle_transaction_timeout";
    private static final String MARIADB_MAX = "max_statement_time";
    private static final String OF_MARIADB = "SELECT @@session." + MARIADB_IDLE + ", @@session." + MARIADB_MAX;

    private final PartContext pool;
    /** The timeouts of a connection between leases. */
    private final Limits atRest;
    /** The timeouts of classes without a separate budget. */
    private final Limits others;

    private final Map<String, Limits> byClass = new HashMap<>();
    /** The timeouts of the driver's connections. */
    private final WeakIdentities<Held> known = new WeakIdentities<>();

    /** Null until the first statement. */
    private volatile @Nullable Server server;
    /** Whether the server lacks the timeouts, or refuses them. */
    private volatile boolean off;

    /**
     * The timeouts of a budget, with the margin.
     *
     * @param idle milliseconds; 0 if there is none
     * @param max milliseconds; 0 if there is none
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

        /** The shorter of these timeouts and others. */
        Limits and(Limits other) {
            return new Limits(shorter(idle, other.idle), shorter(max, other.max));
        }

        private static long shorter(long one, long other) {
            return one == 0 || (other > 0 && other < one) ? other : one;
        }
    }

    /** The timeouts of one connection of the driver. */
    private static final class Held {
        /** The original timeouts; not needed for a pool with one budget, and then unknown on MariaDB. */
        private final Limits own;
        /** The set timeouts; null if a lease may have changed them. */
        private volatile @Nullable Limits set;

        Held(Limits own, Limits set) {
            this.own = own;
            this.set = set;
        }
    }

    /** Sets the timeouts of one database. */
    private record Server(Database database, Dialect dialect) {
        /** The driver's connection, a separate object for each session of the server; null for another driver. */
        @Nullable
        Object physical(Connection connection) {
            return database == Database.POSTGRESQL
                    ? PostgresDriver.physical(connection)
                    : MySqlSession.physical(connection);
        }

        /** Whether the timeouts can be set now: MariaDB's timeouts also survive a rollback. */
        boolean canSet(Connection connection) {
            return database != Database.POSTGRESQL || Boolean.FALSE.equals(PostgresDriver.inTransaction(connection));
        }

        /** Whether a statement may change a timeout, or lead to a reset that does. */
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
        this.atRest = Limits.of(budgets.atRest());
        this.others = Limits.of(budgets.others());
        budgets.byClass().forEach((name, budget) -> byClass.put(name, Limits.of(budget)));
    }

    /**
     * For a pool whose leases are ended by their budget; otherwise null. Not for a pool with JTA transactions: a
     * connection would keep another lease's timeouts in the next transaction.
     */
    static @Nullable ServerTimeouts of(PartContext pool, LeaseBudgets budgets) {
        boolean transactions = pool.adapter().capabilities().contains(Capability.TRANSACTIONS);
        return budgets.cancels() && !transactions ? new ServerTimeouts(pool, budgets) : null;
    }

    // ---- the statements ----

    /** One statement for all versions of PostgreSQL: an unknown setting gives no row. Returns the old values. */
    private static String postgresql(Limits limits) {
        String idle = "('" + IDLE + "', " + limits.idle() + ")";
        String max = "('" + TRANSACTION + "', " + limits.max() + ")";
        return "SELECT name, setting, CASE WHEN most = 0 OR setting::bigint BETWEEN 1 AND most THEN setting"
                + " ELSE set_config(name, most::text, false) END"
                + " FROM pg_settings JOIN (VALUES " + idle + ", " + max + ") AS budget (name, most) USING (name)";
    }

    /** A statement with exact values, whatever a lease has set. */
    private static String exactPostgresql(Limits limits) {
        return "SELECT set_config(name, CASE name WHEN '" + IDLE + "' THEN '" + limits.idle() + "' ELSE '"
                + limits.max() + "' END, false) FROM pg_settings WHERE name IN ('" + IDLE + "', '" + TRANSACTION + "')";
    }

    /** MariaDB has no timeout of a transaction: a statement may take as long as a lease. Whole seconds. */
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
        Held held = known.get(physical);
        if ((held == null ? !limits.equals(Limits.NONE) : !limits.equals(held.set)) && of.canSet(connection)) {
            try {
                if (held == null) {
                    known.put(physical, new Held(first(connection, of, limits), limits));
                } else {
                    again(connection, of, held, limits);
                }
            } catch (SQLException refused) {
                refused(refused);
            }
        }
        return !limits.equals(atRest) || of.concerns(of.dialect().verdict(text));
    }

    /** The server of a connection; null if this kind of server lacks the timeouts. */
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

    /** After a lease that may have changed the timeouts, a shorter timeout stays if all leases have the same budget. */
    private void again(Connection connection, Server of, Held held, Limits limits) throws SQLException {
        if (byClass.isEmpty()) {
            first(connection, of, limits);
        } else {
            Limits exact = limits.and(held.own);
            String sql = of.database() == Database.POSTGRESQL ? exactPostgresql(exact) : exactMariaDb(exact);
            outside(connection, of, () -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(sql);
                }
            });
        }
        held.set = limits;
    }

    /** An action on a connection. */
    @FunctionalInterface
    private interface Work {
        void run() throws SQLException;
    }

    /** Works outside a transaction, which PostgreSQL's driver would begin, and a rollback undo. Not for MariaDB. */
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

    /** The application's own statement reports the loss of a connection. */
    private void refused(SQLException refused) {
        if (!isLost(refused)) {
            off = true;
            LOG.warn(NOT_TAKEN, pool.name(), refused.getMessage());
        }
    }

    /** Whether the connection is lost, or the server shuts down: SQLState of class 08, or 57P01 and its neighbours. */
    private static boolean isLost(SQLException thrown) {
        String state = thrown.getSQLState();
        return state == null || state.startsWith("08") || state.startsWith("57P");
    }

    /**
     * A lease of a class with another budget restores the first class's timeouts. After another marked lease the next
     * lease sets them again, also after a reset of the session.
     */
    @Override
    public boolean check(Connection connection) throws SQLException {
        Server of = server;
        Object physical = of == null ? null : of.physical(connection);
        Held held = physical == null ? null : known.get(physical);
        if (of == null || held == null) {
            return true;
        }
        boolean ofClass = !byClass.isEmpty() && !atRest.equals(held.set);
        held.set = null;
        if (ofClass) {
            try {
                restore(connection, of, held);
            } catch (SQLException notRestored) {
                // The connection's next lease would have this lease's budget.
                return false;
            }
        }
        return true;
    }

    /** The pool would roll back an open transaction, and the timeouts with it. */
    private void restore(Connection connection, Server of, Held held) throws SQLException {
        ResetBound bound = new ResetBound(connection);
        bound.next();
        if (!of.canSet(connection) && !connection.getAutoCommit()) {
            connection.rollback();
            bound.next();
        }
        if (of.canSet(connection)) {
            again(connection, of, held, atRest);
        }
        bound.ends();
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
