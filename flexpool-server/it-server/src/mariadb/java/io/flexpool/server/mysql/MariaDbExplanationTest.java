// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.mysql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolListener;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What flexpool explains of an exhausted pool, from the request to the server and back, in six situations on MariaDB. */
class MariaDbExplanationTest {
    private static final int CONNECTIONS = 3;
    private static final String UPDATE = "update account set balance = balance - 1 where id = 1";
    private static final String USER_LOCK = "select get_lock('job', 600)";

    @TempDir
    static Path data;

    private static MariaDbDatabase server;

    private final BlockingQueue<Explanation> explanations = new LinkedBlockingQueue<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private final List<Connection> others = new ArrayList<>();
    private Connection observer;
    private FlexPoolDataSource pool;

    @BeforeAll
    static void start() throws Exception {
        server = new MariaDbDatabase(data);
        for (String user : List.of("shop", "billing")) {
            server.user(user, "");
            server.run("grant process on *.* to '" + user + "'@'127.0.0.1'");
            server.run("grant select on performance_schema.* to '" + user + "'@'127.0.0.1'");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void open() throws SQLException {
        observer = other();
        run(observer, "drop table if exists account");
        run(observer, "create table account (id int primary key, balance int)");
        run(observer, "insert into account values (1, 100), (2, 100), (3, 100)");
        HikariDataSource hikari = new HikariDataSource();
        hikari.setDataSource(MariaDbDatabase.source("shop", server.port()));
        hikari.setMaximumPoolSize(CONNECTIONS);
        hikari.setConnectionTimeout(500);
        pool = FlexPool.wrap(hikari)
                .name("shop")
                .set("call-sites.sample-every", 1)
                .set("call-sites.application", MariaDbExplanationTest.class.getPackageName())
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
                .build();
    }

    @AfterEach
    void close() throws Exception {
        over.countDown();
        try (ResultSet ours = observer.createStatement()
                .executeQuery("select id from information_schema.processlist where user = 'shop'")) {
            while (ours.next()) {
                server.run("kill query " + ours.getLong(1));
            }
        }
        for (Connection other : others) {
            other.abort(Runnable::run);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        pool.close();
    }

    private Connection other() throws SQLException {
        Connection other = MariaDbDatabase.source("billing", server.port()).getConnection();
        others.add(other);
        return other;
    }

    private static void run(Connection connection, String text) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(text);
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private void start(int number, Work work) {
        for (int at = 0; at < number; at++) {
            Thread thread = new Thread(() -> {
                try {
                    work.run();
                } catch (Exception ended) {
                    // By the end of the test.
                }
            });
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    /** Has a transaction open, or, without one, what a statement left in the session. */
    private void hold(String text, boolean transaction) throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(!transaction);
            run(connection, text);
            over.await();
        }
    }

    private void use(String text) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            run(connection, text);
        }
    }

    private void awaitProcesses(String condition, int number) {
        await().atMost(Duration.ofMinutes(3)).until(() -> {
            try (Statement statement = observer.createStatement();
                    ResultSet rows =
                            statement.executeQuery("select count(*) from information_schema.processlist p left join"
                                    + " information_schema.innodb_trx t on t.trx_mysql_thread_id = p.id"
                                    + " where " + condition)) {
                rows.next();
                return rows.getInt(1) >= number;
            }
        });
    }

    private Explanation explained() throws InterruptedException {
        assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
        Explanation first = explanations.poll(30, TimeUnit.SECONDS);
        assertThat(first).isNotNull();
        return first;
    }

    private static String evidence(Explanation explanation) {
        return String.join("; ", explanation.evidence());
    }

    @Test
    void aRowThatTheApplicationItselfHasLocked() throws Exception {
        start(1, () -> hold(UPDATE, true));
        awaitProcesses("p.user = 'shop' and p.command = 'Sleep' and t.trx_id is not null", 1);
        start(CONNECTIONS - 1, () -> use(UPDATE));
        awaitProcesses("p.user = 'shop' and t.trx_state = 'LOCK WAIT'", CONNECTIONS - 1);
        Explanation explanation = explained();
        assertThat(explanation.cause().name()).isEqualTo("BLOCKED_BY_HOLDER");
        assertThat(evidence(explanation)).contains("MariaDbExplanationTest.hold(");
    }

    @Test
    void aRowThatAnotherApplicationHasLocked() throws Exception {
        Connection billing = other();
        billing.setAutoCommit(false);
        run(billing, UPDATE);
        long session = billing.unwrap(org.mariadb.jdbc.Connection.class).getThreadId();
        start(CONNECTIONS, () -> use(UPDATE));
        awaitProcesses("p.user = 'shop' and t.trx_state = 'LOCK WAIT'", CONNECTIONS);
        Explanation explanation = explained();
        assertThat(explanation.cause().name()).isEqualTo("BLOCKED_BY_OTHER");
        assertThat(evidence(explanation)).contains("session " + session);
    }

    @Test
    void aChangeOfTheSchemaThatWaits() throws Exception {
        Connection report = other();
        report.setAutoCommit(false);
        run(report, "select count(*) from account");
        Connection migration = other();
        long session = migration.unwrap(org.mariadb.jdbc.Connection.class).getThreadId();
        start(1, () -> run(migration, "alter table account add column more int"));
        awaitProcesses("p.id = " + session + " and p.state like '%metadata lock'", 1);
        start(CONNECTIONS, () -> use(UPDATE));
        awaitProcesses("p.user = 'shop' and p.state like '%metadata lock'", CONNECTIONS);
        Explanation explanation = explained();
        assertThat(explanation.cause().name()).isEqualTo("BLOCKED_BY_DDL");
        assertThat(evidence(explanation)).contains("session " + session);
    }

    @Test
    void aUsersLock() throws Exception {
        start(1, () -> hold(USER_LOCK, false));
        awaitProcesses("p.id = is_used_lock('job')", 1);
        start(CONNECTIONS - 1, () -> use(USER_LOCK));
        awaitProcesses("p.user = 'shop' and p.state = 'User lock'", CONNECTIONS - 1);
        Explanation explanation = explained();
        assertThat(explanation.cause().name()).isEqualTo("BLOCKED_BY_HOLDER");
        assertThat(evidence(explanation)).contains("MariaDbExplanationTest.hold(");
    }

    /** What an innocent lease runs before the others wait; an earlier lease left the lock. */
    private Explanation explainedBesideOneThatRuns(String text) throws Exception {
        use(USER_LOCK);
        TimeUnit.MILLISECONDS.sleep(200);
        CountDownLatch leased = new CountDownLatch(1);
        start(1, () -> {
            try (Connection connection = pool.getConnection()) {
                if (!text.isEmpty()) {
                    run(connection, text);
                }
                leased.countDown();
                over.await();
            }
        });
        leased.await();
        start(CONNECTIONS - 1, () -> use(USER_LOCK));
        awaitProcesses("p.user = 'shop' and p.state = 'User lock'", CONNECTIONS - 1);
        return explained();
    }

    @Test
    void aUsersLockThatAnEarlierLeaseLeft() throws Exception {
        Explanation explanation = explainedBesideOneThatRuns("");
        assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Explanation.Cause.BLOCKED);
        assertThat(evidence(explanation)).doesNotContain("explainedBesideOneThatRuns");
    }

