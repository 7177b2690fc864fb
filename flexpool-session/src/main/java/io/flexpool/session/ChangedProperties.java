// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import io.flexpool.adapter.PoolAdapter.SessionProperty;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The properties that a lease has changed by JDBC methods, with their old values. Used by one thread at a time. */
final class ChangedProperties {
    private final Map<SessionProperty, Object> before = new EnumMap<>(SessionProperty.class);

    /**
     * PostgreSQL's search path, with the schema as its first existing entry. Null on other servers, and before a
     * change.
     */
    private @Nullable String searchPath;

    /** Represents null, which the map does not allow. */
    private static final Object NONE = new Object();

    /**
     * Called before a property changes.
     *
     * @throws SQLException if its value cannot be read
     */
    void changing(Connection connection, SessionProperty property) throws SQLException {
        if (!before.containsKey(property)) {
            boolean hasPath = property == SessionProperty.SCHEMA && PostgresDriver.physical(connection) != null;
            Object value = hasPath ? schemaOfPath(connection) : read(connection, property);
            before.put(property, value == null ? NONE : value);
        }
    }

    /** Reads both in one round trip. */
    private @Nullable String schemaOfPath(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select current_schema(), current_setting('search_path')")) {
            row.next();
            searchPath = row.getString(2);
            return row.getString(1);
        }
    }

    /**
     * The value before the lease: the current value of an unchanged property.
     *
     * @throws SQLException if the value cannot be read
     */
    @Nullable
    Object before(Connection connection, SessionProperty property) throws SQLException {
        Object value = before.containsKey(property) ? before.get(property) : read(connection, property);
        return value == NONE ? null : value;
    }

    /**
     * The properties with changed values.
     *
     * @throws SQLException if a value cannot be read
     */
    List<SessionProperty> changed(Connection connection) throws SQLException {
        List<SessionProperty> changed = new ArrayList<>();
        for (Map.Entry<SessionProperty, Object> each : before.entrySet()) {
            Object value = read(connection, each.getKey());
            if (!Objects.equals(each.getValue(), value == null ? NONE : value)) {
                changed.add(each.getKey());
            }
        }
        return changed;
    }

    /**
     * Restores the value from before the lease.
     *
     * @throws SQLException if that fails
     */
    @SuppressWarnings("unchecked") // getTypeMap() returned it
    void restore(Connection connection, SessionProperty property) throws SQLException {
        Object value = before.get(property) == NONE ? null : before.get(property);
        switch (property) {
            case CATALOG -> connection.setCatalog((String) value);
            case SCHEMA -> restoreSchema(connection, (String) value);
            case CLIENT_INFO -> connection.setClientInfo((Properties) value);
            case TYPE_MAP -> connection.setTypeMap((Map<String, Class<?>>) value);
            case HOLDABILITY -> connection.setHoldability((Integer) Objects.requireNonNull(value));
            case NETWORK_TIMEOUT ->
                connection.setNetworkTimeout(Runnable::run, (Integer) Objects.requireNonNull(value));
            case TRANSACTION_ISOLATION -> connection.setTransactionIsolation((Integer) Objects.requireNonNull(value));
            case TRANSACTION, READ_ONLY_TRANSACTION -> throw new IllegalArgumentException(property + " has no value");
        }
    }

    private void restoreSchema(Connection connection, @Nullable String schema) throws SQLException {
        // Some pools keep the schema, and would not see that the path has changed.
        connection.setSchema(schema);
        if (searchPath == null) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement("select set_config('search_path', ?, false)")) {
            statement.setString(1, searchPath);
            statement.execute();
        }
    }

    private static @Nullable Object read(Connection connection, SessionProperty property) throws SQLException {
        return switch (property) {
            case CATALOG -> connection.getCatalog();
            case SCHEMA -> connection.getSchema();
            case CLIENT_INFO -> copy(connection.getClientInfo());
            case TYPE_MAP -> connection.getTypeMap() == null ? null : Map.copyOf(connection.getTypeMap());
            case HOLDABILITY -> connection.getHoldability();
            case NETWORK_TIMEOUT -> connection.getNetworkTimeout();
            case TRANSACTION_ISOLATION -> connection.getTransactionIsolation();
            case TRANSACTION, READ_ONLY_TRANSACTION -> throw new IllegalArgumentException(property + " has no value");
        };
    }

    /** Copies the object, because drivers may return an internal one. */
    private static @Nullable Properties copy(@Nullable Properties info) {
        if (info == null) {
            return null;
        }
        Properties copy = new Properties();
        copy.putAll(info);
        return copy;
    }
}
