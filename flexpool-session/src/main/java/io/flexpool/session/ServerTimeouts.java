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
 * The budget as PostgreSQL keeps it, for a client that is frozen: {@code idle_in_transaction_session_timeout}, and
 * {@code transaction_timeout} where the server has that. Both are set once for each connection of the driver, before its first statement,
 * and again after a lease that may have reset them. A shorter timeout of the server, the role or the URL stays. Thread-safe.
 *
 * <p>A text that cannot be judged, for example an anonymous block, is taken to leave them: a further round trip for each such lease
 * would cost more than what is lost where it does not.
 */
final class ServerTimeouts implements SessionCheck {
    private static final Logger LOG = LoggerFactory.getLogger("io.flexpool");
    /** The client acts first: it names the lease. */
    static final Duration MARGIN = Duration.ofSeconds(3);

    private static final String IDLE = "idle_in_transaction_session_timeout";
    private static final String TRANSACTION = "transaction_timeout";

    private final PartContext pool;
    private final String sql;
    /** The driver's connections that have the timeouts. */
    private final WeakIdentities done = new WeakIdentities();

    private final Dialect dialect = Dialect.of(Database.POSTGRESQL);
    /** Not PostgreSQL, or it does not take the timeouts. */
    private volatile boolean off;

    private ServerTimeouts(PartContext pool, LeaseBudget budget) {
        this.pool = pool;
        this.sql = sql(budget);
    }

    /**
     * Of a pool whose leases are ended by their budget; else null. A pool of JTA transactions has none: a connection that got its
     * timeouts from another lease would keep them in the next transaction.
     */
    static @Nullable ServerTimeouts of(PartContext pool, LeaseBudget budget) {
        boolean transactions = pool.adapter().capabilities().contains(Capability.TRANSACTIONS);
        return budget.cancels() && !transactions ? new ServerTimeouts(pool, budget) : null;
    }

    /** One statement for all versions: a setting that the server does not have gives no row. */
    static String sql(LeaseBudget budget) {
        long idle = (budget.idle() != null ? budget.idleNanos() : budget.maxNanos()) / 1_000_000 + MARGIN.toMillis();
        long max = budget.max() == null ? 0 : budget.maxNanos() / 1_000_000 + MARGIN.toMillis();
        return "SELECT set_config(name, CASE name WHEN '" + IDLE + "' THEN '" + idle + "' ELSE '" + max
                + "' END, false) FROM pg_settings WHERE " + longer(IDLE, idle)
                + (max == 0 ? "" : " OR " + longer(TRANSACTION, max));
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
        Object physical = PostgresDriver.physical(connection);
        if (physical == null) {
            off = true;
            return false;
        }
        if (!done.contains(physical) && set(connection)) {
            done.add(physical);
        }
        return concerns(dialect.verdict(text));
    }

    /** Whether it is set now; false while a transaction is open, because a rollback would undo it. */
    private boolean set(Connection connection) throws SQLException {
        if (!Boolean.FALSE.equals(PostgresDriver.inTransaction(connection))) {
            return false;
        }
        boolean autoCommit = connection.getAutoCommit();
        try {
            if (!autoCommit) {
                connection.setAutoCommit(true);
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
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
            LOG.warn(
                    "{}: the server does not take the timeouts of the lease budget; flexpool alone keeps it: {}",
                    pool.name(),
                    refused.getMessage());
            return false;
        }
    }

    /** Whether the connection is lost, or the server goes down: SQLState of class 08, or 57P01 and its neighbours. */
    private static boolean isLost(SQLException thrown) {
        String state = thrown.getSQLState();
        return state == null || state.startsWith("08") || state.startsWith("57P");
    }

    /** Whether a statement may change one of the timeouts. */
    private static boolean concerns(Verdict verdict) {
        for (Step step : verdict.steps()) {
            if (step instanceof Effect effect && effect.kind().isSetting()) {
                String name = effect.name();
                if (name == null || name.equals(IDLE) || name.equals(TRANSACTION)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The next lease sets them again, also those that a reset of the session takes away. */
    @Override
    public boolean check(Connection connection) {
        Object physical = PostgresDriver.physical(connection);
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
