// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import io.flexpool.adapter.tck.database.PostgresServer;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database that the demo brings along, because a newcomer has none.
 *
 * @param description what it is, in one line
 * @param properties how the application reaches it
 * @param stop ends it
 */
record DemoDatabase(String description, Map<String, Object> properties, Runnable stop) {
    private static final Logger STORY = LoggerFactory.getLogger("demo");

    /** A real PostgreSQL on this machine, or H2 in memory where that does not start. */
    static DemoDatabase start() {
        try {
            // The application ends first, and then its database.
            PostgresServer server = PostgresServer.start().closedByCaller();
            return new DemoDatabase(
                    "PostgreSQL, " + server.jdbcUrl(),
                    properties(server.jdbcUrl(), server.user(), server.password()),
                    server::close);
        } catch (IllegalStateException refused) {
            STORY.warn("NOTICE: PostgreSQL cannot be started on this machine, so this runs on H2 instead.");
            STORY.warn("        {}", refused.getMessage());
            String url = "jdbc:h2:mem:orders;DB_CLOSE_DELAY=-1";
            return new DemoDatabase("H2, " + url, properties(url, "sa", ""), () -> {});
        }
    }

    static Map<String, Object> properties(String url, String user, String password) {
        return Map.of(
                "spring.datasource.url", url,
                "spring.datasource.username", user,
                "spring.datasource.password", password);
    }
}
