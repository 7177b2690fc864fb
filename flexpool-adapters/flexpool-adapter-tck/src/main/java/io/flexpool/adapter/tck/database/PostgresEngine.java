// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** What a {@link PostgresServer} runs in. Used by one thread at a time. */
public interface PostgresEngine {
    String HOST = "127.0.0.1";
    String SUPERUSER = "postgres";

    /**
     * Starts the server for the first time, with a role that owns a database of its own name, and waits until it answers.
     *
     * @param password needs no quoting
     */
    void create(String role, String password) throws IOException, SQLException;

    /** What the superuser {@value #SUPERUSER} logs in with; empty if it needs none. */
    String superusersPassword();

    /** The port on 127.0.0.1, the same after a restart. */
    int port();

    /** Stops the server at once, connections open or not, and keeps its data. */
    void stop() throws IOException;

    /** Starts it on the same port with the same data, and waits until it answers. */
    void startAgain() throws IOException;

    /** Stops it if it runs and deletes its data. Without effect the second time, or if there was no first start. */
    void delete() throws IOException;

    /** The server logs no statements. */
    static void createRole(Connection superuser, String role, String password) throws SQLException {
        try (Statement statement = superuser.createStatement()) {
            statement.execute("create role " + role + " login password '" + password + "'");
            statement.execute("create database " + role + " owner " + role);
        }
    }
}
