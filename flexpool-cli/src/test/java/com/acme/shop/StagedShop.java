// SPDX-License-Identifier: Apache-2.0
package com.acme.shop;

import com.sun.net.httpserver.HttpServer;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import org.slf4j.LoggerFactory;

/** An application with HikariCP that knows nothing of flexpool, in one of the situations in which a pool is exhausted. */
public final class StagedShop {
    private static final int SIZE = 4;
    private static final int THREADS = 32;
    private static final Object STOCK = new Object();
    private static final boolean VIRTUAL = Boolean.getBoolean("shop.virtual");

    private static HikariDataSource pool;

    private StagedShop() {}

    /** A task that may fail. */
    private interface Task {
        void run() throws Exception;
    }

    /**
     * Starts the situation and stays in it.
     *
     * @param args its name, and the URL of a PostgreSQL server if not H2 is to be used
     */
    public static void main(String[] args) throws Exception {
        HikariConfig config = new HikariConfig();
        config.setPoolName("orders");
        config.setMaximumPoolSize(SIZE);
        boolean down = args[0].equals("down");
        String embedded = down ? "jdbc:h2:tcp://127.0.0.1:1/shop" : "jdbc:h2:mem:shop;LOCK_TIMEOUT=600000";
        boolean postgres = args.length > 1;
        config.setJdbcUrl(postgres ? args[1] : embedded);
        config.setInitializationFailTimeout(-1);
        boolean fails = down || args[0].equals("leak");
        config.setConnectionTimeout(fails ? 1_000 : 600_000);
        config.setLeakDetectionThreshold(args[0].equals("leak") ? 2_000 : 0);
        if (!down) {
            // On a slow machine a driver takes longer to load than a request may wait.
            DriverManager.getConnection(config.getJdbcUrl()).close();
        }
        pool = new HikariDataSource(config);
        if (!down) {
            execute("create table stock (id int primary key, amount int)");
            execute("insert into stock values (1, 1)");
            execute(
                    postgres
                            ? "create procedure pause(millis bigint) language sql as 'select pg_sleep(millis / 1000.0)'"
                            : "create alias pause for 'java.lang.Thread.sleep(long)'");
        }
        switch (args[0]) {
            case "sleep" -> all(StagedShop::pack);
            case "http" -> http();
            case "nested" -> all(StagedShop::outer);
            case "slow" -> all(() -> report(600_000));
            case "demand" -> all(() -> report(15));
            case "lock" -> all(StagedShop::reserve);
            case "inversion" -> inversion();
            case "leak" -> leak();
            case "down" -> all(() -> report(1));
            default -> throw new IllegalArgumentException(args[0]);
        }
        System.out.println("ready");
        Thread.sleep(600_000);
    }

    private static void all(Task task) {
        for (int thread = 0; thread < THREADS; thread++) {
            start("worker-" + thread, task);
        }
    }

    private static void start(String name, Task task) {
        Runnable work = () -> {
            while (true) {
                try {
                    task.run();
                } catch (Exception failed) {
                    LoggerFactory.getLogger("shop").error("a request failed", failed);
                }
            }
        };
        if (VIRTUAL) {
            try {
                // Since JDK 21.
                Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work);
            } catch (ReflectiveOperationException older) {
                throw new IllegalStateException(older);
            }
            return;
        }
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void pack() throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.isValid(1);
            Thread.sleep(600_000);
        }
    }

    private static void http() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", exchange -> {
            try {
                Thread.sleep(600_000);
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        HttpClient client = HttpClient.newHttpClient();
        all(() -> pay(client, uri));
    }

    private static void pay(HttpClient client, URI uri) throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.isValid(1);
            client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static void outer() throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.isValid(1);
            Thread.sleep(200);
            inner();
        }
    }

    private static void inner() throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.isValid(1);
        }
    }

    private static void report(long millis) throws Exception {
        execute("call pause(" + millis + ")");
    }

    private static void reserve() throws Exception {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select * from stock where id = 1 for update");
            statement.execute("call pause(600000)");
        }
    }

    private static void inversion() throws InterruptedException {
        for (int thread = 0; thread < SIZE; thread++) {
            start("holder-" + thread, StagedShop::update);
        }
        Thread.sleep(1_000);
        start("owner", () -> {
            synchronized (STOCK) {
                execute("select 1");
            }
        });
    }

    private static void update() throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.isValid(1);
            Thread.sleep(2_000);
            synchronized (STOCK) {
                connection.isValid(1);
            }
        }
    }

    private static void leak() {
        for (int thread = 0; thread < SIZE; thread++) {
            new Thread(
                            () -> {
                                try {
                                    forget();
                                } catch (SQLException failed) {
                                    LoggerFactory.getLogger("shop").error("a request failed", failed);
                                }
                            },
                            "forgetful-" + thread)
                    .start();
        }
        all(() -> report(1));
    }

    private static void forget() throws SQLException {
        Connection connection = pool.getConnection();
        connection.isValid(1);
    }
}
