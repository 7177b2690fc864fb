// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.faults.Crowd;
import java.io.Closeable;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * JDBC's behaviour for a caller, independent of the bare pool: some pools expose the physical connection, unwrap to
 * null, or report a closed connection as valid.
 */
abstract class JdbcContract extends ContractPart {
    private static final String WORKS = "works";

    JdbcContract(PoolAdapterContract contract) {
        super(contract);
    }

    private FlexPoolDataSource one() {
        return build(wrap(pool(1, Duration.ofSeconds(5))));
    }

    @Test
    void statementsLeadBackToTheConnection() throws Exception {
        try (Connection connection = one().getConnection();
                Statement statement = connection.createStatement();
                PreparedStatement prepared = connection.prepareStatement("select 1");
                ResultSet result = statement.executeQuery("select 1")) {
            DatabaseMetaData metaData = connection.getMetaData();
            assertThat(statement.getConnection()).isSameAs(connection);
            assertThat(prepared.getConnection()).isSameAs(connection);
            assertThat(metaData.getConnection()).isSameAs(connection);
            assertThat(result.getStatement()).isSameAs(statement);
        }
    }

    @Test
    void aCloseThroughTheStatementGivesThePlaceBack() throws Exception {
        FlexPoolDataSource pool = one();
        for (int round = 0; round < 3; round++) {
            Statement statement = pool.getConnection().createStatement();
            statement.getConnection().close();
        }
        assertThat(pool.state().leased()).isZero();
    }

