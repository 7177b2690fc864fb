// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.internal.context.PoolContext;
import io.flexpool.internal.jdbc.LeasedConnection;
import io.flexpool.internal.jdbc.SessionObserver;
import io.flexpool.internal.lease.LeaseTracker;
import io.flexpool.spi.PoolPart.SessionCheck;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Gives the pool's connections back to it, or has the pool drop them. Thread-safe. */
final class ConnectionReturn implements SessionObserver {
    private final PoolContext context;
    private final LeaseTracker leases;
    /** Not final, because the checks need the complete pool; set before the pool is returned. */
    private List<GuardedCheck> checks = List.of();

    ConnectionReturn(PoolContext context, LeaseTracker leases) {
        this.context = context;
        this.leases = leases;
    }

    /** Closes a connection, if the pool gave one. A failure of the close is added to {@code why}, if given. */
    static void unused(@Nullable Connection connection, @Nullable Throwable why) {
        if (connection != null) {
            try {
                connection.close();
            } catch (Throwable thrown) {
                if (why != null && why != thrown) {
                    why.addSuppressed(thrown);
                }
            }
        }
    }

    /** Sets the checks, which never throw. Returns whether a check needs sessions. */
    boolean checks(List<GuardedCheck> ofParts) {
        checks = ofParts;
        boolean needsSessions = false;
        for (GuardedCheck check : ofParts) {
            needsSessions |= check.needsSessions();
        }
        return needsSessions;
    }

    void failed(LeasedConnection lease, Connection connection, SQLException thrown) {
        for (GuardedCheck check : checks) {
            if (check.failed(connection, thrown)) {
                lease.checkOnReturn();
            }
        }
    }

    @Override
    public boolean observes(String sql) {
        for (GuardedCheck check : checks) {
            if (check.observes(sql)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void executes(LeasedConnection lease, int place, Connection connection, String sql) {
        String requestClass = leases.requestClass(place);
        for (GuardedCheck check : checks) {
            if (check.executes(connection, sql, requestClass)) {
                lease.checkOnReturn();
            }
        }
    }

    @Override
    public void changes(LeasedConnection lease, Connection connection, SessionProperty property) {
        for (GuardedCheck check : checks) {
            if (check.changes(connection, property)) {
                lease.checkOnReturn();
            }
        }
    }

    @Override
    public void committed(Connection connection) {
        report(session -> session.committed(connection));
    }

    @Override
    public void savepoint(Connection connection, Savepoint savepoint) {
        report(session -> session.savepoint(connection, savepoint));
    }

    @Override
    public void rolledBack(Connection connection, @Nullable Savepoint to) {
        report(session -> session.rolledBack(connection, to));
    }

    @Override
    public void dropped(Connection connection) {
        report(session -> session.dropped(connection));
    }

    private void report(Consumer<SessionCheck> report) {
        for (GuardedCheck check : checks) {
            check.report(report);
        }
    }

    void abort(Connection connection, Executor executor) throws SQLException {
        context.adapter().abort(connection, executor);
    }

    void discard(Connection connection) throws SQLException {
        context.adapter().discard(connection);
    }

    /** Takes back a connection that was marked during its lease: drops it if discarded, otherwise checks it. */
    void takeBack(Connection connection, boolean discarded) throws SQLException {
        boolean returns = !discarded;
        for (GuardedCheck check : checks) {
            if (returns) {
                returns = check.check(connection);
            } else {
                check.report(session -> session.dropped(connection));
            }
        }
        if (returns) {
            connection.close();
        } else {
            drop(connection);
        }
    }

    /** Drops a connection that was leased. A failure does not reach the application's close. */
    private void drop(Connection connection) {
        boolean dropped = context.listeners()
                .ask(
                        "the discarding of an evicted connection",
                        () -> {
                            rollBack(connection);
                            context.adapter().discard(connection);
                            return true;
                        },
                        false);
        if (!dropped) {
            // Otherwise it would keep its place in the pool.
            unused(connection, null);
        }
    }

    /** Rolls back as the pool would on a return, because some drivers commit when a connection is closed. */
    private static void rollBack(Connection connection) {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException | RuntimeException ofABrokenConnection) {
            // It is dropped next.
            return;
        }
    }
}
