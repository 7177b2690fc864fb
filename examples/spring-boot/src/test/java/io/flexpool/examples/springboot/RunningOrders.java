// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import io.flexpool.adapter.tck.database.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;

/** The application in this JVM, on a free port; its pool as its endpoint shows it, and as the database does. */
final class RunningOrders implements AutoCloseable {
    private final PostgresServer database;
    private final String name;
    private final ConfigurableApplicationContext context;
    private final Http http;
    private final String pool;

    /**
     * Starts it.
     *
     * @param name what its sessions are called in the database
     */
    RunningOrders(PostgresServer database, String name, String... settings) throws IOException, InterruptedException {
        this.database = database;
        this.name = name;
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("--server.port=0");
        all.add("--spring.datasource.hikari.data-source-properties.ApplicationName=" + name);
        SpringApplication application = new SpringApplication(OrdersApplication.class);
        application.setDefaultProperties(
                DemoDatabase.properties(database.jdbcUrl(), database.user(), database.password()));
        // The test ends it.
        application.setRegisterShutdownHook(false);
        this.context = application.run(all.toArray(String[]::new));
        this.http = new Http("http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port"));
        this.pool = http.json("/actuator/flexpool").at("/pools/0/name").asString();
    }

    Http http() {
        return http;
    }

    /** The pool as the application has it. */
    DataSource dataSource() {
        return context.getBean(DataSource.class);
    }

    /** All that the endpoint says of the one pool. */
    JsonNode pool() throws IOException, InterruptedException {
        return http.json("/actuator/flexpool/" + pool);
    }

    /** Moves the limits over HTTP. */
    JsonNode limits(int base, int ceiling) throws IOException, InterruptedException {
        return http.posted("/actuator/flexpool/" + pool, "{\"base\": " + base + ", \"ceiling\": " + ceiling + "}");
    }

    /** How many sessions the database has of this application. */
    int sessions() throws SQLException {
        return sessions("");
    }

    /** The same without flexpool's own, which has the pool's application name: its last statement identifies it. */
    int sessionsOfPool() throws SQLException {
        return sessions(" and query not like '%pg_blocking_pids%'");
    }

    private int sessions(String only) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                PreparedStatement query = connection.prepareStatement(
                        "select count(*) from pg_stat_activity where application_name = ?" + only)) {
            query.setString(1, name);
            try (ResultSet rows = query.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
