// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.quarkus;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A real PostgreSQL, started before the application. */
public class Database implements QuarkusTestResourceLifecycleManager {
    private @Nullable PostgresServer server;

    /** Asked before the application starts. */
    static boolean available() {
        return PostgresServer.unavailable().isEmpty();
    }

    @Override
    public Map<String, String> start() {
        PostgresServer started = PostgresServer.start();
        server = started;
        return Map.of(
                "quarkus.datasource.jdbc.url", started.jdbcUrl(),
                "quarkus.datasource.username", started.user(),
                "quarkus.datasource.password", started.password());
    }

    @Override
    public void stop() {
        PostgresServer started = server;
        if (started != null) {
            started.close();
        }
    }
}
