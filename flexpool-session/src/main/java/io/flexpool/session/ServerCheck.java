// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.adapter.PoolAdapter.SessionProperty;
import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.Effect.Kind;
import io.flexpool.session.internal.sql.Step;
import io.flexpool.session.internal.sql.Verdict;
import io.flexpool.session.internal.state.ServerState;
import io.flexpool.session.internal.state.SessionState;
import io.flexpool.spi.PartContext;
import io.flexpool.spi.Texts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the state of a session from the server after a lease with failed statements, on PostgreSQL also with statements
 * of unknown effects. Omits settings of the pool and of flexpool by name. Thread-safe.
 */
final class ServerCheck {
    /** Settings that JDBC setters change and pools restore. */
    private static final Set<String> BY_JDBC =
            Set.of("application_name", "default_transaction_isolation", "default_transaction_read_only");

    private static final Set<String> BY_LEASE_BUDGETS =
            Set.of("idle_in_transaction_session_timeout", "transaction_timeout");

    private static final int MOST_VARIABLES = 100;

    private final PartContext pool;
    private final Set<String> allowed;
    private final SessionAction action;
    private final ServerQueries queries;
    private final boolean on;
    private final boolean hasLeaseBudgets;
    /** Variables of the application, collected from its statements, because the server does not list them. */
    private final Set<String> variables = ConcurrentHashMap.newKeySet();

    ServerCheck(PartContext pool, SessionAction action, Set<String> allowed, ServerQueries queries) {
        this.pool = pool;
        this.action = action;
        this.allowed = allowed;
        this.queries = queries;
        this.on = pool.settings().need(SessionPartProvider.SERVER_CHECK);
        this.hasLeaseBudgets = pool.settings().words("lease.action").equals(Optional.of("cancel"));
    }

    boolean isOn() {
        return on;
    }

    /** Whether the server may be queried now. RESET and DISCARD need the answer, so only REPORT follows a pause. */
    private boolean mayQuery() {
        return action != SessionAction.REPORT || queries.mayRun();
    }

    /** Collects the variables that an executed statement sets. */
    void executes(Verdict verdict) {
        if (on && variables.size() < MOST_VARIABLES) {
            for (Step step : verdict.steps()) {
                if (step instanceof Effect effect && isVariable(effect)) {
                    variables.add(Objects.requireNonNull(effect.name()));
                }
            }
        }
    }

    /**
     * The state of an ended lease's session.
     *
     * @param changed the properties that the lease has changed by JDBC methods; flexpool reports these separately
     * @return the left state; also empty if unknown: on other databases, with an init SQL of unknown effects, or in an
     *     open transaction that must stay open, or while the queries pause
     * @throws SQLException if a call of the connection fails
     */
    List<Effect> left(Connection connection, Dialect dialect, List<SessionProperty> changed) throws SQLException {
        String initSql = pool.adapter().initSql();
        if (!on || !dialect.isPostgresql() || initSql == null) {
            return List.of();
        }
        Verdict ofPool = dialect.verdict(initSql);
        boolean autoCommit = connection.getAutoCommit();
        boolean inTransaction = !Boolean.FALSE.equals(PostgresDriver.inTransaction(connection));
        if (ofPool.unknown() || (inTransaction && (autoCommit || action == SessionAction.REPORT)) || !mayQuery()) {
            return List.of();
        }
        if (inTransaction) {
            connection.rollback();
        }
        List<Effect> left = read(connection, variables);
        if (!autoCommit) {
            connection.rollback();
        }
        SessionState pools = new SessionState();
        pools.ran(ofPool, true);
        left.removeIf(effect -> allowed.contains(Texts.word(effect.kind()))
                || isOwn(effect, changed)
                || pools.left().stream()
                        .anyMatch(own -> own.kind() == effect.kind() && Objects.equals(own.name(), effect.name())));
        return left;
    }

