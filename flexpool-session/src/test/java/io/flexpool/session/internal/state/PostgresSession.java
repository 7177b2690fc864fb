// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session.internal.state;

import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.StatementClassifier;
import io.flexpool.session.internal.sql.Verdicts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A connection whose state is known in two ways: from its statements, and from the server. */
final class PostgresSession {
    private static final String LEFT = ServerState.postgresql(List.of("app.a", "app.b"));

    private final Verdicts verdicts = new Verdicts(StatementClassifier.postgresql());
    private final Connection connection;
    private final List<String> log = new ArrayList<>();
    private SessionState state = new SessionState();

    PostgresSession(Connection connection) {
        this.connection = connection;
    }

    /** {@return what was done since the last reset} */
    List<String> log() {
        return log;
    }

    boolean autoCommit() throws SQLException {
        return connection.getAutoCommit();
    }

    void run(String sql) throws SQLException {
        state.ran(verdicts.of(sql), connection.getAutoCommit());
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
            log.add(sql);
        } catch (SQLException e) {
            log.add(sql + "   -- "
                    + Objects.requireNonNull(e.getMessage()).lines().findFirst().orElse(""));
            state.failed();
        }
    }

    void autoCommit(boolean on) throws SQLException {
        boolean commits = on && !connection.getAutoCommit();
        log.add("autoCommit " + on);
        try {
            connection.setAutoCommit(on);
            if (commits) {
                state.committed();
            }
        } catch (SQLException e) {
            state.rolledBack();
            connection.setAutoCommit(on);
        }
    }

    void commit() throws SQLException {
        log.add("commit()");
        try {
            connection.commit();
            state.committed();
        } catch (SQLException e) {
            log.add("   -- " + e.getMessage());
            connection.rollback();
            state.rolledBack();
        }
    }

    void rollback() throws SQLException {
        log.add("rollback()");
        connection.rollback();
        state.rolledBack();
    }

    @Nullable
    Savepoint savepoint() {
        try {
            Savepoint set = connection.setSavepoint();
            log.add("setSavepoint() " + set.getSavepointId());
            state.savepoint(set);
            return set;
        } catch (SQLException e) {
            return null; // Not in an aborted transaction.
        }
    }

    void rollback(Savepoint to) throws SQLException {
        try {
            connection.rollback(to);
            log.add("rollback(" + to.getSavepointId() + ")");
            state.rolledBackTo(to);
        } catch (SQLException e) {
            log.add("rollback(savepoint)   -- " + e.getMessage());
            connection.rollback(); // It was of an earlier transaction.
            state.rolledBack();
        }
    }

    /** {@return what the statements have left, in words} */
    Set<String> left() {
        Set<String> left = new TreeSet<>();
        state.left().forEach(effect -> left.add(words(effect)));
        return left;
    }

    private static String words(Effect effect) {
        return effect.name() == null ? effect.kind().name() : effect.kind() + " " + effect.name();
    }

    /** {@return what the server has, in words} */
    Set<String> onServer() throws SQLException {
        Set<String> left = new TreeSet<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(LEFT)) {
            while (rows.next()) {
                Effect effect = ServerState.effect(rows.getString(1), rows.getString(2));
                // Which the driver sets.
                if (!"application_name".equals(effect.name())) {
                    left.add(words(effect));
                }
            }
        }
        return left;
    }

    /** Resets what the statements have left. */
    void reset() throws SQLException {
        String sql = ResetSql.postgresql(state.left());
        if (sql == null) {
            throw new SQLException("cannot be reset: " + left());
        }
        log.add(sql);
        if (!sql.isEmpty()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
        }
        state = new SessionState();
    }

    void begins() {
        log.clear();
    }
}
