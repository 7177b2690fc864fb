// SPDX-License-Identifier: Apache-2.0
package io.flexpool.adapter.tck.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.flexpool.FlexPool;
import io.flexpool.FlexPoolDataSource;
import io.flexpool.adapter.tck.database.PostgresPair;
import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.adapter.tck.faults.Crowd;
import io.flexpool.event.PoolEvent;
import io.flexpool.event.PoolEvent.LifecycleAction;
import io.flexpool.event.PoolEvent.LifecycleChanged;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * A failover of a real PostgreSQL pair under load: every connection to the old writer is closed soon after its first
 * refused write. The same pool without flexpool keeps its connections, for comparison. Prints the duration.
 */
public abstract class StaleWriterContract {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int THREADS = 4;
    private static final String READ_ONLY = "25006";

    /** Called by a pool's test. */
    protected StaleWriterContract() {}

    /**
     * Creates a pool.
     *
     * @param database the database for the pool's connections
     * @param max its max size
     * @param timeout its acquisition timeout
     * @return the pool, not connected yet, with its default maximum age of connections
     */
    protected abstract DataSource pool(DataSource database, int max, Duration timeout);

    /**
     * Closes a pool that was not wrapped.
     *
     * @param pool a pool created by {@link #pool}
     * @throws Exception if its close throws
     */
    protected void close(DataSource pool) throws Exception {
        ((AutoCloseable) pool).close();
    }

    @Test
    void everyConnectionLeavesTheOldWriter() throws Exception {
        assumeTrue(
                PostgresServer.unavailable().isEmpty(),
                () -> PostgresServer.unavailable().orElse(""));
        try (PostgresPair servers = PostgresPair.start()) {
            try (Connection connection = servers.writer("setup").getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("create table written (by text)");
            }
            DataSource bare = pool(servers.writer("bare"), THREADS, PATIENCE);
            try (FlexPoolDataSource pool = FlexPool.wrap(pool(servers.writer("flexpool"), THREADS, PATIENCE))
                    .name("writer")
                    .build()) {
                aReadOnlyTransactionEvictsNothing(pool);
                afterAFailover(servers, pool, bare);
            } finally {
                close(bare);
            }
        }
    }

