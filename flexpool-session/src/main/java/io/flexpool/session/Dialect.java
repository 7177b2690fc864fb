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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the statements of one pool's database, and resets its sessions. Thread-safe. */
final class Dialect {
    private final Database database;
    /** Null for a database whose SQL flexpool cannot classify. */
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

    Database database() {
        return database;
    }

    boolean isPostgresql() {
        return database == Database.POSTGRESQL;
    }

    /** The driver's connection; null for another database or driver. */
    @Nullable
    Connection driver(Connection connection) {
        Object driver = switch (database) {
            case POSTGRESQL -> PostgresDriver.physical(connection);
            case MYSQL, MARIADB -> MySqlSession.physical(connection);
            case OTHER -> null;
        };
        return driver instanceof Connection ofDriver ? ofDriver : null;
    }

    Verdict verdict(String sql) {
        return verdicts == null ? Verdict.HARMLESS : verdicts.of(sql);
    }

    /**
     * Adds to a verdict the settings of the pool's init SQL that the statement removes: the next borrower misses them,
     * so their absence is left state.
     *
     * @param initSql the pool's statements for a new connection; null if unknown
     */
    Verdict beside(@Nullable String initSql, Verdict verdict) {
        if (initSql == null || initSql.isBlank() || verdict.steps().stream().noneMatch(Dialect::takes)) {
            return verdict;
        }
        List<Step> owned = verdict(initSql).steps();
        List<Step> steps = new ArrayList<>();
        for (Step step : verdict.steps()) {
            steps.add(step);
            for (Step own : owned) {
                if (step instanceof Effect taking
                        && own instanceof Effect set
                        && set.sets()
                        && taking.takes(set.kind(), set.name())) {
                    steps.add(new Effect(set.kind(), set.name(), true, taking.undone(), taking.untilEnd()));
                }
            }
        }
        return new Verdict(steps, verdict.unknown(), verdict.readsSequence());
    }

    private static boolean takes(Step step) {
        return step instanceof Effect effect && !effect.sets();
    }

    /**
     * Resets the state that a lease has left. Call it only while no transaction is open, because the reset would become
     * a part of the transaction.
     *
     * @param left the effects that the lease has left
     * @param usedDatabase the database before {@code USE}; null if unknown
     * @param initSql the pool's statements for a new connection; null if unknown
     * @param limit the time limit of each response
     * @return false if the state cannot be reset: the connection must not return to the pool
     * @throws SQLException if a call of the connection fails, or a response exceeds the time limit
     */
    boolean reset(
            Connection connection,
            List<Effect> left,
            @Nullable String usedDatabase,
            @Nullable String initSql,
            QueryLimit limit)
            throws SQLException {
        if (left.isEmpty()) {
            return true;
        }
        if (initSql == null) {
            return false;
        }
        return switch (database) {
            case POSTGRESQL -> resetPostgresql(connection, left, initSql, limit);
            case MYSQL, MARIADB -> MySqlSession.reset(connection, database, left, usedDatabase, initSql, limit);
            case OTHER -> false;
        };
    }

    /** Resets only the left state, in one round trip. */
    private boolean resetPostgresql(Connection connection, List<Effect> left, String initSql, QueryLimit limit)
            throws SQLException {
        String sql = ResetSql.postgresql(left);
        if (sql == null) {
            return false;
        }
        boolean again = !initSql.isBlank() && touches(initSql, left);
        limit.execute(connection, again ? sql + "; " + initSql : sql);
        return true;
    }

    /** Whether the init SQL sets one of these states, or has unknown effects. */
    private boolean touches(String initSql, List<Effect> left) {
        Verdict verdict = verdict(initSql);
        for (Step step : verdict.steps()) {
            if (step instanceof Effect own && left.stream().anyMatch(each -> each.kind() == own.kind())) {
                return true;
            }
        }
        return verdict.unknown();
    }
}
