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
 * What a {@link PostgresServer} runs in: a container where Testcontainers is on the class path and a Docker daemon
 * answers, else embedded. A container that does not start is no failure: the reason is logged,
 * once, and from then on all are embedded.
 */
public final class PostgresEngines {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresEngines.class);

    /** Null if there is none to try, or none any more. */
    private volatile @Nullable Maker container;

    private final Maker embedded;

    /** Tries the first one as long as it does not fail. */
    PostgresEngines(@Nullable Maker container, Maker embedded) {
        this.container = container;
        this.embedded = embedded;
    }

    /** Those of this machine; a daemon is searched for once in the life of the JVM. */
    static PostgresEngines here() {
        return Here.ENGINES;
    }

    /** Never in a container. */
    static PostgresEngines embedded() {
        return new PostgresEngines(null, EmbeddedPostgresEngine::new);
    }

    /** Makes an engine; it has not started. */
    interface Maker {
        PostgresEngine make(Map<String, String> settings) throws IOException;
    }

    boolean triesContainers() {
        return container != null;
    }

    /** An engine that has started. */
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
         * Testcontainers logs an error for each way in which it found no daemon. So it is asked only where something
         * hints at one, and then what it logs is of use.
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
