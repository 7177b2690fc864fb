// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.directory;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.flexpool.benchmarks.kit.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The service under test, on 127.0.0.1: {@code GET /person/7} answers with that person's name, with 503 if there is no
 * connection for it, or with 500 if something else goes wrong. It measures where each request's time goes. Its pool can be exchanged between loads.
 */
final class DirectoryService implements AutoCloseable {
    static final int PERSONS = 10_000;

    private static final String PATH = "/person/";
    private static final String QUERY = "select name from person where id = ?";

    static {
        // Else the JDK's server sends head and body in two packets and waits for an acknowledgement in between, and
        // closes connections that a client is about to use again.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "2000");
        System.setProperty("sun.net.httpserver.idleInterval", "3600");
    }

    private final HttpServer server;
    private final ThreadPoolExecutor threads;
    private final long logNanos;
    private final AtomicInteger busy = new AtomicInteger();
    private volatile @Nullable DataSource source;

    private DirectoryService(HttpServer server, ThreadPoolExecutor threads, int logMs) {
        this.server = server;
        this.threads = threads;
        this.logNanos = TimeUnit.MILLISECONDS.toNanos(logMs);
    }

    /**
     * Starts it.
     *
     * @param threads requests that it can work on at once; further ones queue up
     * @param logMs how long each request writes its log with its connection out
     */
    static DirectoryService start(int threads, int logMs) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0), 1000);
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(threads, threads, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        pool.prestartAllCoreThreads();
        DirectoryService service = new DirectoryService(server, pool, logMs);
        server.createContext(PATH, service::handle);
        server.setExecutor(pool);
        server.start();
        return service;
    }

    /** Makes the table, in a database that has none. */
    static void fill(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try (var create = connection.createStatement()) {
                create.execute("create table person (id int primary key, name varchar(40) not null)");
            }
            try (PreparedStatement insert = connection.prepareStatement("insert into person values (?, ?)")) {
                for (int id = 0; id < PERSONS; id++) {
                    insert.setInt(1, id);
                    insert.setString(2, name(id));
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            connection.commit();
        }
    }

    static String name(int id) {
        return "person number " + id;
    }

    /** From now on requests use this pool. */
    void use(DataSource pool) {
        source = pool;
    }

    /** Connections that requests have now. */
    int busy() {
        return busy.get();
    }

    URI person(int id) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + PATH + id);
    }

    private void handle(HttpExchange exchange) throws IOException {
        DataSource pool = source;
        long asked = System.nanoTime();
        try (exchange) {
            if (pool == null) {
                answer(exchange, 500, "no pool yet", Stages.NONE);
                return;
            }
            Connection connection;
            try {
                connection = pool.getConnection();
            } catch (SQLException | RuntimeException e) {
                answer(exchange, 503, e.toString(), Stages.ofNanos(System.nanoTime() - asked, 0, 0, 0));
                return;
            }
            try {
                int id = Integer.parseInt(exchange.getRequestURI().getPath().substring(PATH.length()));
                Found found = find(connection, id, asked);
                answer(exchange, 200, found.name(), found.stages());
            } catch (SQLException | RuntimeException e) {
                // The pool did its part: no refused connection.
                answer(exchange, 500, e.toString(), Stages.NONE);
            }
        }
    }

    private record Found(String name, Stages stages) {}

    private Found find(Connection acquired, int id, long asked) throws SQLException {
        long begin = System.nanoTime();
        busy.incrementAndGet();
        String name;
        long looked;
        long released;
        try (Connection connection = acquired) {
            try {
                name = name(connection, id);
                looked = System.nanoTime();
                // A slow disk's write, without wearing one out.
                Waiting.until(looked + logNanos);
            } finally {
                busy.decrementAndGet();
            }
            released = System.nanoTime();
        }
        return new Found(
                name, Stages.ofNanos(begin - asked, looked - begin, released - looked, System.nanoTime() - released));
    }

    private static String name(Connection connection, int id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(QUERY)) {
            statement.setInt(1, id);
            try (ResultSet result = statement.executeQuery()) {
                return result.next() ? result.getString(1) : "nobody";
            }
        }
    }

    private static void answer(HttpExchange exchange, int status, String text, Stages stages) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set(Stages.HEADER, stages.header());
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
