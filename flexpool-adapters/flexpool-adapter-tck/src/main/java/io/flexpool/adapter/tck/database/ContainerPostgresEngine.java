// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.postgresql.ds.PGSimpleDataSource;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * A server in a container, on a port of 127.0.0.1 that stays the same over restarts. Loaded only if Testcontainers is
 * on the class path. Written by the library's documentation and compiled, but not yet run against a daemon: if it
 * fails, {@link PostgresEngines} uses an embedded server.
 */
public final class ContainerPostgresEngine implements PostgresEngine {
    /** The same version as the embedded server's. */
    private static final String IMAGE = "postgres:18.3-alpine";

    private static final int PORT_INSIDE = PostgreSQLContainer.POSTGRESQL_PORT;
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(30);
    private static final long LOOK_AGAIN_NANOS = 20_000_000;

    private final PostgreSQLContainer container;
    private final String superusersPassword = PostgresServer.randomPassword();
    private final int port;

    ContainerPostgresEngine(Map<String, String> settings) throws IOException {
        this.port = freePort();
        this.container = new PostgreSQLContainer(IMAGE)
                .withUsername(SUPERUSER)
                .withPassword(superusersPassword)
                .withDatabaseName(SUPERUSER);
        container.setCommand(command(settings));
        container.withCreateContainerCmdModifier(this::bindPort);
    }

    /** Whether a daemon responds; takes about half a second without one. */
    static boolean daemonAnswers() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    @Override
    public void create(String role, String password) throws IOException, SQLException {
        container.start();
        try (Connection superuser = awaitAnswer()) {
            PostgresEngine.createRole(superuser, role, password);
        }
    }

    @Override
    public String superusersPassword() {
        return superusersPassword;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void stop() {
        // The image's stop signal causes a fast shutdown, which does not wait for clients.
        container.getDockerClient().stopContainerCmd(container.getContainerId()).exec();
    }

    @Override
    public void startAgain() throws IOException {
        container
                .getDockerClient()
                .startContainerCmd(container.getContainerId())
                .exec();
        try (Connection superuser = awaitAnswer()) {
            superuser.isValid(1);
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void delete() {
        container.stop();
    }

    private Connection awaitAnswer() throws IOException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setServerNames(new String[] {HOST});
        source.setPortNumbers(new int[] {port});
        source.setDatabaseName(SUPERUSER);
        source.setUser(SUPERUSER);
        source.setPassword(superusersPassword);
        source.setConnectTimeout(1);
        source.setSocketTimeout(5);
        long end = System.nanoTime() + ANSWERS_WITHIN.toNanos();
        while (true) {
            try {
                return source.getConnection();
            } catch (SQLException e) {
                if (end - System.nanoTime() <= 0) {
                    throw new IOException("no answer at " + HOST + ":" + port, e);
                }
                LockSupport.parkNanos(LOOK_AGAIN_NANOS);
            }
        }
    }

    private void bindPort(CreateContainerCmd command) {
        HostConfig host = Objects.requireNonNullElseGet(command.getHostConfig(), HostConfig::newHostConfig);
        host.withPortBindings(new PortBinding(Ports.Binding.bindIpAndPort(HOST, port), new ExposedPort(PORT_INSIDE)));
        command.withHostConfig(host);
    }

    private static String[] command(Map<String, String> settings) {
        List<String> words = new ArrayList<>(List.of("postgres"));
        Map.of("fsync", "off", "synchronous_commit", "off", "max_connections", "300")
                .forEach((name, value) -> {
                    if (!settings.containsKey(name)) {
                        words.addAll(List.of("-c", name + "=" + value));
                    }
                });
        settings.forEach((name, value) -> words.addAll(List.of("-c", name + "=" + value)));
        return words.toArray(String[]::new);
    }

    /** A free port. If another process takes it first, the start fails, and an embedded server is used. */
    private static int freePort() throws IOException {
        LoopbackPort free = new LoopbackPort();
        try {
            return free.number();
        } finally {
            free.letGo();
        }
    }
}
