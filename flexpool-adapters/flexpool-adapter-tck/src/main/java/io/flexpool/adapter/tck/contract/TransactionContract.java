// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.flexpool.FlexPoolBuilder;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.monitoring.PoolMetric;
import io.flexpool.monitoring.PoolStatistics.Figures;
import io.flexpool.pool.AcquisitionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The requirements on a pool that lends one physical connection for all requests of a JTA transaction, with real
 * transactions on a real XA database: permit and lease last until the connection returns to the pool. Every test ends
 * with the invariants: no lease, no lost permit, as many leases ended as began.
 */
public abstract class TransactionContract {
    /** Longer than any test takes. */
    private static final int LONG_SECONDS = 120;

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration PATIENT = Duration.ofMinutes(1);
    /** For a request that must time out. */
    private static final Duration IMPATIENT = Duration.ofSeconds(1);

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=5000";
    private final List<FlexPoolDataSource> wrapped = new ArrayList<>();

    /** Called by a pool's test. */
    protected TransactionContract() {}

    /**
     * Creates a pool that takes part in transactions, and also lends connections without a transaction.
     *
     * @param database H2's data source for XA
     * @param max its max size
     * @param timeout its acquisition timeout, whole seconds
     * @return the pool, not started
     */
    protected abstract DataSource pool(JdbcDataSource database, int max, Duration timeout);

    /**
     * The transaction manager.
     *
     * @return the same during a test
     */
    protected abstract Transactions transactions();

    /**
     * Whether a transaction's second request gets the first request's connection also while its handle is open.
     *
     * @return false if it then gets another physical connection
     */
    protected boolean joinsOpenHandles() {
        return true;
    }

    /**
     * Whether the transaction manager itself rolls a transaction back at its timeout.
     *
     * @return false if it leaves that to the application, which keeps the connection
     */
    protected boolean rollsBackAtTheTimeout() {
        return true;
    }

    // ---- one transaction ----

    /** The gate once freed the place at the handle's close, and granted it to another request. */
    @Test
    void aTransactionsConnectionIsOneLease() throws Exception {
        FlexPoolDataSource pool = build(1, PATIENT);
        begin();
        execute(pool);
        assertThat(pool.state().leased()).as("kept").isOne();
        assertThat(pool.openLeases()).hasSize(1);
        execute(pool);
        execute(pool);
        assertThat(pool.state().leased()).isOne();
        transactions().commit();
        ended(pool, 1);
    }

    /** With a base of one, the second request once waited for its own transaction. */
    @Test
    void openHandlesOfOneTransactionAreOneLease() throws Exception {
        FlexPoolDataSource pool = build(joinsOpenHandles() ? 1 : 2, PATIENT);
        begin();
        try (Connection one = pool.getConnection()) {
            execute(one);
            try (Connection two = pool.getConnection()) {
                execute(two);
                assertThat(pool.state().leased()).isEqualTo(joinsOpenHandles() ? 1 : 2);
            }
        }
        transactions().commit();
        ended(pool, joinsOpenHandles() ? 1 : 2);
    }

