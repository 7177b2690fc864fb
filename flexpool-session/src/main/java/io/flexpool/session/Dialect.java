// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.StatementClassifier;
import io.flexpool.session.internal.sql.Step;
import io.flexpool.session.internal.sql.Verdict;
import io.flexpool.session.internal.sql.Verdicts;
import io.flexpool.session.internal.state.ResetSql;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How the statements of one pool's database are read, and how its sessions are reset. Thread-safe. */
final class Dialect {
    /** A server that needs longer to forget a few settings is in trouble; a new connection costs less than waiting. */
    private static final int RESET_MILLIS = 500;

    private final Database database;
    /** Null if only JDBC's own properties are known. */
    private final @Nullable Verdicts verdicts;

    private Dialect(Database database, @Nullable Verdicts verdicts) {
        this.database = database;
        this.verdicts = verdicts;
    }

    static Dialect of(Database database) {
        return new Dialect(
                database,
                switch (database) {
                    case POSTGRESQL -> new Verdicts(StatementClassifier.postgresql());
                    case MYSQL, MARIADB -> new Verdicts(StatementClassifier.mysql());
                    case OTHER -> null;
                });
    }

    Verdict verdict(String sql) {
        return verdicts == null ? Verdict.HARMLESS : verdicts.of(sql);
    }

    /**
     * Resets what a lease has left, and no more, in one round trip. An open transaction is rolled back: the reset would be a part of it.
     *
     * @param initSql what the pool executes on a new connection; null if that is not known
     * @return false if it cannot be reset: the connection must not go back
     * @throws SQLException as the connection does
     */
    boolean reset(Connection connection, List<Effect> left, @Nullable String initSql) throws SQLException {
        if (left.isEmpty()) {
            return true;
        }
        String sql = database == Database.POSTGRESQL && initSql != null ? ResetSql.postgresql(left) : null;
        if (sql == null) {
            return false;
        }
        boolean again = initSql != null && !initSql.isBlank() && touches(initSql, left);
        boolean autoCommit = connection.getAutoCommit();
        if (!autoCommit) {
            connection.rollback();
            connection.setAutoCommit(true);
        }
        execute(connection, again ? sql + "; " + initSql : sql);
        if (!autoCommit) {
            connection.setAutoCommit(false);
        }
        return true;
    }

    /** Whether the pool's own statements set one of these, or something that cannot be judged. */
    private boolean touches(String initSql, List<Effect> left) {
        Verdict verdict = verdict(initSql);
        for (Step step : verdict.steps()) {
            if (step instanceof Effect own && left.stream().anyMatch(each -> each.kind() == own.kind())) {
                return true;
            }
        }
        return verdict.unknown();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        int before = limited(connection);
        try (Statement statement = connection.createStatement()) {
            if (before < 0) {
                statement.setQueryTimeout(1);
            }
            statement.execute(sql);
        }
        if (before >= 0) {
            connection.setNetworkTimeout(Runnable::run, before);
        }
    }

    /** Bounds the time of each answer. The limit before; negative if the driver has none. */
    private static int limited(Connection connection) throws SQLException {
        try {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, RESET_MILLIS);
            return before;
        } catch (SQLFeatureNotSupportedException | UnsupportedOperationException none) {
            return -1;
        }
    }
}
