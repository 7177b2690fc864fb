// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.Effect.Kind;
import io.flexpool.session.internal.state.ResetSql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads from MySQL and MariaDB which state of failed statements a session does not have. These servers do not show
 * whether a session has set a variable, so a variable counts as not set if it has the server's value. Judges no
 * variable that the driver, the URL or the pool may set at connect, and no locks, temporary tables or prepared
 * statements. For one check.
 */
final class MySqlCheck {
    private final Connection connection;
    private final QueryLimit limit;
    private final boolean mariaDb;
    private final @Nullable String usedDatabase;
    /** The URL and the pool's init SQL, in lower case. */
    private final String atConnect;

    /**
     * Creates a check.
     *
     * @param usedDatabase the database before {@code USE}; null if unknown
     * @throws SQLException if the URL cannot be read
     */
    MySqlCheck(
            Connection connection, QueryLimit limit, Database database, @Nullable String usedDatabase, String initSql)
            throws SQLException {
        this.connection = connection;
        this.limit = limit;
        this.mariaDb = database == Database.MARIADB;
        this.usedDatabase = usedDatabase;
        this.atConnect = (connection.getMetaData().getURL() + '\n' + initSql).toLowerCase(Locale.ROOT);
    }

    /**
     * The state that the session does not have.
     *
     * @throws SQLException if a query fails
     */
    List<Effect> absent(List<Effect> doubted) throws SQLException {
        List<Effect> variables = doubted.stream().filter(this::isSystemVariable).toList();
        Map<String, String> session = variables(variables, "SESSION");
        Map<String, String> global = variables(variables, "GLOBAL");
        List<Effect> absent = new ArrayList<>();
        for (Effect effect : variables) {
            String name = variable(effect);
            // A variable of sessions alone has no global value; an unknown one has none at all.
            if (Objects.equals(session.get(name), global.get(name))) {
                absent.add(effect);
            }
        }
        for (Effect effect : doubted) {
            String condition = condition(effect);
            if (condition != null && isTrue(condition)) {
                absent.add(effect);
            }
        }
        return absent;
    }

    private boolean isSystemVariable(Effect effect) {
        String name = variable(effect);
        return effect.kind().isSetting()
                && name != null
                && name.matches("[a-z0-9_]+")
                && !ResetSql.outlivesDriver(effect)
                && !isSetAtConnect(name);
    }

    private boolean isSetAtConnect(String name) {
        return Pattern.compile("(?<!\\w)" + Pattern.quote(name) + "(?!\\w)")
                .matcher(atConnect)
                .find();
    }

    private static @Nullable String variable(Effect effect) {
        return effect.kind() == Kind.TIME_ZONE ? "time_zone" : effect.name();
    }

    private Map<String, String> variables(List<Effect> effects, String scope) throws SQLException {
        Map<String, String> values = new HashMap<>();
        if (!effects.isEmpty()) {
            String names =
                    effects.stream().map(MySqlCheck::variable).collect(Collectors.toCollection(TreeSet::new)).stream()
                            .collect(Collectors.joining("', '", "('", "')"));
            try (Statement statement = limit.statement(connection);
                    ResultSet rows =
                            statement.executeQuery("SHOW " + scope + " VARIABLES WHERE variable_name IN " + names)) {
                while (rows.next()) {
                    values.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getString(2));
                }
            }
        }
        return values;
    }

    /** A condition that is true if the session does not have this state; null if none shows it. */
    private @Nullable String condition(Effect effect) {
        String name = effect.name();
        return switch (effect.kind()) {
            case USER_VARIABLE ->
                name == null || isSetAtConnect(name.toLowerCase(Locale.ROOT))
                        ? null
                        : "@`" + name.replace("`", "``") + "` IS NULL";
            case DATABASE ->
                usedDatabase == null
                        ? null
                        : "DATABASE() = '" + usedDatabase.replace("\\", "\\\\").replace("'", "''") + "'";
            case ROLE ->
                mariaDb && !isSetAtConnect("role")
                        ? "CURRENT_ROLE() <=> (SELECT MAX(role_name) FROM information_schema.applicable_roles"
                                + " WHERE is_default = 'YES')"
                        : null;
            default -> null;
        };
    }

    private boolean isTrue(String condition) throws SQLException {
        try (Statement statement = limit.statement(connection);
                ResultSet row = statement.executeQuery("SELECT " + condition)) {
            return row.next() && row.getBoolean(1);
        }
    }
}