    /** If each open handle has a separate physical connection, each counts as a separate request. */
    @Test
    void handlesAreClosedInAnyOrder() throws Exception {
        int[][] orders = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}};
        FlexPoolDataSource pool = build(joinsOpenHandles() ? 1 : 3, PATIENT);
        for (int[] order : orders) {
            begin();
            Connection[] handles = new Connection[order.length];
            for (int at = 0; at < handles.length; at++) {
                handles[at] = pool.getConnection();
                execute(handles[at]);
            }
            for (int at : order) {
                handles[at].close();
                handles[at].close();
            }
            execute(pool);
            assertThat(pool.state().leased()).isEqualTo(joinsOpenHandles() ? 1 : 3);
            transactions().commit();
        }
        ended(pool, orders.length * (joinsOpenHandles() ? 1 : 3));
    }

    /** A joining request gets the same connection, so it cannot wait for its own thread. */
    @Test
    void aRequestThatJoinsIsNotNested() throws Exception {
        FlexPoolDataSource pool = build(wrap(1, PATIENT).set("nested", "strict"));
        begin();
        execute(pool);
        execute(pool);
        if (joinsOpenHandles()) {
            try (Connection open = pool.getConnection()) {
                execute(open);
                execute(pool);
            }
        }
        transactions().rollback();
        ended(pool, 1);
        assertThat(pool.statistics().total().counter(PoolMetric.NESTED_ACQUISITIONS))
                .isZero();
    }

    /** A second lease would wait inside the pool for a connection that only the transaction releases. */
    @Test
    void whatATransactionKeepsIsLentOnce() throws Exception {
        FlexPoolDataSource pool = build(1, PATIENT);
        begin();
        execute(pool);
        try (Crowd crowd = new Crowd()) {
            crowd.call(() -> execute(pool));
            assertThat(Crowd.eventually(SOON, () -> pool.state().waiting() == 1))
                    .as("waits at the gate: %s", pool.state())
                    .isTrue();
            execute(pool);
            transactions().commit();
            crowd.join();
            assertThat(crowd.failures()).isEmpty();
        }
        ended(pool, 2);
    }

    @Test
    void aHandleThatIsClosedAfterTheCommitEndsNothingTwice() throws Exception {
        FlexPoolDataSource pool = build(1, PATIENT);
        begin();
        Connection late = pool.getConnection();
        execute(late);
        transactions().commit();
        late.close();
        late.close();
        ended(pool, 1);
        begin();
        execute(pool);
        late.close();
        assertThat(pool.state().leased()).isOne();
        transactions().commit();
        ended(pool, 2);
    }

    @Test
    void aTransactionThatTimesOutGivesItsPermitBackOnce() throws Exception {
        FlexPoolDataSource pool = build(1, PATIENT);
        transactions().begin(1);
        execute(pool);
        assertThat(pool.state().leased()).isOne();
        timeOut();
        if (rollsBackAtTheTimeout()) {
            nothingIsOut(pool);
        } else {
            assertThat(pool.state().leased()).as("until the application knows").isOne();
        }
        transactions().rollback();
        ended(pool, 1);
    }

    @Test
    void aHandleThatIsOpenAtTheTimeoutEndsNothingTwice() throws Exception {
        FlexPoolDataSource pool = build(1, PATIENT);
        transactions().begin(1);
        Connection open = pool.getConnection();
        execute(open);
        timeOut();
        open.close();
        transactions().rollback();
        open.close();
        ended(pool, 1);
    }

    private void timeOut() throws Exception {
        assertThat(Crowd.eventually(SOON, () -> transactions().failed()))
                .as("timed out")
                .isTrue();
    }

    // ---- several transactions ----

    @Test
    void aTransactionInsideAnotherHasALeaseOfItsOwn() throws Exception {
        FlexPoolDataSource pool = build(2, PATIENT);
        begin();
        execute(pool);
        Object outer = transactions().suspend();
        begin();
        execute(pool);
        assertThat(pool.state().leased()).isEqualTo(2);
        execute(pool);
        assertThat(pool.state().leased()).isEqualTo(2);
        transactions().commit();
        assertThat(pool.state().leased()).isOne();
        transactions().resume(outer);
        execute(pool);
        assertThat(pool.state().leased()).isOne();
        transactions().commit();
        ended(pool, 2);
    }

    /** The inner transaction waits like any other request, because the outer one has the only connection. */
    @Test
    void anInnerTransactionWaitsIfThereIsNoRoom() throws Exception {
        FlexPoolDataSource pool = build(1, IMPATIENT);
        begin();
        execute(pool);
        Object outer = transactions().suspend();
        begin();
        Throwable thrown = catchThrowable(() -> execute(pool));
        assertThat(thrown).isInstanceOf(SQLException.class);
        transactions().rollback();
        transactions().resume(outer);
        assertThat(pool.diagnosis().lastExplanation()).as("explained").isNotNull();
        Figures total = pool.statistics().total();
        assertThat(total.acquisition(AcquisitionOutcome.TIMEOUT).count()).isOne();
        assertThat(total.counter(PoolMetric.NESTED_ACQUISITIONS)).isOne();
        execute(pool);
        transactions().commit();
        ended(pool, 1);
    }

    @Test
    void aTransactionInsideAnotherGrowsAsAnyOtherRequest() throws Exception {
        FlexPoolDataSource pool =
                build(wrap(2, PATIENT).set("base", 1).set("ceiling", 2).set("grow-on-wait.enabled", true));
        begin();
        execute(pool);
        Object outer = transactions().suspend();
        begin();
        execute(pool);
        assertThat(pool.state().leased()).isEqualTo(2);
        transactions().commit();
        transactions().resume(outer);
        transactions().commit();
        assertThat(pool.statistics().total().counter(PoolMetric.GROWTHS)).isOne();
        ended(pool, 2);
    }

    @Test
    void aSuspendedTransactionKeepsItsLease() throws Exception {
        FlexPoolDataSource pool = build(2, PATIENT);
        begin();
        execute(pool);
        Object suspended = transactions().suspend();
        assertThat(pool.state().leased()).isOne();
        execute(pool);
        assertThat(pool.state().leased()).as("one without a transaction").isOne();
        transactions().resume(suspended);
        execute(pool);
        assertThat(pool.state().leased()).isOne();
        transactions().commit();
        ended(pool, 2);
    }

    /** Application servers may end a transaction on another thread. */
    @Test
    void aTransactionIsEndedByAnotherThread() throws Exception {
        FlexPoolDataSource pool = build(1, PATIENT);
        begin();
        execute(pool);
        Object suspended = transactions().suspend();
        try (Crowd crowd = new Crowd()) {
            crowd.call(() -> {
                transactions().resume(suspended);
                execute(pool);
                transactions().commit();
            });
            crowd.join();
            assertThat(crowd.failures()).isEmpty();
        }
        ended(pool, 1);
        assertThat(pool.statistics().total().counter(PoolMetric.NESTED_ACQUISITIONS))
                .isZero();
    }

    @Test
    void withoutATransactionEachRequestIsALease() throws Exception {
        FlexPoolDataSource pool = build(2, PATIENT);
        try (Connection one = pool.getConnection();
                Connection two = pool.getConnection()) {
            execute(one);
            execute(two);
            assertThat(pool.state().leased()).isEqualTo(2);
        }
        ended(pool, 2);
    }

    /** Runs more threads than connections, with several requests in each transaction, and some rollbacks. */
    @Test
    void manyTransactionsAtOnceLoseNothing() throws Exception {
        int threads = 8;
        int each = 60;
        FlexPoolDataSource pool = build(3, PATIENT);
        try (Crowd crowd = new Crowd()) {
            for (int thread = 0; thread < threads; thread++) {
                crowd.call(() -> {
                    for (int at = 0; at < each; at++) {
                        oneOfMany(pool, at);
                    }
                });
            }
            crowd.join();
            assertThat(crowd.failures()).isEmpty();
        }
        ended(pool, threads * each);
    }

    private void oneOfMany(FlexPoolDataSource pool, int at) throws Exception {
        begin();
        try {
            execute(pool);
            Connection late = pool.getConnection();
            execute(late);
            if (at % 3 != 0) {
                late.close();
            }
            if (at % 2 == 0) {
                transactions().commit();
            } else {
                transactions().rollback();
            }
            late.close();
        } finally {
            transactions().abandon();
        }
    }

    // ---- the invariants ----

    /** Checks the number of begun and ended leases since the pool was wrapped, and that no permit is lost. */
    private void ended(FlexPoolDataSource pool, int leases) throws Exception {
        nothingIsOut(pool);
        assertThat(pool.openLeases()).isEmpty();
        Figures total = pool.statistics().total();
        assertThat(total.leases().count()).as("leases that ended").isEqualTo(leases);
        assertThat(total.acquisition(AcquisitionOutcome.OK).count())
                .as("leases that began")
                .isEqualTo(leases);
    }

    private static void nothingIsOut(FlexPoolDataSource pool) throws InterruptedException {
        assertThat(Crowd.eventually(
                        SOON, () -> pool.state().leased() == 0 && pool.state().pending() == 0))
                .as("no leases: %s", pool.state())
                .isTrue();
    }

    @AfterEach
    void everyPermitIsThere() throws Exception {
        // Rolls back the transaction of a failed test.
        transactions().abandon();
        for (FlexPoolDataSource pool : wrapped) {
            int limit = pool.state().limit();
            try (Crowd crowd = new Crowd()) {
                crowd.ask(limit, pool).join();
                assertThat(crowd.served())
                        .as("of %d permits: %s", limit, crowd.failures())
                        .isEqualTo(limit);
            }
            assertThat(pool.state().leased()).isZero();
            assertThat(pool.statistics().total().counter(PoolMetric.LISTENER_ERRORS))
                    .isZero();
            pool.close();
        }
    }

    // ---- the parts ----

    /**
     * Returns a builder for a new pool.
     *
     * @param max the pool's max
     * @param timeout its acquisition timeout
     * @return a builder
     */
    protected FlexPoolBuilder wrap(int max, Duration timeout) {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(url);
        database.setUser("sa");
        return PlainPools.wrap(pool(database, max, timeout))
                .name("transactions-" + wrapped.size())
                .set("base", max);
    }

    /**
     * Builds the wrapped pool, which is checked and closed at the end of the test.
     *
     * @param builder the configured builder
     * @return the wrapped pool, with a table to write to
     * @throws SQLException if the database fails
     */
    protected FlexPoolDataSource build(FlexPoolBuilder builder) throws SQLException {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL(url);
        database.setUser("sa");
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table if not exists t (id int)");
        }
        FlexPoolDataSource pool = builder.build();
        wrapped.add(pool);
        return pool;
    }

    private FlexPoolDataSource build(int base, Duration timeout) throws SQLException {
        return build(wrap(base, timeout));
    }

    private void begin() throws Exception {
        transactions().begin(LONG_SECONDS);
    }

    /** Executes a statement on a separate lease. */
    private static void execute(FlexPoolDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            execute(connection);
        }
    }

    private static void execute(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("insert into t values (1)");
        }
    }
}
