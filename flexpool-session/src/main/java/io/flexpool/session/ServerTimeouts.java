// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.Step;
import io.flexpool.session.internal.sql.Verdict;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart.SessionCheck;
import io.flexpool.spi.PoolPart.SessionProperty;
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
 * The budget as the server keeps it, for a client that is frozen: PostgreSQL's {@code idle_in_transaction_session_timeout}, and
 * {@code transaction_timeout} where the server has that; MariaDB's {@code idle_transaction_timeout} and {@code max_statement_time}.
 * MySQL has neither. They are set once for each connection of the driver, before its first statement, and again after a lease that may
 * have reset them. A shorter timeout of the server, the role or the URL stays. A lease of a class with another budget sets its own by
 * one statement, and those of the first class when it ends, so that leases of that class need no round trip. Thread-safe.
 *
 * <p>A text that cannot be judged, for example an anonymous block, is taken to leave them: a further round trip for each such lease
 * would cost more than what is lost where it does not.
 */
final class ServerTimeouts implements SessionCheck {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /** The client acts first: it names the lease. */
    static final Duration MARGIN = Duration.ofSeconds(3);

    private static final String NOT_TAKEN =
            "{}: the server refuses the timeouts of the lease budget; only flexpool enforces it: {}";

    private static final String IDLE = "idle_in_transaction_session_timeout";
    private static final String TRANSACTION = "transaction_timeout";
    private static final String MARIADB_IDLE = "idle_transaction_timeout";
    private static final String MARIADB_MAX = "max_statement_time";
    private static final String OF_MARIADB = "SELECT @@session." + MARIADB_IDLE + ", @@session." + MARIADB_MAX;

    private final PartContext pool;
    /** Those that a connection has between leases. */
    private final Limits atRest;
    /** Those of classes with no budget of their own. */
    private final Limits others;

    private final Map<String, Limits> byClass = new HashMap<>();
    /** What the driver's connections have. */
    private final WeakIdentities<Held> known = new WeakIdentities<>();

    /** Null until the first statement. */
    private volatile @Nullable Server server;
    /** The server has no such timeouts, or does not take them. */
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

        /** The shorter ones of these and others. */
        Limits and(Limits other) {
            return new Limits(shorter(idle, other.idle), shorter(max, other.max));
        }

        private static long shorter(long one, long other) {
            return one == 0 || (other > 0 && other < one) ? other : one;
        }
    }

    /** What one of the driver's connections has. */
    private static final class Held {
        /** What it had before; of a pool whose classes have one budget it is not needed, and not known on MariaDB. */
        private final Limits own;
        /** Null if a lease may have changed it. */
        private volatile @Nullable Limits set;

        Held(Limits own, Limits set) {
            this.own = own;
            this.set = set;
        }
    }

    /** How the timeouts of one database are set. */
    private record Server(Database database, Dialect dialect) {
        /** The driver's connection, an object of its own for each session of the server; null if it is of another driver. */
        @Nullable
        Object physical(Connection connection) {
            return database == Database.POSTGRESQL
                    ? PostgresDriver.physical(connection)
                    : MySqlSession.physical(connection);
        }

        /** MariaDB's stay also where a transaction is rolled back. */
        boolean canSet(Connection connection) {
            return database != Database.POSTGRESQL || Boolean.FALSE.equals(PostgresDriver.inTransaction(connection));
        }

        /** Whether a statement may change one of the timeouts, or lead to a reset that does. */
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
     * Of a pool whose leases are ended by their budget; else null. A pool of JTA transactions has none: a connection that got its
     * timeouts from another lease would keep them in the next transaction.
     */
    static @Nullable ServerTimeouts of(PartContext pool, LeaseBudgets budgets) {
        boolean transactions = pool.adapter().capabilities().contains(Capability.TRANSACTIONS);
        return budgets.cancels() && !transactions ? new ServerTimeouts(pool, budgets) : null;
    }

    // ---- the statements ----

    /** One statement for all versions of PostgreSQL: a setting that the server does not have gives no row. Shows what was there. */
    private static String postgresql(Limits limits) {
        String idle = "('" + IDLE + "', " + limits.idle() + ")";
        String max = "('" + TRANSACTION + "', " + limits.max() + ")";
        return "SELECT name, setting, CASE WHEN most = 0 OR setting::bigint BETWEEN 1 AND most THEN setting"
                + " ELSE set_config(name, most::text, false) END"
                + " FROM pg_settings JOIN (VALUES " + idle + ", " + max + ") AS budget (name, most) USING (name)";
    }

    /** The same with exact values, whatever a lease has set. */
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

    /** Null if this kind of server has no such timeouts. */
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

    /** Sets the timeouts of a connection that has none of them yet, outside of a transaction. {@return those that it had} */
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

    /** After a lease that may have changed them a shorter one stays, if all leases have the same. */
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

    /** Something that is done on a connection. */
    @FunctionalInterface
    private interface Work {
        void run() throws SQLException;
    }

    /** Without a transaction, which PostgreSQL's driver would begin, and a rollback would undo. MariaDB's are not part of one. */
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

    /** The loss of a connection is shown by the application's own statement. */
    private void refused(SQLException refused) {
        if (!isLost(refused)) {
            off = true;
            LOG.warn(NOT_TAKEN, pool.name(), refused.getMessage());
        }
    }

    /** Whether the connection is lost, or the server goes down: SQLState of class 08, or 57P01 and its neighbours. */
    private static boolean isLost(SQLException thrown) {
        String state = thrown.getSQLState();
        return state == null || state.startsWith("08") || state.startsWith("57P");
    }

    /**
     * A lease of a class with another budget restores those of the first class. After another one that was marked the next lease sets
     * them again, also those that a reset of the session takes away.
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
                // Its next lease would have a budget of this one.
                return false;
            }
        }
        return true;
    }

    /** A transaction that is open would be rolled back by the pool, and the timeouts with it. */
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
