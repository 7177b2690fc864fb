// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.database;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.h2.tools.Server;
import org.jspecify.annotations.Nullable;

/**
 * H2's TCP server in this process, with a database in memory. A second kind of server, which starts on every machine.
 * Reachable on 127.0.0.1 only, by the role {@value #USER} with a random password. Can be restarted on the same port
 * with the same data. Thread-safe; its threads are daemons.
 *
 * <p>H2 reads the system property {@code h2.bindAddress} once in the life of a JVM. This class sets it, unless it is
 * set; if H2 was used before, its server listens on every address (and refuses all but local clients).
 */
public final class H2Server implements AutoCloseable {
    private static final String USER = "flex";
    private static final String HOST = "127.0.0.1";
    private static final String BIND_ADDRESS = "h2.bindAddress";

    static {
        if (System.getProperty(BIND_ADDRESS) == null) {
            System.setProperty(BIND_ADDRESS, HOST);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final String password = randomPassword();
    private final String database = "flex-" + randomPassword().substring(0, 8);
    /** A direct connection to the database, which keeps the data while the server is stopped. */
    private final Connection keeper;

    private final int port;
    private @Nullable Server running;
    private boolean closed;

    private H2Server() throws SQLException {
        this.keeper = DriverManager.getConnection("jdbc:h2:mem:" + database, USER, password);
        try {
            Server first = launch(0);
            this.running = first;
            this.port = first.getPort();
        } catch (SQLException e) {
            keeper.close();
            throw e;
        }
    }

    /**
     * Starts a server.
     *
     * @return a running server
     * @throws IllegalStateException if it cannot be started
     */
    public static H2Server start() {
        try {
            return new H2Server();
        } catch (SQLException e) {
            throw new IllegalStateException("H2 does not start: " + e.getMessage(), e);
        }
    }

    /** Stops the server at once, even with open connections. Keeps data and port. No effect on a stopped server. */
    public void stop() {
        lock.lock();
        try {
            Server server = running;
            running = null;
            if (server != null) {
                server.stop();
            }
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
                throw new IllegalStateException(this + " is closed, its data is gone");
            }
            if (running == null) {
                running = launch(port);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(this + " does not start again: " + e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    /** Stops the server and drops its data. A second call has no effect. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            stop();
            keeper.close();
        } catch (SQLException e) {
            throw new IllegalStateException(this + " does not close: " + e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The server's URL.
     *
     * @return a URL without user and password
     */
    public String jdbcUrl() {
        return jdbcUrl(port);
    }

    /**
     * The same database on another port, for example a {@link TcpProxy}'s.
     *
     * @param anotherPort a port of 127.0.0.1
     * @return a URL without user and password
     */
    public String jdbcUrl(int anotherPort) {
        return "jdbc:h2:tcp://" + HOST + ":" + anotherPort + "/mem:" + database;
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
     * The role, which owns the database.
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
     * @return a new data source of the driver; still valid after a restart
     */
    public DataSource dataSource() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL(jdbcUrl());
        source.setUser(USER);
        source.setPassword(password);
        return source;
    }

    /** The number of client sessions; also works while the server is stopped. */
    public int sessions() throws SQLException {
        try (Statement statement = keeper.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select count(*) from information_schema.sessions where session_id <> session_id()")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Override
    public String toString() {
        return "H2 at " + HOST + ":" + port;
    }

    private static Server launch(int onPort) throws SQLException {
        return Server.createTcpServer("-tcpPort", String.valueOf(onPort), "-tcpDaemon")
                .start();
    }

    private static String randomPassword() {
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }
}