    @Test
    void aClosedConnectionIsClosedForGood() throws Exception {
        FlexPoolDataSource pool = one();
        Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        connection.close();
        connection.close();
        assertThat(connection.isClosed()).isTrue();
        assertThat(connection.isValid(1)).isFalse();
        assertThatThrownBy(connection::createStatement).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> statement.executeQuery("select 1")).isInstanceOf(SQLException.class);
        try (Connection next = pool.getConnection()) {
            connection.close();
            assertThat(next.isClosed()).isFalse();
            assertThat(next.isValid(1)).isTrue();
            assertThatThrownBy(connection::getCatalog).isInstanceOf(SQLException.class);
        }
    }

    /** Applications and frameworks depend on the exception that a closed object throws. */
    @Test
    void closedObjectsThrowWhatTheyThrowOnTheBarePool() throws Exception {
        DataSource bare = onH2();
        FlexPoolDataSource pool = build(wrap(bare));
        Map<String, String> expected = lateCalls(bare, true);
        Map<String, String> thrown = lateCalls(pool, true);
        expected.values().removeIf(WORKS::equals);
        assertThat(thrown).doesNotContainValue(WORKS).containsAllEntriesOf(expected);
    }

    /** An SQLState of class 08 means a lost connection, after which frameworks retry or discard the connection. */
    @Test
    void lateStatementsAndResultsReadAsClosedAndNotAsALostConnection() throws Exception {
        assertThat(lateCalls(build(wrap(onH2())), false).values())
                .allSatisfy(thrown -> assertThat(thrown).isNotEqualTo(WORKS).doesNotContain(" 08"));
    }

    /** A pool on H2, because the stub's objects do not follow JDBC's rules for closed objects. */
    private DataSource onH2() {
        JdbcDataSource h2 = new JdbcDataSource();
        h2.setUrl("jdbc:h2:mem:");
        return contract.pool(h2, 1, Duration.ofSeconds(5));
    }

    /** The class and the SQLState that calls after the end of the lease throw. */
    private static Map<String, String> lateCalls(DataSource pool, boolean closedBefore) throws SQLException {
        Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select 1");
        PreparedStatement prepared = connection.prepareStatement("select 1");
        ResultSet preparedRows = prepared.executeQuery();
        rows.next();
        preparedRows.next();
        if (closedBefore) {
            statement.close();
            prepared.close();
        }
        connection.close();
        Map<String, String> thrown = new LinkedHashMap<>();
        thrown.put("rows.next", thrown(rows::next));
        thrown.put("rows.getInt", thrown(() -> rows.getInt(1)));
        thrown.put("preparedRows.next", thrown(preparedRows::next));
        thrown.put("statement.executeQuery", thrown(() -> statement.executeQuery("select 1")));
        thrown.put("prepared.setInt", thrown(() -> prepared.setInt(1, 1)));
        thrown.put("prepared.executeQuery", thrown(prepared::executeQuery));
        return thrown;
    }

    private static String thrown(ThrowingCallable call) {
        try {
            call.call();
            return WORKS;
        } catch (SQLException e) {
            return e.getClass().getName() + " " + e.getSQLState();
        } catch (Throwable e) {
            return e.getClass().getName();
        }
    }

    @Test
    void aConnectionUnwrapsToItselfAndNeverToNull() throws Exception {
        FlexPoolDataSource pool = one();
        Connection connection = pool.getConnection();
        assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
        assertThat(connection.isWrapperFor(Connection.class)).isTrue();
        assertThat(connection.unwrap(connection.getClass())).isSameAs(connection);
        assertThat(connection.isWrapperFor(Closeable.class)).isFalse();
        assertThatThrownBy(() -> connection.unwrap(Closeable.class)).isInstanceOf(SQLException.class);
        connection.close();
        assertThat(connection.unwrap(Connection.class)).isSameAs(connection);
        if (has(PoolQuirk.LEAVES_OPEN_WHAT_FAILED)) {
            pool.close();
            assertThat(database.open()).as("dropped, and left open").isOne();
        }
    }

    @Test
    void theDataSourceUnwrapsToThePoolAndNeverToNull() throws Exception {
        DataSource raw = pool(1, Duration.ofSeconds(5));
        FlexPoolDataSource pool = build(wrap(raw));
        assertThat(pool.unwrap(raw.getClass())).isSameAs(raw);
        assertThat(pool.isWrapperFor(raw.getClass())).isTrue();
        assertThat(pool.unwrap(DataSource.class)).isSameAs(pool);
        assertThat(pool.isWrapperFor(Comparable.class)).isFalse();
        assertThatThrownBy(() -> pool.unwrap(Comparable.class)).isInstanceOf(SQLException.class);
    }

    /**
     * The application discards a connection, for example after an impersonation, or with damage that validation does
     * not detect.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConnectionThatIsThrownAwayIsNotLentAgain(boolean byAbort) throws Exception {
        DataSource raw = pool(1, Duration.ofSeconds(5));
        FlexPoolDataSource pool = build(wrap(raw));
        for (int round = 0; round < 3; round++) {
            String session;
            try (Connection connection = pool.getConnection()) {
                session = connection.getCatalog();
                if (byAbort) {
                    abortInUse(connection);
                } else {
                    contract.throwAway(raw, connection);
                }
            } catch (SQLException | AbstractMethodError closedAlready) {
                if (has(PoolQuirk.KEEPS_ABORTED_CONNECTIONS)) {
                    return;
                }
                throw closedAlready;
            }
            if (has(PoolQuirk.KEEPS_ABORTED_CONNECTIONS)) {
                return;
            }
            assertThat(Crowd.eventually(Duration.ofSeconds(30), () -> isAnother(session, pool)))
                    .as("another session than %s is lent", session)
                    .isTrue();
            assertThat(pool.state().leased()).isZero();
        }
    }

    /** Whether the pool lends another session. A pool without validation may lend the dead connection, which throws. */
    private static boolean isAnother(String session, FlexPoolDataSource pool) {
        try (Connection next = pool.getConnection()) {
            assertThat(next.getCatalog()).isNotEqualTo(session);
            return true;
        } catch (SQLException dead) {
            return false;
        }
    }

    /** JDBC requires that an abort ends the holder's running call with an SQLException. */
    @Test
    void anAbortGivesTheHolderNothingButSqlExceptions() throws Exception {
        FlexPoolDataSource pool = one();
        // A pool that keeps aborted connections may lend no other, so one round must be enough.
        int rounds = has(PoolQuirk.KEEPS_ABORTED_CONNECTIONS) ? 1 : 300;
        try (Crowd crowd = new Crowd()) {
            for (int round = 0; round < rounds; round++) {
                Connection connection = pool.getConnection();
                CountDownLatch inUse = new CountDownLatch(1);
                CompletableFuture<Void> holder = new CompletableFuture<>();
                crowd.call(() -> {
                    try {
                        use(connection, inUse);
                        holder.complete(null);
                    } catch (Throwable thrown) {
                        holder.completeExceptionally(thrown);
                    }
                });
                inUse.await();
                abortInUse(connection);
                holder.get(1, TimeUnit.MINUTES);
            }
        }
    }

    private void abortInUse(Connection connection) throws SQLException {
        try {
            connection.abort(Runnable::run);
        } catch (AbstractMethodError olderThanJdbc41) {
            assertThat(contract.quirks()).contains(PoolQuirk.KEEPS_ABORTED_CONNECTIONS);
        }
    }

    /** Uses the connection until its lease has ended. */
    private static void use(Connection connection, CountDownLatch inUse) {
        while (!hasEnded(connection)) {
            try (Statement statement = connection.createStatement();
                    PreparedStatement prepared = connection.prepareStatement("select 1")) {
                inUse.countDown();
                statement.execute("select 1");
                prepared.execute();
                connection.setAutoCommit(false);
                connection.commit();
                connection.setAutoCommit(true);
                connection.getMetaData();
            } catch (SQLException ofAnAbortedConnection) {
                inUse.countDown();
            }
        }
    }

    private static boolean hasEnded(Connection connection) {
        try {
            return connection.isClosed();
        } catch (SQLException whileItIsAborted) {
            return true;
        }
    }
}
