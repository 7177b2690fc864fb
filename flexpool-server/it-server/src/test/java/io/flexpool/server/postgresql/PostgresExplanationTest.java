// SPDX-License-Identifier: Apache-2.0
package io.flexpool.server.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.diagnostics.Decision.RefusedGrowth;
import io.flexpool.diagnostics.Explanation;
import io.flexpool.diagnostics.Explanation.Cause;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Situations on a real PostgreSQL: what the first explanation says of each. */
@Timeout(300)
class PostgresExplanationTest extends PostgresStage {
    private static final String LOCK = "select pg_advisory_lock(42)";

    /** Has a connection, on which it runs nothing. */
    private void innocent(CountDownLatch leased) throws Exception {
        try (Connection connection = pool.getConnection()) {
            assertThat(connection.getAutoCommit()).isTrue();
            leased.countDown();
            over.await();
        }
    }

    private void takesTheLock() throws Exception {
        try (Connection connection = pool.getConnection()) {
            run(connection, LOCK);
            over.await();
        }
    }

    /** HikariCP's check of a connection that was idle for half a second is a statement of the next lease. */
    private void withoutChecksOfIdleConnections() throws SQLException {
        pool.close();
        String property = "com.zaxxer.hikari.aliveBypassWindowMs";
        System.setProperty(property, Long.toString(Duration.ofHours(1).toMillis()));
        try {
            pool = shop(Map.of());
            pool.getConnection().close();
        } finally {
            System.clearProperty(property);
        }
    }

