// SPDX-License-Identifier: Apache-2.0
package io.flexpool.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The kind of database server behind a pool, which decides how statements are read and sessions are reset. */
enum Database {
    POSTGRESQL,
    MYSQL,
    MARIADB,
    /** Another database: flexpool tracks only properties that JDBC methods set. */
    OTHER;

    /**
     * Reads the kind from the product name that the driver reports, without a round trip.
     *
     * @throws SQLException if the driver's metadata cannot be read
     */
    static Database of(Connection connection) throws SQLException {
        String name = connection.getMetaData().getDatabaseProductName();
        String lower = name == null ? "" : name.toLowerCase(Locale.ROOT);
        if (lower.contains("postgresql")) {
            return POSTGRESQL;
        }
        if (lower.contains("mariadb")) {
            return MARIADB;
        }
        if (lower.contains("mysql")) {
            // Connector/J reports this name for MariaDB too.
            String version = connection.getMetaData().getDatabaseProductVersion();
            return version != null && version.toLowerCase(Locale.ROOT).contains("mariadb") ? MARIADB : MYSQL;
        }
        return OTHER;
    }
}
