// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** The process or container of a {@link PostgresServer}. Used by one thread at a time. */
public interface PostgresEngine {
    String HOST = "127.0.0.1";
    String SUPERUSER = "postgres";

    /**
     * Starts the server for the first time, with a role that owns a database of the same name. Returns when the server
     * accepts connections.
     *
     * @param password a password that needs no quoting
     */
    void create(String role, String password) throws IOException, SQLException;

    /** The password of the superuser {@value #SUPERUSER}; empty without one. */
    String superusersPassword();

    /** The port on 127.0.0.1, the same after a restart. */
    int port();

    /** Stops the server at once, even with open connections, and keeps its data. */
    void stop() throws IOException;

    /** Starts the server again on the same port with the same data. Returns when it accepts connections. */
    void startAgain() throws IOException;

    /** Stops the server and deletes its data. No effect the second time, and before the first start. */
    void delete() throws IOException;

    /** Creates a role. The password does not reach a log, because the server logs no statements. */
    static void createRole(Connection superuser, String role, String password) throws SQLException {
        try (Statement statement = superuser.createStatement()) {
            statement.execute("create role " + role + " login password '" + password + "'");
            statement.execute("create database " + role + " owner " + role);
        }
    }
}
