// SPDX-License-Identifier: Apache-2.0
package io.flexpool.hibernate;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Stream;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.engine.jdbc.connections.internal.ConnectionProviderInitiator;
import org.jspecify.annotations.Nullable;

/**
 * Hibernate's settings for each connection.
 *
 * @param url the URL as given, with its secrets
 * @param user the user; null without credentials
 */
record ConnectionSettings(
        @Nullable String url,
        @Nullable String user,
        @Nullable String password,
        @Nullable Integer isolation,
        @Nullable Boolean autoCommit) {

    @SuppressWarnings("deprecation") // javax.persistence's keys, which Hibernate 6 and 7 still read
    static ConnectionSettings of(Map<String, Object> settings) {
        String autoCommit = first(settings, AvailableSettings.AUTOCOMMIT);
        return new ConnectionSettings(
                first(
                        settings,
                        AvailableSettings.JAKARTA_JDBC_URL,
                        AvailableSettings.URL,
                        AvailableSettings.JPA_JDBC_URL),
                first(
                        settings,
                        AvailableSettings.USER,
                        AvailableSettings.JAKARTA_JDBC_USER,
                        AvailableSettings.JPA_JDBC_USER),
                first(
                        settings,
                        AvailableSettings.PASS,
                        AvailableSettings.JAKARTA_JDBC_PASSWORD,
                        AvailableSettings.JPA_JDBC_PASSWORD),
                ConnectionProviderInitiator.extractIsolation(settings),
                autoCommit == null ? null : Boolean.valueOf(autoCommit));
    }

    private static @Nullable String first(Map<String, Object> settings, String... keys) {
        return Stream.of(keys)
                .map(settings::get)
                .filter(value -> value != null)
                .map(Object::toString)
                .findFirst()
                .orElse(null);
    }

    /** Applies the settings to a connection. If that fails, returns the connection to the pool. */
    Connection onto(Connection connection) throws SQLException {
        try {
            if (isolation != null && connection.getTransactionIsolation() != isolation) {
                connection.setTransactionIsolation(isolation);
            }
            boolean wanted = autoCommit != null && autoCommit;
            if (connection.getAutoCommit() != wanted) {
                connection.setAutoCommit(wanted);
            }
            return connection;
        } catch (SQLException | RuntimeException | Error failed) {
            connection.close();
            throw failed;
        }
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "user " + user + ", isolation " + isolation + ", auto-commit " + autoCommit;
    }
}