    /** One connection, so that the next lease has the session that keeps the lock. */
    @Test
    void aLockThatAnEarlierLeaseLeftIsNotThatOfThePresentLease() throws Exception {
        withoutChecksOfIdleConnections();
        use(LOCK);
        // Longer than clocks differ, and than a query of the server takes on a busy machine.
        TimeUnit.SECONDS.sleep(2);
        CountDownLatch leased = new CountDownLatch(1);
        start(1, () -> innocent(leased));
        leased.await();
        start(CONNECTIONS - 1, () -> use(LOCK));
        awaitSessions("wait_event_type = 'Lock'", CONNECTIONS - 1);
        Explanation explanation = explained();
        assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.BLOCKED);
        assertThat(evidence(explanation))
                .contains("of this pool, idle for")
                .contains("an earlier lease of that connection took the lock")
                .doesNotContain("PostgresExplanationTest.innocent(");
        assertThat(explanation.text()).contains("Release the session's lock before the connection is closed");
    }

    /** An innocent lease that runs a statement, with or without a transaction, before the others wait. */
    private Explanation explainedBesideOneThatUses(boolean transaction) throws Exception {
        use(LOCK);
        CountDownLatch leased = new CountDownLatch(1);
        start(1, () -> {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(!transaction);
                run(connection, "select count(*) from account");
                leased.countDown();
                over.await();
            }
        });
        leased.await();
        start(CONNECTIONS - 1, () -> use(LOCK));
        awaitSessions("wait_event_type = 'Lock'", CONNECTIONS - 1);
        return explained();
    }

    @Test
    void aLockThatAnEarlierLeaseLeftIsNotThatOfALeaseThatRanAStatement() throws Exception {
        Explanation explanation = explainedBesideOneThatUses(false);
        assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.BLOCKED);
        assertThat(evidence(explanation))
                .contains("unknown whether the current lease or an earlier lease took it")
                .doesNotContain("explainedBesideOneThatUses");
    }

    @Test
    void aLockThatAnEarlierLeaseLeftIsNotThatOfALeaseWithATransaction() throws Exception {
        Explanation explanation = explainedBesideOneThatUses(true);
        assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.BLOCKED);
        assertThat(evidence(explanation))
                .contains("unknown whether the current lease or an earlier lease took it")
                .doesNotContain("explainedBesideOneThatUses");
        assertThat(explanation.text()).contains("Release the session's lock before the connection is closed");
    }

    /** The control: that lock ends with the transaction, which no lease passes on. */
    @Test
    void aTransactionsAdvisoryLockIsThatOfItsLease() throws Exception {
        start(1, () -> {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                run(connection, "select pg_advisory_xact_lock(42)");
                run(connection, "select count(*) from account");
                over.await();
            }
        });
        awaitSessions("query like '%from account' and state = 'idle in transaction'", 1);
        start(CONNECTIONS - 1, () -> use("select pg_advisory_xact_lock(42)"));
        awaitSessions("wait_event_type = 'Lock'", CONNECTIONS - 1);
        Explanation explanation = explained();
        assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.BLOCKED_BY_HOLDER);
        assertThat(evidence(explanation)).contains("aTransactionsAdvisoryLockIsThatOfItsLease");
    }

    /** The present lease has run a statement, but the others have waited since before it began. */
    @Test
    void aLockThatWasWaitedForBeforeTheLeaseBeganIsNotItsOwn() throws Exception {
        use(LOCK);
        Connection waiter = other();
        start(1, () -> run(waiter, LOCK));
        awaitSessions("wait_event_type = 'Lock'", 1);
        TimeUnit.MILLISECONDS.sleep(200);
        CountDownLatch leased = new CountDownLatch(1);
        start(1, () -> {
            try (Connection connection = pool.getConnection()) {
                run(connection, "select 1");
                leased.countDown();
                over.await();
            }
        });
        leased.await();
        start(CONNECTIONS - 1, () -> use(LOCK));
        awaitSessions("wait_event_type = 'Lock'", CONNECTIONS);
        Explanation explanation = explained();
        assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.BLOCKED);
        assertThat(evidence(explanation)).contains("an earlier lease of that connection took the lock");
    }

    /** The control. */
    @Test
    void aSessionsLockThatTheLeaseTookIsItsOwn() throws Exception {
        start(1, this::takesTheLock);
        awaitSessions("query like '%advisory_lock(42)' and state = 'idle'", 1);
        start(CONNECTIONS - 1, () -> use(LOCK));
        awaitSessions("wait_event_type = 'Lock'", CONNECTIONS - 1);
        Explanation explanation = explained();
        while (evidence(explanation).contains("it is unknown whether the current lease")) {
            // A view of the server that took long leaves open which lease took the lock.
            explanation = explained();
        }
        assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.BLOCKED_BY_HOLDER);
        assertThat(evidence(explanation))
                .contains("PostgresExplanationTest.takesTheLock(")
                .doesNotContain("an earlier lease of that connection took the lock");
    }

    /** The server waits until rows are read that the application does not read: it does nothing itself. */
    @Test
    void rowsThatAreNotReadAreHeldIdle() throws Exception {
        start(CONNECTIONS, () -> {
            try (Connection connection = pool.getConnection()) {
                connection
                        .unwrap(org.postgresql.PGConnection.class)
                        .getCopyAPI()
                        .copyOut("copy (select repeat('x', 1000) from generate_series(1, 1000000)) to stdout");
                over.await();
            }
        });
        awaitSessions("wait_event = 'ClientWrite'", CONNECTIONS);
        Explanation explanation = explained();
        assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.HELD_IDLE);
        assertThat(evidence(explanation))
                .contains("3 of the 3 leased connections wait in the server until the application reads or sends data");
    }

    /** Behind another session, whose open transaction has run these, all leases wait. */
    private Explanation explainedBehind(String... statements) throws Exception {
        Connection blocking = other();
        blocking.setAutoCommit(false);
        for (String statement : statements) {
            run(blocking, statement);
        }
        start(CONNECTIONS, () -> use(UPDATE));
        awaitSessions("wait_event_type = 'Lock'", CONNECTIONS);
        return explained();
    }

    @Test
    void aTableThatIsLockedByHandIsNoChangeOfTheSchema() throws Exception {
        Explanation explanation = explainedBehind("lock table account");
        assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.BLOCKED_BY_OTHER);
    }

    /** What the session did last is no lock of a table any more. */
    @Test
    void aTableThatWasLockedByHandBeforeOtherWorkIsNoChangeOfTheSchema() throws Exception {
        Explanation explanation = explainedBehind("lock table account in exclusive mode", UPDATE);
        assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.BLOCKED_BY_OTHER);
    }

    /** The control: a migration whose last statement is none that changes the schema. */
    @Test
    void aChangeOfTheSchemaBeforeOtherWorkIsOne() throws Exception {
        Explanation explanation = explainedBehind("alter table account add column more int", "select 1");
        assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.BLOCKED_BY_DDL);
    }

    /** The controller decided to grow again and again, and each time it was refused. */
    @Test
    void inAdaptLocksAreOneReasonAndNoDecisions() throws Exception {
        Connection billing = other();
        billing.setAutoCommit(false);
        run(billing, UPDATE);
        AtomicInteger timeouts = new AtomicInteger();
        try (FlexPoolDataSource adapts =
                another("adapts", new HikariDataSource(), Map.of("flexpool.mode", "adapt", "flexpool.ceiling", "12"))) {
            start(8 * CONNECTIONS, () -> {
                while (over.getCount() > 0) {
                    try (Connection connection = adapts.getConnection()) {
                        run(connection, UPDATE);
                    } catch (SQLTransientConnectionException timeout) {
                        timeouts.incrementAndGet();
                    }
                }
            });
            await().atMost(Duration.ofMinutes(3))
                    .until(() -> !adapts.diagnosis().refusedGrowths().isEmpty() && timeouts.get() >= 4 * CONNECTIONS);
            int decided = adapts.diagnosis().decisions().size();
            int failed = timeouts.get();
            await().atMost(Duration.ofMinutes(3)).until(() -> timeouts.get() >= failed + 40 * CONNECTIONS);
            assertThat(adapts.diagnosis().decisions()).hasSize(decided);
            assertThat(adapts.diagnosis().refusedGrowths())
                    .extracting(RefusedGrowth::reason)
                    .containsExactly(RefusedGrowth.Reason.LOCKED);
            over.countDown();
            billing.abort(Runnable::run);
        }
    }

    @Test
    void twoSessionsThatBlockAreBothNamed() throws Exception {
        Connection billing = other();
        billing.setAutoCommit(false);
        run(billing, UPDATE);
        Connection audit = other();
        audit.setAutoCommit(false);
        run(audit, UPDATE.replace("id = 1", "id = 2"));
        start(CONNECTIONS - 1, () -> use(UPDATE.replace("id = 1", "id = 2")));
        start(1, () -> use(UPDATE));
        awaitSessions("wait_event_type = 'Lock'", CONNECTIONS);
        Explanation explanation = explained();
        assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.BLOCKED_BY_OTHER);
        assertThat(evidence(explanation))
                .contains("2 of them wait behind session " + id(audit) + " ")
                .contains("1 of them waits behind session " + id(billing) + " ");
    }

    private static int id(Connection connection) throws SQLException {
        return connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
    }

    /**
     * The threads are inside calls: whether the database is slow is not known. HikariCP is full before flexpool wraps it:
     * where requests wait for a connect, flexpool connects too, and keeps a connection that does get answers.
     */
    @Test
    void aServerThatGivesNoAnswerIsNotSlow() throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(server.jdbcUrl());
        source.setUser(server.user());
        source.setPassword(server.password());
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                HikariDataSource hikari = new HikariDataSource()) {
            hikari.setDataSource(source);
            hikari.setMaximumPoolSize(CONNECTIONS);
            hikari.setConnectionTimeout(1_000);
            await().atMost(Duration.ofMinutes(2)).ignoreExceptions().until(() -> {
                hikari.getConnection().close();
                return hikari.getHikariPoolMXBean().getIdleConnections() == CONNECTIONS;
            });
            // Only flexpool's own connection comes here.
            source.setServerNames(new String[] {silent.getInetAddress().getHostAddress()});
            source.setPortNumbers(new int[] {silent.getLocalPort()});
            try (FlexPoolDataSource alone = FlexPool.wrap(hikari)
                    .name("alone")
                    .set("call-sites.sample-every", 1)
                    .set("call-sites.application", PostgresStage.class.getPackageName())
                    .build()) {
                start(CONNECTIONS, () -> {
                    try (Connection connection = alone.getConnection()) {
                        run(connection, "select pg_sleep(600)");
                    }
                });
                awaitSessions("wait_event = 'PgSleep'", CONNECTIONS);
                assertThatThrownBy(alone::getConnection).isInstanceOf(SQLException.class);
                Explanation first = alone.diagnosis().lastExplanation();
                assertThat(first).isNotNull();
                assertThat(first.cause()).as(first.text()).isEqualTo(Cause.HELD);
                // The second, if the connect's own timeout ends before this request does.
                assertThat(first.text())
                        .containsAnyOf(
                                "the activity of the server is unknown: it did not answer within 200 ms",
                                "the activity of the server is unknown: it refused or could not be reached in time");
            }
        }
    }

    /** Has a row, and needs that of the next thread; the server ends one of them after a second, which begins again. */
    private void transfer(int row) throws Exception {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            while (over.getCount() > 0) {
                try {
                    run(connection, UPDATE.replace("id = 1", "id = " + row));
                    // Until each has its first row.
                    TimeUnit.MILLISECONDS.sleep(20);
                    run(connection, UPDATE.replace("id = 1", "id = " + (row % CONNECTIONS + 1)));
                    connection.commit();
                } catch (SQLException deadlock) {
                    connection.rollback();
                }
            }
        }
    }

    @Test
    void ownLeasesThatWaitForEachOtherAreNamed() throws Exception {
        AtomicInteger rows = new AtomicInteger();
        start(CONNECTIONS, () -> transfer(rows.incrementAndGet()));
        Explanation explanation;
        int tries = 0;
        do {
            // The server may have ended the deadlock just before the look.
            awaitSessions("wait_event_type = 'Lock'", CONNECTIONS);
            explanation = explained();
            assertThat(explanation.cause()).as(explanation.text()).isNotEqualTo(Cause.SLOW_DATABASE);
        } while (!evidence(explanation).contains("wait for each other") && ++tries < MOST_TRIES);
        assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.BLOCKED);
        assertThat(evidence(explanation))
                .containsPattern("3 of them wait for each other, a deadlock: session \\d+, PostgresExplanationTest"
                        + "\\.transfer\\(.*; session \\d+, PostgresExplanationTest\\.transfer\\(.*; session \\d+, ");
        assertThat(explanation.text()).contains("Take the locks of a transaction in one order everywhere");
    }

    private void charge(FlexPoolDataSource billing, String lock) throws Exception {
        try (Connection connection = billing.getConnection()) {
            connection.setAutoCommit(!lock.startsWith("update"));
            run(connection, lock);
            over.await();
        }
    }

    @Test
    void aLockOfAnotherPoolOfThisJvmIsThatOfItsCallSite() throws Exception {
        try (HikariDataSource hikari = new HikariDataSource();
                FlexPoolDataSource billing = another("billing", hikari, Map.of())) {
            start(1, () -> charge(billing, UPDATE));
            awaitSessions("state = 'idle in transaction'", 1);
            start(CONNECTIONS, () -> use(UPDATE));
            awaitSessions("wait_event_type = 'Lock'", CONNECTIONS);
            Explanation explanation = explained();
            assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.BLOCKED_BY_OTHER);
            assertThat(evidence(explanation))
                    .containsPattern(
                            "all 3 wait behind session \\d+ of pool 'billing' of this JVM, PostgresExplanationTest"
                                    + "\\.charge\\(\\S+\\), idle in transaction for ");
            over.countDown();
        }
    }

    /** Regression: a pool with another name of the same host was another client. */
    @Test
    void aPoolWithAnotherNameOfThisHostIsOneOfTheServer() throws Exception {
        try (HikariDataSource hikari = new HikariDataSource();
                FlexPoolDataSource billing = another("billing", hikari, Map.of())) {
            ((PGSimpleDataSource) hikari.getDataSource()).setServerNames(new String[] {"localhost"});
            start(1, () -> charge(billing, UPDATE));
            awaitSessions("state = 'idle in transaction'", 1);
            start(CONNECTIONS, () -> use(UPDATE));
            awaitSessions("wait_event_type = 'Lock'", CONNECTIONS);
            Explanation explanation = explained();
            assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.BLOCKED_BY_OTHER);
            assertThat(evidence(explanation))
                    .contains(" of pool 'billing' of this JVM, ", ", idle in transaction for ");
            over.countDown();
        }
    }

    /** The present lease of that pool took nothing. */
    @Test
    void aLockThatAnEarlierLeaseOfAnotherPoolLeftIsNotThatOfItsPresentLease() throws Exception {
        try (HikariDataSource hikari = new HikariDataSource();
                FlexPoolDataSource billing = another("billing", hikari, Map.of())) {
            try (Connection connection = billing.getConnection()) {
                run(connection, LOCK);
            }
            TimeUnit.MILLISECONDS.sleep(200);
            CountDownLatch leased = new CountDownLatch(1);
            start(1, () -> {
                try (Connection connection = billing.getConnection()) {
                    assertThat(connection.getAutoCommit()).isTrue();
                    leased.countDown();
                    over.await();
                }
            });
            leased.await();
            start(CONNECTIONS, () -> use(LOCK));
            awaitSessions("wait_event_type = 'Lock'", CONNECTIONS);
            Explanation explanation = explained();
            assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.BLOCKED_BY_OTHER);
            assertThat(evidence(explanation))
                    .containsPattern("all 3 wait behind session \\d+ of pool 'billing' of this JVM, idle for ")
                    .contains("an earlier lease of that connection took the lock")
                    .doesNotContain("aLockThatAnEarlierLeaseOfAnotherPoolLeft");
            over.countDown();
        }
    }

    /** All sessions are those of pools of this JVM, which the server does not know by name. */
    @Test
    void aFullServerIsFullOfOwnPools() throws Exception {
        HikariDataSource all = new HikariDataSource();
        try (FlexPoolDataSource billing = another("billing", all, Map.of())) {
            all.setMaximumPoolSize(20);
            List<Connection> leased = new ArrayList<>();
            for (int at = 0; at < 20; at++) {
                leased.add(billing.getConnection());
            }
            List<Connection> rest = new ArrayList<>();
            assertThatThrownBy(() -> {
                        while (true) {
                            rest.add(other());
                        }
                    })
                    .isInstanceOf(SQLException.class);
            rest.get(0).close();
            // The server frees the session a moment later.
            await().atMost(Duration.ofMinutes(3)).ignoreExceptions().until(() -> leased.add(pool.getConnection()));
            try {
                assertThatThrownBy(() -> {
                            while (true) {
                                leased.add(pool.getConnection());
                            }
                        })
                        .isInstanceOf(SQLException.class);
                Explanation explanation = pool.diagnosis().lastExplanation();
                assertThat(explanation).isNotNull();
                assertThat(explanation.cause()).as(explanation.text()).isEqualTo(Cause.SERVER_FULL);
                assertThat(evidence(explanation))
                        .contains("open connections of the pools of this JVM: 20 of 'billing', 1 of 'shop'");
            } finally {
                for (Connection one : leased) {
                    one.close();
                }
            }
        }
    }
}
