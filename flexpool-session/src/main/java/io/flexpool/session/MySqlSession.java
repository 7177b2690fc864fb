// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.session.internal.sql.Effect;
import io.flexpool.session.internal.sql.Effect.Kind;
import io.flexpool.session.internal.state.ResetSql;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resets sessions of MySQL and MariaDB by {@code COM_RESET_CONNECTION}, which only the drivers can send. The command
 * also resets settings of the driver, the URL and the pool, so this class sets them again. Thread-safe.
 */
final class MySqlSession {
    /** MariaDB Connector/J 3.4 and newer; older versions lack some of the methods. */
    private static final DriverType MARIADB = new DriverType("org.mariadb.jdbc.Connection");

    private static final DriverType CONNECTOR_J = new DriverType("com.mysql.cj.jdbc.JdbcConnection");
    /** The supertype that declares {@code getPropertySet}: a native image finds a method only in the declaring type. */
    private static final DriverType CONNECTOR_J_CORE = new DriverType("com.mysql.cj.MysqlConnection");

    /**
     * Queries the number of open statements that the driver has prepared in the server, for example for a batch: the
     * pool or the driver may keep them. The server counts a statement prepared by SQL in both pairs of counters.
     */
    private static final String OPEN_STATEMENTS =
            "SELECT CAST(SUM(IF(variable_name IN ('COM_STMT_PREPARE', 'COM_DEALLOC_SQL'), 1, -1) * variable_value) AS INT)"
                    + " FROM information_schema.session_status"
                    + " WHERE variable_name IN ('COM_STMT_PREPARE', 'COM_PREPARE_SQL', 'COM_STMT_CLOSE', 'COM_DEALLOC_SQL')";

    /**
     * Queries a statement that restores the session's mode, character sets and collation, which the driver sets in its
     * handshake: {@code COM_RESET_CONNECTION} sets them to the server's values.
     */
    private static final String HANDSHAKE = "SELECT CONCAT('SET SESSION sql_mode = ', QUOTE(@@session.sql_mode),"
            + " ', character_set_client = ', QUOTE(@@session.character_set_client),"
            + " ', character_set_results = ', QUOTE(@@session.character_set_results),"
            + " ', collation_connection = ', QUOTE(@@session.collation_connection))";

    private MySqlSession() {}

    /** The driver's connection, a separate object for each session of the server; null for other drivers. */
    static @Nullable Connection physical(Connection connection) {
        Object driver = MARIADB.unwrapped(connection);
        return (Connection) (driver == null ? CONNECTOR_J.unwrapped(connection) : driver);
    }

    /**
     * Resets the state that a lease has left.
     *
     * @param usedDatabase the database before {@code USE}; null if unknown
     * @param initSql the pool's statements for a new connection
     * @return false if the session cannot be reset
     * @throws SQLException if a call of the connection fails, or a response exceeds the time limit
     */
    static boolean reset(
            Connection connection,
            Database database,
            List<Effect> left,
            @Nullable String usedDatabase,
            String initSql,
            QueryLimit limit)
            throws SQLException {
        Connection driver = physical(connection);
        boolean uses = left.stream().anyMatch(each -> each.kind() == Kind.DATABASE);
        if (driver == null || !ResetSql.byDriver(left) || (uses && usedDatabase == null)) {
            return false;
        }
        boolean autoCommit = driver.getAutoCommit();
        boolean readOnly = driver.isReadOnly();
        if (!autoCommit) {
            driver.rollback();
        }
        int isolation = driver.getTransactionIsolation();
        String handshake = String.valueOf(one(driver, HANDSHAKE));
        try {
            if (!(MARIADB.unwrapped(connection) == null
                    ? byConnectorJ(driver)
                    : database == Database.MARIADB && byMariaDb(driver, limit))) {
                return false;
            }
        } catch (ReflectiveOperationException failed) {
            throw DriverType.thrown(failed);
        }
        if (left.stream().anyMatch(each -> each.kind() == Kind.ROLE)) {
            limit.execute(driver, "SET ROLE " + defaultRole(driver, database));
        }
        if (uses) {
            limit.execute(driver, "USE " + quoted(String.valueOf(usedDatabase)));
        }
        limit.execute(driver, handshake);
        limit.execute(driver, "SET SESSION TRANSACTION ISOLATION LEVEL " + level(isolation));
        // Adapters join several statements, and the server accepts one at a time.
        for (String statement : initSql.split(";\n", -1)) {
            if (!statement.isBlank()) {
                limit.execute(driver, statement);
            }
        }
        if (readOnly) {
            driver.setReadOnly(false);
            driver.setReadOnly(true);
        }
        if (driver.getAutoCommit() != autoCommit) {
            driver.setAutoCommit(autoCommit);
        }
        return true;
    }