    /**
     * Which state of statements that may have failed the session does not have.
     *
     * @param doubted the state
     * @param usedDatabase the database before {@code USE}; null if unknown
     * @return none if the server cannot show it: on PostgreSQL while a transaction is open, with an unknown init SQL, and
     *     on other databases. Null if the server was not queried, because the queries pause
     * @throws SQLException as the connection does
     */
    @Nullable
    List<Effect> absent(Connection connection, Dialect dialect, List<Effect> doubted, @Nullable String usedDatabase)
            throws SQLException {
        return switch (dialect.database()) {
            case POSTGRESQL -> absentOnPostgresql(connection, doubted);
            case MYSQL, MARIADB -> absentOnMySql(connection, dialect.database(), doubted, usedDatabase);
            case OTHER -> List.of();
        };
    }

    private @Nullable List<Effect> absentOnMySql(
            Connection connection, Database database, List<Effect> doubted, @Nullable String usedDatabase)
            throws SQLException {
        String initSql = pool.adapter().initSql();
        if (initSql == null) {
            return List.of();
        }
        if (!mayQuery()) {
            return null;
        }
        List<Effect> absent = new ArrayList<>();
        queries.run(
                connection,
                limit -> absent.addAll(
                        new MySqlCheck(connection, limit, database, usedDatabase, initSql).absent(doubted)));
        queries.responded();
        return absent;
    }

    private @Nullable List<Effect> absentOnPostgresql(Connection connection, List<Effect> doubted) throws SQLException {
        if (!connection.getAutoCommit() || !Boolean.FALSE.equals(PostgresDriver.inTransaction(connection))) {
            return List.of();
        }
        if (!mayQuery()) {
            return null;
        }
        Set<String> named = new TreeSet<>();
        for (Effect effect : doubted) {
            if (isVariable(effect)) {
                named.add(Objects.requireNonNull(effect.name()));
            }
        }
        List<Effect> present = read(connection, named);
        return doubted.stream()
                .filter(effect -> isListed(effect) && present.stream().noneMatch(each -> isSame(each, effect)))
                .toList();
    }

    private static boolean isVariable(Effect effect) {
        return effect.kind() == Kind.SETTING
                && effect.name() != null
                && effect.name().matches("[a-z_][a-z0-9_]*\\.[a-z0-9_]+");
    }

    /** Whether the query shows such a state. */
    private static boolean isListed(Effect effect) {
        return switch (effect.kind()) {
            case SETTING, TIMEOUT ->
                effect.name() != null
                        && !effect.name().startsWith("transaction_")
                        && (isVariable(effect) || effect.name().matches("[a-z_]+"));
            case ROLE,
                    SESSION_AUTHORIZATION,
                    SEARCH_PATH,
                    TIME_ZONE,
                    ADVISORY_LOCK,
                    TEMP_TABLE,
                    LISTEN,
                    PREPARED,
                    HOLD_CURSOR -> true;
            case LIBRARY, TABLE_LOCK, USER_VARIABLE, HANDLER, DATABASE -> false;
        };
    }

    /** Settings have one form of their names. Of other kinds any state counts: a statement may write a name in several forms. */
    private static boolean isSame(Effect present, Effect doubted) {
        return present.kind() == doubted.kind()
                && ((doubted.kind() != Kind.SETTING && doubted.kind() != Kind.TIMEOUT)
                        || Objects.equals(present.name(), doubted.name()));
    }

    private List<Effect> read(Connection connection, Set<String> named) throws SQLException {
        List<Effect> left = new ArrayList<>();
        queries.run(connection, limit -> {
            try (Statement statement = limit.statement(connection);
                    ResultSet rows = statement.executeQuery(ServerState.postgresql(named))) {
                while (rows.next()) {
                    left.add(ServerState.effect(rows.getString(1), rows.getString(2)));
                }
            }
        });
        queries.responded();
        return left;
    }

    private boolean isOwn(Effect effect, List<SessionProperty> changed) {
        if (effect.kind() == Kind.SEARCH_PATH) {
            return pool.adapter().restoredOnReturn().contains(SessionProperty.SCHEMA)
                    || changed.contains(SessionProperty.SCHEMA);
        }
        return effect.name() != null
                && ((effect.kind() == Kind.SETTING && BY_JDBC.contains(effect.name()))
                        || (hasLeaseBudgets
                                && effect.kind() == Kind.TIMEOUT
                                && BY_LEASE_BUDGETS.contains(effect.name())));
    }
}