    @Test
    void aUsersLockThatAnEarlierLeaseLeftToOneThatRanAStatement() throws Exception {
        Explanation explanation = explainedBesideOneThatRuns("select count(*) from account");
        assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Explanation.Cause.BLOCKED);
        assertThat(evidence(explanation))
                .contains("unknown whether the current lease or an earlier lease took it")
                .doesNotContain("explainedBesideOneThatRuns");
    }

    @Test
    void statementsThatSleep() throws Exception {
        start(CONNECTIONS, () -> use("select sleep(600)"));
        awaitProcesses("p.user = 'shop' and p.state = 'User sleep'", CONNECTIONS);
        Explanation explanation = explained();
        assertThat(explanation.cause()).isEqualTo(Explanation.Cause.SLOW_DATABASE);
        assertThat(evidence(explanation)).doesNotContainPattern("session \\d");
    }

    @Test
    void transactionsThatDoNothing() throws Exception {
        for (int row = 1; row <= CONNECTIONS; row++) {
            String own = "update account set balance = 0 where id = " + row;
            start(1, () -> hold(own, true));
        }
        awaitProcesses("p.user = 'shop' and p.command = 'Sleep' and t.trx_id is not null", CONNECTIONS);
        Explanation explanation = explained();
        assertThat(explanation.cause()).isEqualTo(Explanation.Cause.HELD_IDLE);
        assertThat(evidence(explanation)).contains("idle in transaction");
    }
}
