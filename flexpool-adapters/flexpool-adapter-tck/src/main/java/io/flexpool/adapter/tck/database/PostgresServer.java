// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL server: in a container if Testcontainers is on the class path and a Docker daemon responds, otherwise a
 * process of this machine with binaries from Maven. Reachable by TCP on 127.0.0.1 only, by the role {@value #USER} with
 * a random password and SCRAM-SHA-256. Can be restarted on the same port with the same data. Check
 * {@link #unavailable()} first if the machine may not support it.
 *
 * <p>It runs with {@code fsync} and {@code synchronous_commit} off and {@code max_connections} 300, unless the settings
 * say otherwise. Thread-safe. Closed at the latest when the JVM ends, unless it is {@link #closedByCaller()}.
 */
public final class PostgresServer implements AutoCloseable {
    static final String USER = "flex";
    private static final String HOST = PostgresEngine.HOST;

    /** Settings that restrict access to this machine; callers cannot change them. */
    private static final Set<String> OWN_SETTINGS =
            Set.of("port", "listen_addresses", "hba_file", "unix_socket_directories", "password_encryption");

    private static volatile boolean startedBefore;
    /** The server that {@link #unavailable()} has started as a trial, until a caller takes it. */
    private static final AtomicReference<@Nullable PostgresServer> SPARE = new AtomicReference<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final String password;
    private final PostgresEngine engine;
    private final DataSource dataSource;
    private final Thread shutdownHook = new Thread(this::stopAndDelete, "postgres-server-shutdown");
    private boolean running = true;
    private boolean closed;

    private PostgresServer(PostgresEngine engine, String password) {
        this.engine = engine;
        this.password = password;
        this.dataSource = driver(engine, USER, password);
        Runtime.getRuntime().addShutdownHook(shutdownHook);
    }

    /**
     * The reason why no server can start on this machine: no binaries, or root without user namespaces. The first call
     * starts a trial server, which takes a second or two; the next {@link #start()} returns it.
     *
     * @return the reason in one sentence; empty if a server can be started
     */
    public static Optional<String> unavailable() {
        return startedBefore ? Optional.empty() : Trial.FAILURE;
    }

    /**
     * Starts a server with default settings.
     *
     * @return a running server
     * @throws IllegalStateException if it cannot be started; the message has the reason
     */
    public static PostgresServer start() {
        PostgresServer spare = SPARE.getAndSet(null);
        return spare == null ? start(Map.of(), PostgresEngines.here()) : spare;
    }

    /**
     * Starts a server.
     *
     * @param settings server settings by their names in {@code postgresql.conf}, for example
     *     {@code max_connections=20}; values without spaces or quotes
     * @return a running server
     * @throws IllegalArgumentException if this class reserves a setting, or a value has a space or a quote
     * @throws IllegalStateException if it cannot be started; the message has the reason
     */
    public static PostgresServer start(Map<String, String> settings) {
        PostgresServer spare = SPARE.getAndSet(null);
        if (spare != null) {
            spare.close();
        }
        return start(settings, PostgresEngines.here());
    }

    static PostgresServer start(Map<String, String> settings, PostgresEngines engines) {
        settings.forEach(PostgresServer::check);
        try {
            String password = randomPassword();
            PostgresServer server = new PostgresServer(engines.start(Map.copyOf(settings), USER, password), password);
            startedBefore = true;
            return server;
        } catch (IOException | SQLException | RuntimeException | Error e) {
            throw new IllegalStateException(reason(e), e);
        }
    }

    /** Wraps a running engine. */
    static PostgresServer of(PostgresEngine engine, String password) {
        return new PostgresServer(engine, password);
    }

    /**
     * Removes the shutdown hook, for a caller that must end something else before the server: the JVM runs all hooks at
     * the same time. The caller must then close the server.
     *
     * @return this server
     * @throws IllegalStateException if the JVM is shutting down already
     */
    public PostgresServer closedByCaller() {
        Runtime.getRuntime().removeShutdownHook(shutdownHook);
        return this;
    }

    /**
     * Stops the server at once, even with open connections. Keeps data and port. No effect on a stopped server.
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
     * Starts the stopped server on the same port with the same data. No effect on a running server.
     *
     * @throws IllegalStateException if it was closed or cannot be started
     */
    public void startAgain() {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException(this + " is closed, its data is deleted");
            }
            if (!running) {
                engine.startAgain();
                running = true;
            }
        } catch (IOException e) {
            throw new IllegalStateException(reason(e), e);
        } finally {
            lock.unlock();
        }
    }

    /** Stops the server and deletes its data. A second call has no effect. */
    @Override
    public void close() {
        stopAndDelete();
        try {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        } catch (IllegalStateException e) {
            // The JVM is shutting down, and the hook has nothing left to do.
        }
    }

    /**
     * The server's URL.
     *
     * @return a URL without user and password
     */
    public String jdbcUrl() {
        return "jdbc:postgresql://" + HOST + ":" + port() + "/" + USER;
    }

    /**
     * The port, the same after a restart.
     *
     * @return a TCP port of 127.0.0.1
     */
    public int port() {
        return engine.port();
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
     * @return the driver's data source, always the same object; still valid after a restart
     */
    public DataSource dataSource() {
        return dataSource;
    }

    /**
     * Unpooled connections of the superuser to the same database, for tasks that the role {@value #USER} may not do.
     *
     * @return a new data source of the driver; still valid after a restart
     */
    public DataSource superuser() {
        return driver(engine, PostgresEngine.SUPERUSER, engine.superusersPassword());
    }

    private static DataSource driver(PostgresEngine engine, String user, String password) {
        PGSimpleDataSource driver = new PGSimpleDataSource();
        // By address: "localhost" is also ::1, which has no listener.
        driver.setServerNames(new String[] {HOST});
        driver.setPortNumbers(new int[] {engine.port()});
        driver.setDatabaseName(USER);
        driver.setUser(user);
        driver.setPassword(password);
        return driver;
    }

    @Override
    public String toString() {
        return "PostgreSQL at " + HOST + ":" + port();
    }

    /** The caller must hold the lock. */
    private void shutDown() {
        if (!running) {
            return;
        }
        try {
            engine.stop();
        } catch (IOException e) {
            throw new IllegalStateException(this + " does not stop: " + e.getMessage(), e);
        }
        running = false;
    }

    private void stopAndDelete() {
        lock.lock();
        try {
            closed = true;
            running = false;
            engine.delete();
        } catch (IOException e) {
            throw new UncheckedIOException(this + " is not deleted", e);
        } finally {
            lock.unlock();
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

    static String randomPassword() {
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

    /** Tried on first use only. */
    private static final class Trial {
        static final Optional<String> FAILURE = attempt();

        private static Optional<String> attempt() {
            try {
                SPARE.set(start());
                return Optional.empty();
            } catch (IllegalStateException e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }
    }
}
