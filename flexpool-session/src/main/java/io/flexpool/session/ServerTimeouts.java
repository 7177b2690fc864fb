// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.adapter.PoolAdapter.Capability;
import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.Step;
import io.flexpool.session.internal.sql.Verdict;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.PoolPart.SessionCheck;
import io.flexpool.spi.PoolPart.SessionProperty;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The budget as the server keeps it, for a client that is frozen: PostgreSQL's {@code idle_in_transaction_session_timeout}, and
 * {@code transaction_timeout} where the server has that; MariaDB's {@code idle_transaction_timeout} and {@code max_statement_time}.
 * MySQL has neither. They are set once for each connection of the driver, before its first statement, and again after a lease that may
 * have reset them. A shorter timeout of the server, the role or the URL stays. Thread-safe.
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

    private final PartContext pool;
    private final LeaseBudget budget;
    /** The driver's connections that have the timeouts. */
    private final WeakIdentities done = new WeakIdentities();

    /** Null until the first statement. */
    private volatile @Nullable Server server;
    /** The server has no such timeouts, or does not take them. */
    private volatile boolean off;

    /** How the timeouts of one database are set. */
    private record Server(Database database, Dialect dialect, String sql) {
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

    private ServerTimeouts(PartContext pool, LeaseBudget budget) {
        this.pool = pool;
        this.budget = budget;
    }

    /**
     * Of a pool whose leases are ended by their budget; else null. A pool of JTA transactions has none: a connection that got its
     * timeouts from another lease would keep them in the next transaction.
     */
    static @Nullable ServerTimeouts of(PartContext pool, LeaseBudget budget) {
        boolean transactions = pool.adapter().capabilities().contains(Capability.TRANSACTIONS);
        return budget.cancels() && !transactions ? new ServerTimeouts(pool, budget) : null;
    }

    /** One statement for all versions of PostgreSQL: a setting that the server does not have gives no row. */
    private static String postgresql(LeaseBudget budget) {
        long idle = idleMillis(budget);
        long max = maxMillis(budget);
        return "SELECT set_config(name, CASE name WHEN '" + IDLE + "' THEN '" + idle + "' ELSE '" + max
                + "' END, false) FROM pg_settings WHERE " + longer(IDLE, idle)
                + (max == 0 ? "" : " OR " + longer(TRANSACTION, max));
    }

    private static long idleMillis(LeaseBudget budget) {
        return (budget.idle() != null ? budget.idleNanos() : budget.maxNanos()) / 1_000_000 + MARGIN.toMillis();
    }

    /** 0 if there is none. */
    private static long maxMillis(LeaseBudget budget) {
        return budget.max() == null ? 0 : budget.maxNanos() / 1_000_000 + MARGIN.toMillis();
    }

    /** MariaDB has no timeout of a transaction: a statement may take as long as a lease. Whole seconds. */
    private static String mariaDb(LeaseBudget budget) {
        long max = maxMillis(budget);
        return "SET SESSION " + shorter("idle_transaction_timeout", idleMillis(budget))
                + (max == 0 ? "" : ", " + shorter("max_statement_time", max));
    }

    private static String shorter(String name, long millis) {
        long seconds = (millis + 999) / 1_000;
        return name + " = IF(@@session." + name + " > 0 AND @@session." + name + " < " + seconds + ", @@session." + name
                + ", " + seconds + ")";
    }

    private static String longer(String name, long millis) {
        return "(name = '" + name + "' AND setting::bigint NOT BETWEEN 1 AND " + millis + ")";
    }

    @Override
    public boolean observes(String text) {
        return !off;
    }

    @Override
    public boolean executes(Connection connection, String text) throws SQLException {
        if (off) {
            return false;
        }
        Server known = server;
        if (known == null) {
            known = server(connection);
            server = known;
        }
        Object physical = known == null ? null : known.physical(connection);
        if (known == null || physical == null) {
            off = true;
            return false;
        }
        if (!done.contains(physical) && set(connection, known)) {
            done.add(physical);
        }
        return known.concerns(known.dialect().verdict(text));
    }

    /** Null if this kind of server has no such timeouts. */
    private @Nullable Server server(Connection connection) throws SQLException {
        Database database = Database.of(connection);
        if (database == Database.MYSQL) {
            LOG.warn(NOT_TAKEN, pool.name(), "MySQL has no such timeouts");
        }
        return switch (database) {
            case POSTGRESQL -> new Server(database, Dialect.of(database), postgresql(budget));
            case MARIADB -> new Server(database, Dialect.of(database), mariaDb(budget));
            case MYSQL, OTHER -> null;
        };
    }

    /** Whether it is set now; false while a transaction is open, because a rollback would undo it. */
    private boolean set(Connection connection, Server known) throws SQLException {
        if (!known.canSet(connection)) {
            return false;
        }
        boolean autoCommit = connection.getAutoCommit();
        try {
            if (!autoCommit) {
                connection.setAutoCommit(true);
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute(known.sql());
            } finally {
                if (!autoCommit) {
                    connection.setAutoCommit(false);
                }
            }
            return true;
        } catch (SQLException refused) {
            if (isLost(refused)) {
                // Of this connection alone: the application's own statement shows it.
                return false;
            }
            off = true;
            LOG.warn(NOT_TAKEN, pool.name(), refused.getMessage());
            return false;
        }
    }

    /** Whether the connection is lost, or the server goes down: SQLState of class 08, or 57P01 and its neighbours. */
    private static boolean isLost(SQLException thrown) {
        String state = thrown.getSQLState();
        return state == null || state.startsWith("08") || state.startsWith("57P");
    }

    /** The next lease sets them again, also those that a reset of the session takes away. */
    @Override
    public boolean check(Connection connection) {
        Server known = server;
        Object physical = known == null ? null : known.physical(connection);
        if (physical != null) {
            done.remove(physical);
        }
        return true;
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
