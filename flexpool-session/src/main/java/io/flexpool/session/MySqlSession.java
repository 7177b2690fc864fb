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
 * Resets sessions of MySQL and MariaDB by {@code COM_RESET_CONNECTION}, which only the drivers can send. It resets more
 * than the left state: also settings of the driver, the URL and the pool, which are set again here. Thread-safe.
 */
final class MySqlSession {
    /** MariaDB Connector/J 3.4 and newer; older versions lack some of the methods. */
    private static final DriverType MARIADB = new DriverType("org.mariadb.jdbc.Connection");

    private static final DriverType CONNECTOR_J = new DriverType("com.mysql.cj.jdbc.JdbcConnection");
    /** Its supertype: in a native image a method is found in the type that declares it. */
    private static final DriverType CONNECTOR_J_CORE = new DriverType("com.mysql.cj.MysqlConnection");

    /**
     * The number of statements that the driver has prepared in the server, for example for a batch: the pool or the
     * driver may keep them. Statements prepared by SQL are counted twice there.
     */
    private static final String OPEN_STATEMENTS =
            "SELECT CAST(SUM(IF(variable_name IN ('COM_STMT_PREPARE', 'COM_DEALLOC_SQL'), 1, -1) * variable_value) AS INT)"
                    + " FROM information_schema.session_status"
                    + " WHERE variable_name IN ('COM_STMT_PREPARE', 'COM_PREPARE_SQL', 'COM_STMT_CLOSE', 'COM_DEALLOC_SQL')";

    /**
     * A statement that restores the driver's settings, also of its handshake: the command sets them to the server's
     * values.
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
     * Resets what a lease has left.
     *
     * @param usedDatabase the database before {@code USE}; null if unknown
     * @param initSql what the pool executes on a new connection
     * @return false if it cannot be reset
     * @throws SQLException as the connection does, and if the time is over
     */
    static boolean reset(
            Connection connection,
            Database database,
            List<Effect> left,
            @Nullable String usedDatabase,
            String initSql,
            ResetBound bound)
            throws SQLException {
        Connection driver = physical(connection);
        boolean uses = left.stream().anyMatch(each -> each.kind() == Kind.DATABASE);
        if (driver == null || !ResetSql.byDriver(left) || (uses && usedDatabase == null)) {
            return false;
        }
        boolean autoCommit = driver.getAutoCommit();
        boolean readOnly = driver.isReadOnly();
        if (!autoCommit) {
            bound.next();
            driver.rollback();
        }
        bound.next();
        int isolation = driver.getTransactionIsolation();
        bound.next();
        String handshake = String.valueOf(one(driver, HANDSHAKE));
        bound.next();
        try {
            if (!(MARIADB.unwrapped(connection) == null
                    ? byConnectorJ(driver)
                    : database == Database.MARIADB && byMariaDb(driver, bound))) {
                return false;
            }
        } catch (ReflectiveOperationException failed) {
            throw DriverType.thrown(failed);
        }
        if (left.stream().anyMatch(each -> each.kind() == Kind.ROLE)) {
            bound.next();
            bound.execute(driver, "SET ROLE " + defaultRole(driver, database));
        }
        if (uses) {
            bound.execute(driver, "USE " + quoted(String.valueOf(usedDatabase)));
        }
        bound.execute(driver, handshake);
        bound.execute(driver, "SET SESSION TRANSACTION ISOLATION LEVEL " + level(isolation));
        // Splits the statements that adapters join: the server reads only one at a time.
        for (String statement : initSql.split(";\n", -1)) {
            if (!statement.isBlank()) {
                bound.execute(driver, statement);
            }
        }
        if (readOnly) {
            bound.next();
            driver.setReadOnly(false);
            driver.setReadOnly(true);
        }
        if (driver.getAutoCommit() != autoCommit) {
            bound.next();
            driver.setAutoCommit(autoCommit);
        }
        return true;
    }

    /** This driver sets all its initial settings again, including the variables of the URL. */
    private static boolean byConnectorJ(Connection driver) throws ReflectiveOperationException {
        Object properties = CONNECTOR_J_CORE.call(driver, "getPropertySet");
        Class<?> type = Class.forName(
                "com.mysql.cj.conf.PropertySet", false, driver.getClass().getClassLoader());
        Object prepares = type.getMethod("getBooleanProperty", String.class).invoke(properties, "useServerPrepStmts");
        Object value = Class.forName("com.mysql.cj.conf.RuntimeProperty", false, type.getClassLoader())
                .getMethod("getValue")
                .invoke(prepares);
        if (!Boolean.FALSE.equals(value)) {
            // Like MariaDB's driver: the server drops the statements.
            return false;
        }
        CONNECTOR_J.call(driver, "resetServerState");
        return true;
    }

    /**
     * As {@code Connection.reset()} does it with {@code useResetConnection}, which is off by default: without it that method sends
     * nothing, and with it resets nothing that the driver has set at the start.
     */
    private static boolean byMariaDb(Connection driver, ResetBound bound)
            throws ReflectiveOperationException, SQLException {
        Object client = MARIADB.call(driver, "getClient");
        Object context = MARIADB.call(driver, "getContext");
        if (client == null || context == null) {
            return false;
        }
        bound.next();
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
            // A connection to one of several servers.
            return false;
        }
        Class<?> clients = Class.forName("org.mariadb.jdbc.client.Client", false, loader);
        Class<?> messages = Class.forName("org.mariadb.jdbc.message.ClientMessage", false, loader);
        Object packet = Class.forName("org.mariadb.jdbc.message.client.ResetPacket", true, loader)
                .getField("INSTANCE")
                .get(null);
        bound.next();
        clients.getMethod("execute", messages, boolean.class).invoke(client, packet, true);
        // The driver drops its prepared statements.
        clients.getMethod("reset").invoke(client);
        Object variables = atStart.invoke(client, context);
        if (variables != null) {
            bound.execute(driver, variables.toString());
        }
        return true;
    }

    /** The command leaves the role of MariaDB, which has no keyword for the default role. */
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
