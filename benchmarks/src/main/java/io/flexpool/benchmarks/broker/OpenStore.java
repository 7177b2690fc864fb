// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import io.flexpool.adapter.tck.database.PostgresServer;
import io.flexpool.benchmarks.kit.DurablePostgres;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
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
record OpenStore(
        PersistenceAdapter adapter,
        boolean durable,
        @Nullable MeteredDataSource asked,
        @Nullable MeteredDataSource connects,
        Pool.Closing closing)
        implements AutoCloseable {
    private static final long FILL_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** In this JVM's heap: nothing survives the broker. */
    static OpenStore none() {
        return new OpenStore(new MemoryPersistenceAdapter(), false, null, null, () -> {});
    }

    /** The broker's own files in an empty folder, every write of them synchronous. */
    static OpenStore kahaDb(Path folder) {
        KahaDBPersistenceAdapter adapter = new KahaDBPersistenceAdapter();
        adapter.setDirectory(folder.toFile());
        return new OpenStore(adapter, true, null, null, () -> {});
    }

    /** A durable PostgreSQL of its own, which runs. */
    static OpenStore postgres(Backend backend) throws SQLException {
        PostgresServer server = DurablePostgres.start();
        try {
            MeteredDataSource connects = new MeteredDataSource(server.dataSource());
            Pool pool = Pool.of(backend, server, connects);
            fill(pool, connects);
            MeteredDataSource asked = new MeteredDataSource(pool.source());
            return new OpenStore(
                    jdbc(asked),
                    true,
                    asked,
                    backend == Backend.PGPOOLING ? null : connects,
                    () -> close(pool, server));
        } catch (SQLException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Pools fill up in the background, which would take its time from what is measured. */
    private static void fill(Pool pool, MeteredDataSource connects) throws SQLException {
        try {
            pool.source().getConnection().close();
            long end = System.nanoTime() + FILL_NANOS;
            while (connects.reading().connections() < pool.keeps()) {
                if (System.nanoTime() - end > 0) {
                    throw new SQLException("the pool has not opened " + pool.keeps() + " connections");
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        } catch (SQLException | RuntimeException e) {
            try {
                pool.closing().close();
            } catch (SQLException | RuntimeException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
    }

    private static void close(Pool pool, PostgresServer server) throws SQLException {
        try {
            pool.closing().close();
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
    void resetMeters() {
        if (asked != null) {
            asked.reset();
        }
        if (connects != null) {
            connects.reset();
        }
    }

    @Override
    public void close() throws SQLException {
        closing.close();
    }
}
