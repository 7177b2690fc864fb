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
 * A real PostgreSQL server: in a container where Testcontainers is on the class path and a Docker daemon answers, else a
 * process of this machine, from Maven alone. It is reached by TCP on 127.0.0.1 only, by the role
 * {@value #USER} with a random password and SCRAM-SHA-256. It can be stopped and started again on the same port with
 * the same data. Ask {@link #unavailable()} first where a machine may refuse it.
 *
 * <p>It runs with {@code fsync} and {@code synchronous_commit} off and {@code max_connections}
 * 300, unless the settings say otherwise. Thread-safe. Closed at the latest when the JVM ends, unless it is
 * {@link #closedByCaller()}.
 */
public final class PostgresServer implements AutoCloseable {
    static final String USER = "flex";
    private static final String HOST = PostgresEngine.HOST;

    /** What makes the server reachable, and only from here. */
    private static final Set<String> OWN_SETTINGS =
            Set.of("port", "listen_addresses", "hba_file", "unix_socket_directories", "password_encryption");

    private static volatile boolean startedBefore;
    /** Started to see whether one can be, and not yet asked for. */
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
     * Why no server can be started on this machine: no binaries for it, or root without user namespaces. Found out by
     * starting one, once in the life of the JVM, which the next {@link #start()} gives; takes a second or two the first
     * time.
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
        PostgresServer spare = SPARE.getAndSet(null);
        return spare == null ? start(Map.of(), PostgresEngines.here()) : spare;
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

    /** A server that was made otherwise, and runs. */
    static PostgresServer of(PostgresEngine engine, String password) {
        return new PostgresServer(engine, password);
    }

    /**
     * Leaves the server running when the JVM begins to end, for a caller who has something to end before it: the JVM
     * ends everything at the same time. The caller closes it then.
     *
     * @return this server
     * @throws IllegalStateException if the JVM is ending already
     */
    public PostgresServer closedByCaller() {
        Runtime.getRuntime().removeShutdownHook(shutdownHook);
        return this;
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
     * @return the driver's own data source, always the same one; keeps working after a restart
     */
    public DataSource dataSource() {
        return dataSource;
    }

    /**
     * Unpooled connections of the superuser to the same database: for roles, rights and whatever else the role
     * {@value #USER} may not do.
     *
     * @return the driver's own data source, a new one; keeps working after a restart
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

    /** The lock is held. */
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
