// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the engine of a {@link PostgresServer}: a container if Testcontainers is on the class path and a Docker
 * daemon responds, otherwise an embedded server. If a container does not start, the reason is logged once, and all
 * further servers are embedded.
 */
public final class PostgresEngines {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresEngines.class);

    /** Null without containers, and after a container has failed. */
    private volatile @Nullable Maker container;

    private final Maker embedded;

    /** Uses containers until one fails. */
    PostgresEngines(@Nullable Maker container, Maker embedded) {
        this.container = container;
        this.embedded = embedded;
    }

    /** The engines of this machine. Searches for a daemon once in the life of the JVM. */
    static PostgresEngines here() {
        return Here.ENGINES;
    }

    /** Engines without containers. */
    static PostgresEngines embedded() {
        return new PostgresEngines(null, EmbeddedPostgresEngine::new);
    }

    /** Creates an engine, not started. */
    interface Maker {
        PostgresEngine make(Map<String, String> settings) throws IOException;
    }

    boolean triesContainers() {
        return container != null;
    }

    /** Creates and starts an engine. */
    PostgresEngine start(Map<String, String> settings, String role, String password) throws IOException, SQLException {
        Maker first = container;
        if (first != null) {
            try {
                return started(first, settings, role, password);
            } catch (IOException | SQLException | RuntimeException | LinkageError e) {
                container = null;
                LOG.warn("PostgreSQL does not start in a container, so it is embedded: {}", e.toString());
            }
        }
        return started(embedded, settings, role, password);
    }

    private static PostgresEngine started(Maker maker, Map<String, String> settings, String role, String password)
            throws IOException, SQLException {
        PostgresEngine engine = maker.make(settings);
        try {
            engine.create(role, password);
            return engine;
        } catch (IOException | SQLException | RuntimeException | Error e) {
            deleteAfter(e, engine);
            throw e;
        }
    }

    private static void deleteAfter(Throwable failure, PostgresEngine engine) {
        try {
            engine.delete();
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private static final class Here {
        static final PostgresEngines ENGINES =
                new PostgresEngines(daemonAnswers() ? ContainerPostgresEngine::new : null, EmbeddedPostgresEngine::new);

        /**
         * Whether a daemon responds. Testcontainers logs an error for each unsuccessful way to find one. So it is
         * called only if there are signs of a daemon; then its log is useful.
         */
        private static boolean daemonAnswers() {
            if (!hinted()) {
                return false;
            }
            try {
                return ContainerPostgresEngine.daemonAnswers();
            } catch (RuntimeException | LinkageError noTestcontainers) {
                return false;
            }
        }

        private static boolean hinted() {
            String home = System.getProperty("user.home", "");
            String runtime = System.getenv().getOrDefault("XDG_RUNTIME_DIR", "/run");
            return System.getenv("DOCKER_HOST") != null
                    || Stream.of(
                                    Path.of("/var/run/docker.sock"),
                                    Path.of(runtime, "docker.sock"),
                                    Path.of(home, ".docker", "run", "docker.sock"),
                                    Path.of(home, ".docker", "desktop", "docker.sock"),
                                    Path.of(home, ".testcontainers.properties"))
                            .anyMatch(Files::exists);
        }
    }
}