    /** Resets by Connector/J, which sets all its initial settings again, including the variables of the URL. */
    private static boolean byConnectorJ(Connection driver) throws ReflectiveOperationException {
        Object properties = CONNECTOR_J_CORE.call(driver, "getPropertySet");
        Class<?> type = Class.forName(
                "com.mysql.cj.conf.PropertySet", false, driver.getClass().getClassLoader());
        Object prepares = type.getMethod("getBooleanProperty", String.class).invoke(properties, "useServerPrepStmts");
        Object value = Class.forName("com.mysql.cj.conf.RuntimeProperty", false, type.getClassLoader())
                .getMethod("getValue")
                .invoke(prepares);
        if (!Boolean.FALSE.equals(value)) {
            // The command drops the server's prepared statements, which the driver still uses.
            return false;
        }
        CONNECTOR_J.call(driver, "resetServerState");
        return true;
    }

    /**
     * Resets as {@code Connection.reset()} does with {@code useResetConnection}. That option is off by default, and
     * then {@code reset()} sends nothing. Also sets again the variables that the driver has set at connect, which
     * {@code reset()} omits.
     */
    private static boolean byMariaDb(Connection driver, QueryLimit limit)
            throws ReflectiveOperationException, SQLException {
        Object client = MARIADB.call(driver, "getClient");
        Object context = MARIADB.call(driver, "getContext");
        if (client == null || context == null) {
            return false;
        }
        if (!"0".equals(one(driver, OPEN_STATEMENTS))) {
            return false;
        }
        ClassLoader loader = driver.getClass().getClassLoader();
        Class<?> standard = Class.forName("org.mariadb.jdbc.client.impl.StandardClient", false, loader);
        Class<?> contexts = Class.forName("org.mariadb.jdbc.client.Context", false, loader);
        Method atStart;
        try {
            atStart = standard.getMethod("createSessionVariableQuery", contexts);
        } catch (NoSuchMethodException olderDriver) {
            return false;
        }
        if (!standard.isInstance(client)) {
            // A client of several servers, for example of a primary and a replica.
            return false;
        }
        Class<?> clients = Class.forName("org.mariadb.jdbc.client.Client", false, loader);
        Class<?> messages = Class.forName("org.mariadb.jdbc.message.ClientMessage", false, loader);
        Object packet = Class.forName("org.mariadb.jdbc.message.client.ResetPacket", true, loader)
                .getField("INSTANCE")
                .get(null);
        clients.getMethod("execute", messages, boolean.class).invoke(client, packet, true);
        // Makes the driver drop its prepared statements.
        clients.getMethod("reset").invoke(client);
        Object variables = atStart.invoke(client, context);
        if (variables != null) {
            limit.execute(driver, variables.toString());
        }
        return true;
    }

    /**
     * Queries the default role on MariaDB, which has no keyword for it. {@code COM_RESET_CONNECTION} keeps MariaDB's
     * current role.
     */
    private static String defaultRole(Connection driver, Database database) throws SQLException {
        if (database == Database.MYSQL) {
            return "DEFAULT";
        }
        String role =
                one(driver, "SELECT MAX(role_name) FROM information_schema.applicable_roles WHERE is_default = 'YES'");
        return role == null ? "NONE" : quoted(role);
    }

    private static String level(int isolation) {
        return switch (isolation) {
            case Connection.TRANSACTION_READ_UNCOMMITTED -> "READ UNCOMMITTED";
            case Connection.TRANSACTION_READ_COMMITTED -> "READ COMMITTED";
            case Connection.TRANSACTION_SERIALIZABLE -> "SERIALIZABLE";
            default -> "REPEATABLE READ";
        };
    }

    private static @Nullable String one(Connection driver, String sql) throws SQLException {
        try (Statement statement = driver.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getString(1) : null;
        }
    }

    private static String quoted(String name) {
        return '`' + name.replace("`", "``") + '`';
    }
}
