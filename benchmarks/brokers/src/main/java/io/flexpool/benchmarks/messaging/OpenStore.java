// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.messaging;

import io.flexpool.adapter.tck.PostgresServer;
import io.flexpool.benchmarks.kit.DurablePostgres;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.apache.activemq.store.PersistenceAdapter;
import org.apache.activemq.store.jdbc.JDBCPersistenceAdapter;
import org.apache.activemq.store.jdbc.adapter.PostgresqlJDBCAdapter;
import org.apache.activemq.store.kahadb.KahaDBPersistenceAdapter;
import org.apache.activemq.store.memory.MemoryPersistenceAdapter;
import org.jspecify.annotations.Nullable;

/**
 * Where a broker keeps its messages. To be closed after the broker.
 *
 * @param adapter for the broker
 * @param durable whether messages survive the broker
 * @param asked what the broker asks for connections; null where it needs none
 * @param connects what the pool asks the driver for; null where it needs none, or where that cannot be counted
 * @param closing ends what stands behind it
 */
public record OpenStore(
        PersistenceAdapter adapter,
        boolean durable,
        @Nullable MeteredDataSource asked,
        @Nullable MeteredDataSource connects,
        Closing closing)
        implements AutoCloseable {
    /**
     * The requests since the last {@link #resetMeters()}.
     *
     * @param asked the broker's requests; null where it needs none
     * @param connects what the pool asked the driver for; null where it needs none, or where that cannot be counted
     */
    public record Readings(MeteredDataSource.@Nullable Reading asked, MeteredDataSource.@Nullable Reading connects) {}

    private static final long FILL_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** How something is closed; each has its own way. */
    public interface Closing {
        /**
         * Closes it.
         *
         * @throws SQLException if it cannot be closed
         */
        void close() throws SQLException;
    }

    /**
     * Nothing survives the broker.
     *
     * @return a store in this JVM's heap
     */
    public static OpenStore none() {
        return new OpenStore(new MemoryPersistenceAdapter(), false, null, null, () -> {});
    }

    /**
     * The broker's own files, every write of them synchronous.
     *
     * @param folder an empty one
     * @return the store
     */
    public static OpenStore kahaDb(Path folder) {
        KahaDBPersistenceAdapter adapter = new KahaDBPersistenceAdapter();
        adapter.setDirectory(folder.toFile());
        return new OpenStore(adapter, true, null, null, () -> {});
    }

    /**
     * A durable PostgreSQL of its own.
     *
     * @param access how the broker gets its connections
     * @return the store, whose database runs
     * @throws SQLException if the database cannot be reached
     */
    public static OpenStore postgres(Access access) throws SQLException {
        PostgresServer server = DurablePostgres.start();
        try {
            MeteredDataSource connects = new MeteredDataSource(server.dataSource());
            Access.Opened opened = access.over(server, connects);
            fill(opened, connects, access.keeps());
            MeteredDataSource asked = new MeteredDataSource(opened.source());
            return new OpenStore(
                    jdbc(asked),
                    true,
                    asked,
                    access == Access.PGPOOLING ? null : connects,
                    () -> close(opened.closing(), server));
        } catch (SQLException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Pools fill up in the background, which would take its time from what is measured. */
    private static void fill(Access.Opened pool, MeteredDataSource connects, int connections) throws SQLException {
        try {
            fill(pool.source(), connects, connections);
        } catch (SQLException | RuntimeException e) {
            try {
                pool.closing().close();
            } catch (SQLException | RuntimeException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    private static void fill(DataSource pool, MeteredDataSource connects, int connections) throws SQLException {
        pool.getConnection().close();
        long end = System.nanoTime() + FILL_NANOS;
        while (connects.reading().connections() < connections) {
            if (System.nanoTime() - end > 0) {
                throw new SQLException("the pool has not opened " + connections + " connections");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private static void close(Closing pool, PostgresServer server) throws SQLException {
        try {
            pool.close();
        } finally {
            server.close();
        }
    }

    private static JDBCPersistenceAdapter jdbc(MeteredDataSource source) {
        JDBCPersistenceAdapter adapter = new JDBCPersistenceAdapter();
        adapter.setDataSource(source);
        adapter.setAdapter(new PostgresqlJDBCAdapter());
        // A lock against other brokers would take its own connection; there are none.
        adapter.setUseLock(false);
        return adapter;
    }

    /** Resets the counts. Must not run during requests. */
    public void resetMeters() {
        if (asked != null) {
            asked.reset();
        }
        if (connects != null) {
            connects.reset();
        }
    }

    /**
     * What was counted.
     *
     * @return copies
     */
    public Readings readings() {
        return new Readings(asked == null ? null : asked.reading(), connects == null ? null : connects.reading());
    }

    @Override
    public void close() throws SQLException {
        closing.close();
    }
}