    /** Causes the same SQLState by the application: by SQL, by JDBC, and by a session that stays read-only. */
    private static void aReadOnlyTransactionEvictsNothing(FlexPoolDataSource pool) throws SQLException {
        for (int round = 0; round < 4; round++) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                statement.execute("set transaction read only");
                assertThat(refused(statement)).isEqualTo(READ_ONLY);
                connection.rollback();
                connection.setAutoCommit(true);
            }
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                connection.setReadOnly(true);
                assertThat(refused(statement)).isEqualTo(READ_ONLY);
                connection.rollback();
                connection.setReadOnly(false);
                connection.setAutoCommit(true);
            }
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("set session characteristics as transaction read only");
                assertThat(refused(statement)).isEqualTo(READ_ONLY);
                statement.execute("set session characteristics as transaction read write");
            }
            // flexpool checks one lease in a quarter of a second.
            LockSupport.parkNanos(Duration.ofMillis(260).toNanos());
        }
        assertThat(evictions(pool)).isEmpty();
    }

    private static String refused(Statement statement) {
        try {
            statement.executeUpdate("insert into written values ('a read-only transaction')");
            return "written";
        } catch (SQLException refused) {
            return String.valueOf(refused.getSQLState());
        }
    }

    private static void afterAFailover(PostgresPair servers, FlexPoolDataSource pool, DataSource bare)
            throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Load ours = new Load(pool, over);
        Load control = new Load(bare, over);
        try (Crowd crowd = new Crowd()) {
            ours.start(crowd);
            control.start(crowd);
            try {
                theOldWriterIsLeft(servers, pool, ours, control);
            } finally {
                // Ends the load before the crowd's close, which waits for its threads and would hang after a failure.
                over.set(true);
            }
            crowd.join();
        }
        assertThat(pool.state().leased()).isZero();
    }

    private static void theOldWriterIsLeft(PostgresPair servers, FlexPoolDataSource pool, Load ours, Load control)
            throws Exception {
        assertThat(Crowd.eventually(PATIENCE, () -> ours.written.get() > 50 && control.written.get() > 50))
                .isTrue();
        assertThat(servers.sessionsOfTheFirst("flexpool")).isPositive();
        // A connection that the bare pool opens later leads to the new writer.
        assertThat(Crowd.eventually(PATIENCE, () -> sessions(servers, "bare") == THREADS))
                .as("the bare pool has opened all its connections")
                .isTrue();
        servers.failOver();
        assertThat(Crowd.eventually(PATIENCE, () -> ours.refused.get() > 0)).isTrue();
        assertThat(Crowd.eventually(PATIENCE, () -> sessions(servers, "flexpool") == 0))
                .as("%d sessions stay with the old writer", sessions(servers, "flexpool"))
                .isTrue();
        long took = System.nanoTime() - ours.firstNanos.get();
        int kept = sessions(servers, "bare");
        long refused = ours.refused.get();
        long before = ours.written.get();
        assertThat(Crowd.eventually(PATIENCE, () -> ours.written.get() > before + 50))
                .as("writes go to the new writer")
                .isTrue();
        assertThat(ours.refused).as("refused writes").hasValue((int) refused);
        assertThat(kept).as("sessions of the bare pool at the old writer").isEqualTo(THREADS);
        assertThat(sessions(servers, "bare")).isEqualTo(THREADS);
        int bareRefused = control.refused.get();
        assertThat(Crowd.eventually(PATIENCE, () -> control.refused.get() > bareRefused))
                .as("the bare pool goes on failing")
                .isTrue();
        assertThat(ours.otherwise + control.otherwise).isEmpty();
        System.out.printf(
                Locale.ROOT,
                "%s: %d ms after the first refused write no session was left at the old writer, %d writes refused,"
                        + " %d evictions; the bare pool: %d sessions there, %d writes refused so far%n",
                pool.type(),
                Duration.ofNanos(took).toMillis(),
                refused,
                evictions(pool).size(),
                sessions(servers, "bare"),
                control.refused.get());
        assertThat(evictions(pool))
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.reason())
                        .contains("refuses writes")
                        .contains("a new connection accepts writes"));
    }

    private static List<LifecycleChanged> evictions(FlexPoolDataSource pool) {
        return pool.diagnosis().recentEvents().stream()
                .map(PoolEvent.Recent::event)
                .filter(LifecycleChanged.class::isInstance)
                .map(LifecycleChanged.class::cast)
                .filter(event -> event.action() == LifecycleAction.EVICTED)
                .toList();
    }

    private static int sessions(PostgresPair servers, String application) {
        try {
            return servers.sessionsOfTheFirst(application);
        } catch (SQLException noAnswer) {
            throw new IllegalStateException(noAnswer);
        }
    }

    /** Threads that write, with and without transactions. */
    private static final class Load {
        private final DataSource pool;
        private final AtomicBoolean over;
        private final AtomicLong written = new AtomicLong();
        private final AtomicInteger refused = new AtomicInteger();
        private final AtomicLong firstNanos = new AtomicLong();
        private volatile String otherwise = "";

        Load(DataSource pool, AtomicBoolean over) {
            this.pool = pool;
            this.over = over;
        }

        void start(Crowd crowd) {
            for (int at = 0; at < THREADS; at++) {
                boolean transactions = at % 2 == 0;
                crowd.call(() -> {
                    while (!over.get()) {
                        write(transactions);
                        LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
                    }
                });
            }
        }

        private void write(boolean inATransaction) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(!inATransaction);
                try {
                    statement.executeUpdate("insert into written values ('a service')");
                    if (inATransaction) {
                        connection.commit();
                    }
                    written.incrementAndGet();
                } finally {
                    if (inATransaction) {
                        connection.rollback();
                        connection.setAutoCommit(true);
                    }
                }
            } catch (SQLException thrown) {
                if (READ_ONLY.equals(thrown.getSQLState())) {
                    firstNanos.compareAndSet(0, System.nanoTime());
                    refused.incrementAndGet();
                } else {
                    otherwise = thrown.toString();
                }
            }
        }
    }
}
