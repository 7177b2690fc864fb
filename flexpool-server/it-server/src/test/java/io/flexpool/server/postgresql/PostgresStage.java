// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A PostgreSQL, a pool of three connections to it, and what stages a situation in which a request gets none. */
abstract class PostgresStage {
    static final int MOST_TRIES = 30;
    static final int CONNECTIONS = 3;
    static final String UPDATE = "update account set balance = balance - 1 where id = 1";

    static PostgresServer server;

    private final BlockingQueue<Explanation> explanations = new LinkedBlockingQueue<>();
    final CountDownLatch over = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private final List<Connection> others = new ArrayList<>();
    Connection observer;
    FlexPoolDataSource pool;

    @BeforeAll
    static void start() throws SQLException {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        server = PostgresServer.start(
                Map.of("max_connections", "30", "autovacuum", "off", "max_prepared_transactions", "5"));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void open() throws SQLException {
        observer = other();
        // The server ends the sessions of the test before in its own time.
        await().atMost(Duration.ofMinutes(3)).until(() -> sessions("backend_type = 'client backend'") == 0);
        run(observer, "drop table if exists account");
        run(observer, "create table account (id int primary key, balance int)");
        run(observer, "grant all on account to public");
        run(observer, "insert into account values (1, 100), (2, 100), (3, 100)");
        pool = shop(Map.of());
    }

    FlexPoolDataSource shop(Map<String, String> keys) {
        HikariDataSource hikari = new HikariDataSource();
        connect(hikari);
        hikari.setMaximumPoolSize(CONNECTIONS);
        hikari.setConnectionTimeout(1_000);
        return FlexPool.wrap(hikari)
                .name("shop")
                .set("call-sites.sample-every", 1)
                .set("call-sites.application", PostgresStage.class.getPackageName())
                .listener(new PoolListener() {
                    @Override
                    public void onEvent(PoolEvent event) {
                        if (event instanceof PoolEvent.AcquisitionTimedOut timedOut) {
                            Explanation explanation = timedOut.explanation();
                            if (explanation != null) {
                                explanations.add(explanation);
                            }
                        }
                    }
                })
                .properties(keys)
                .build();
    }

    /** Says where the shop's pool finds its database. */
    void connect(HikariDataSource hikari) {
        hikari.setDataSource(server.superuser());
    }

    @AfterEach
    void close() throws Exception {
        over.countDown();
        run(
                observer,
                "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
                        + " and backend_type = 'client backend'");
        pool.close();
        for (Connection other : others) {
            other.abort(Runnable::run);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    FlexPoolDataSource another(String name, HikariDataSource hikari, Map<String, String> keys) {
        hikari.setDataSource(server.superuser());
        hikari.setMaximumPoolSize(CONNECTIONS);
        hikari.setConnectionTimeout(1_000);
        return FlexPool.wrap(hikari)
                .name(name)
                .set("call-sites.sample-every", 1)
                .set("call-sites.application", PostgresStage.class.getPackageName())
                .properties(keys)
                .build();
    }

    void closeLater(Connection other) {
        others.add(other);
    }

    Connection other() throws SQLException {
        Connection other = server.superuser().getConnection();
        others.add(other);
        return other;
    }

    static void run(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    /** What a thread of a stage does until it is over. */
    interface Work {
        void run() throws Exception;
    }

    void start(int number, Work work) {
        for (int at = 0; at < number; at++) {
            Thread thread = new Thread(() -> {
                boolean again;
                do {
                    try {
                        work.run();
                        again = false;
                    } catch (SQLTransientConnectionException late) {
                        // On a busy machine a connection takes longer to open than a request of a stage waits.
                        again = over.getCount() > 0;
                    } catch (Exception ended) {
                        // By the end of the test.
                        again = false;
                    }
                } while (again);
            });
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    void use(String text) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            run(connection, text);
        }
    }

    void awaitSessions(String condition, int number) {
        await().atMost(Duration.ofMinutes(3)).until(() -> sessions(condition) >= number);
    }

    private int sessions(String condition) throws SQLException {
        try (Statement statement = observer.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select count(*) from pg_stat_activity where pid <> pg_backend_pid() and " + condition)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** Of a request whose look at the server was answered: on a busy machine the first one may give up before that. */
    Explanation explained() throws InterruptedException {
        Explanation explanation;
        int tries = 0;
        do {
            explanation = explainedOnce();
        } while (explanation.text().contains("could not be reached in time") && ++tries < MOST_TRIES);
        return explanation;
    }

    /** Of the next request, whatever the look at the server was. */
    Explanation explainedOnce() throws InterruptedException {
        assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        Explanation explanation = explanations.poll(3, TimeUnit.MINUTES);
        assertThat(explanation).isNotNull();
        return explanation;
    }

    static String evidence(Explanation explanation) {
        return String.join("; ", explanation.evidence());
    }
}
