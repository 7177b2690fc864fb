// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus.deployment;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A real PostgreSQL for all tests of this module; each of its datasources connects under its own name. */
@QuarkusTestResource(Databases.class)
public class Databases implements QuarkusTestResourceLifecycleManager {
    private @Nullable PostgresServer server;

    /** Asked before an application starts. */
    static boolean available() {
        return PostgresServer.unavailable().isEmpty();
    }

    @Override
    public Map<String, String> start() {
        if (!available()) {
            return Map.of();
        }
        PostgresServer started = PostgresServer.start();
        server = started;
        Map<String, String> config = new HashMap<>();
        datasource(started, "quarkus.datasource.", "default", config);
        datasource(started, "quarkus.datasource.orders.", "orders", config);
        System.setProperty("flexpool.test.url", started.jdbcUrl());
        System.setProperty("flexpool.test.user", started.user());
        System.setProperty("flexpool.test.password", started.password());
        return config;
    }

    private static void datasource(PostgresServer server, String prefix, String name, Map<String, String> config) {
        String separator = server.jdbcUrl().contains("?") ? "&" : "?";
        config.put(prefix + "jdbc.url", server.jdbcUrl() + separator + "ApplicationName=" + name);
        config.put(prefix + "username", server.user());
        config.put(prefix + "password", server.password());
    }

    @Override
    public void stop() {
        PostgresServer started = server;
        if (started != null) {
            started.close();
        }
    }
}
