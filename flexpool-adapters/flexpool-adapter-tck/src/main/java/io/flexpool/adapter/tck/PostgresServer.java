// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A real PostgreSQL server of this process, from Maven alone: reached by TCP on 127.0.0.1 only, by the role
 * {@value #USER} with a random password and SCRAM-SHA-256. It can be stopped and started again on the same port with
 * the same data. Ask {@link #unavailable()} first where a machine may refuse it.
 *
 * <p>As an embedded server it runs with {@code fsync} and {@code synchronous_commit} off and {@code max_connections}
 * 300, unless the settings say otherwise. Thread-safe. Closed at the latest when the JVM ends.
 */
public final class PostgresServer implements AutoCloseable {
    private static final String USER = "flex";
    private static final String HOST = "127.0.0.1";

    /** What makes the server reachable, and only from here. */
    private static final Set<String> OWN_SETTINGS =
            Set.of("port", "listen_addresses", "hba_file", "unix_socket_directories", "password_encryption");

    private static volatile boolean startedBefore;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, String> settings;
    private final String password;
    private final Path data;
    private final int port;
    private final DataSource dataSource;
    private final Thread shutdownHook = new Thread(this::stopAndDelete, "postgres-server-shutdown");
    private @Nullable EmbeddedPostgres running;
    private boolean closed;

    private PostgresServer(Map<String, String> settings) throws IOException, SQLException {
        this.settings = Map.copyOf(settings);
        this.password = randomPassword();
        this.data = Files.createTempDirectory("flexpool-postgres-");
        try {
            EmbeddedPostgres first = launch(0);
            this.running = first;
            this.port = first.getPort();
            // By address: "localhost" is also ::1, where nobody listens.
            this.dataSource = first.getDatabase(USER, USER, Map.of("PGHOST", HOST, "password", password));
            createRole(first);
        } catch (IOException | SQLException | RuntimeException | Error e) {
            stopAndDelete();
            throw e;
        }
        Runtime.getRuntime().addShutdownHook(shutdownHook);
    }

    /**
     * Why no server can be started on this machine: no binaries for it, or root without user namespaces. Found out by
     * starting one, once in the life of the JVM; takes a second or two the first time.
     *
     * @return empty if a server can be started, else the reason in one sentence
     */
    public static Optional<String> unavailable() {
        return startedBefore ? Optional.empty() : Trial.FAILURE;
    }

    /**
     * Starts a server with default settings.
     *
     * @return a server that answers
     * @throws IllegalStateException if it cannot be started; the message says why
     */
    public static PostgresServer start() {
        return start(Map.of());
    }

    /**
     * Starts a server.
     *
     * @param settings server settings by their names in {@code postgresql.conf}, for example
     *     {@code max_connections=20}; values without spaces or quotes
     * @return a server that answers
     * @throws IllegalArgumentException if a setting is one that this class makes, or its value has a space or a quote
     * @throws IllegalStateException if it cannot be started; the message says why
     */
    public static PostgresServer start(Map<String, String> settings) {
        settings.forEach(PostgresServer::check);
        try {
            PostgresServer server = new PostgresServer(settings);
            startedBefore = true;
            return server;
        } catch (IOException | SQLException | RuntimeException | Error e) {
            throw new IllegalStateException(reason(e), e);
        }
    }

    /**
     * Stops the server at once, connections open or not; data and port are kept. Without effect if it is stopped.
     *
     * @throws IllegalStateException if the server does not stop
     */
    public void stop() {
        lock.lock();
        try {
            shutDown();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Starts the stopped server on the same port with the same data. Without effect if it runs.
     *
     * @throws IllegalStateException if it was closed or cannot be started
     */
    public void startAgain() {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException(this + " is closed, its data is deleted");
            }
            if (running == null) {
                running = launch(port);
            }
        } catch (IOException e) {
            throw new IllegalStateException(reason(e), e);
        } finally {
            lock.unlock();
        }
    }

    /** Stops the server and deletes its data. Without effect the second time. */
    @Override
    public void close() {
        stopAndDelete();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the hook finds nothing left to do.
        }
    }

    /**
     * Where the server is.
     *
     * @return a URL without user and password
     */
    public String jdbcUrl() {
        return "jdbc:postgresql://" + HOST + ":" + port + "/" + USER;
    }

    /**
     * The port, the same after a restart.
     *
     * @return a TCP port of 127.0.0.1
     */
    public int port() {
        return port;
    }

    /**
     * The role, which owns the database and is no superuser.
     *
     * @return {@value #USER}
     */
    public String user() {
        return USER;
    }

    /**
     * The role's password, random for each server.
     *
     * @return 32 letters and digits, {@code -} and {@code _}
     */
    public String password() {
        return password;
    }

    /**
     * Unpooled connections: each call connects.
     *
     * @return the driver's own data source, always the same one; keeps working after a restart
     */
    public DataSource dataSource() {
        return dataSource;
    }

    @Override
    public String toString() {
        return "PostgreSQL at " + HOST + ":" + port;
    }

    private EmbeddedPostgres launch(int onPort) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setPort(onPort)
                .setDataDirectory(data)
                // Its own clean-up would make a stop lose the data.
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setDataDirectoryCustomizer(PostgresServer::writeHostBasedAuthentication);
        settings.forEach(builder::setServerConfig);
        return builder.setServerConfig("listen_addresses", HOST)
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("password_encryption", "scram-sha-256")
                .start();
    }

    /** The superuser, which the embedding library uses to see whether the server answers, has no password. */
    private static void writeHostBasedAuthentication(File directory) {
        List<String> rules =
                List.of("host all postgres " + HOST + "/32 trust", "host all all " + HOST + "/32 scram-sha-256");
        try {
            Files.write(directory.toPath().resolve("pg_hba.conf"), rules);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The password needs no quoting, and the server logs no statements. */
    private void createRole(EmbeddedPostgres server) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create role " + USER + " login password '" + password + "'");
            statement.execute("create database " + USER + " owner " + USER);
        }
    }

    /** The lock is held, or nobody else knows this object yet. */
    private void shutDown() {
        EmbeddedPostgres server = running;
        if (server == null) {
            return;
        }
        try {
            server.close();
        } catch (IOException e) {
            throw new IllegalStateException(this + " does not stop: " + e.getMessage(), e);
        }
        // The embedding library only logs it when the server would not stop.
        if (Files.exists(data.resolve("postmaster.pid"))) {
            throw new IllegalStateException(this + " does not stop");
        }
        running = null;
    }

    private void stopAndDelete() {
        lock.lock();
        try {
            closed = true;
            shutDown();
            deleteData();
        } finally {
            lock.unlock();
        }
    }

    private void deleteData() {
        if (!Files.exists(data)) {
            return;
        }
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + data, e);
        }
    }

    private static void check(String name, String value) {
        if (OWN_SETTINGS.contains(name)) {
            throw new IllegalArgumentException(
                    "setting " + name + ": made by this class, as are " + new TreeSet<>(OWN_SETTINGS));
        }
        if (!value.matches("[^\\s'\"\\\\$`;&|<>]*")) {
            throw new IllegalArgumentException("setting " + name + " = " + value + ": must be one plain word");
        }
    }

    private static String randomPassword() {
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    private static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String because = root.getMessage() == null ? root.toString() : root.getMessage();
        boolean refusedRoot = "root".equals(System.getProperty("user.name")) && !LinuxUtils.isUnshareAvailable();
        return refusedRoot
                ? "PostgreSQL does not run as root, and this machine allows no user namespaces: " + because
                : "PostgreSQL does not start: " + because;
    }

    /** Tried when first asked for, and never again. */
    private static final class Trial {
        static final Optional<String> FAILURE = attempt();

        private static Optional<String> attempt() {
            try (PostgresServer server = start()) {
                return server.port() > 0 ? Optional.empty() : Optional.of("PostgreSQL has no port");
            } catch (IllegalStateException e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }
    }
}
